export type Theme = "light" | "dark";
/** The value of a token such as "--surface" in a theme. */
export type Colors = (token: string) => string;

/** The tokens of either theme, whichever the page wears: read from its own style sheets. */
export function colorsOf(theme: Theme): Colors {
  const values = new Map<string, string>();
  const wanted = theme === "dark" ? [":root", ':root[data-theme="dark"]'] : [":root"];
  for (const selector of wanted) for (const sheet of document.styleSheets) collect(sheet.cssRules, selector, values);
  const value = (token: string): string =>
    (values.get(token) ?? "").replace(/var\((--[\w-]+)\)/g, (_, inner: string) => value(inner));
  return value;
}

function collect(rules: CSSRuleList, selector: string, into: Map<string, string>): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      if (rule.selectorText.replaceAll("'", '"').split(/,\s*/).includes(selector))
        for (const name of rule.style)
          if (name.startsWith("--")) into.set(name, rule.style.getPropertyValue(name).trim());
    } else if ("cssRules" in rule && !(rule instanceof CSSMediaRule))
      collect(rule.cssRules as CSSRuleList, selector, into);
  }
}
