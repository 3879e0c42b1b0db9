import type { Element, ElementContent, Root, RootContent } from "hast";
import { foldText } from "../match";

export type Mentionable = {
  name: string;
  initials: string;
  color: number;
  /** Beside the name: an id or a role. */ detail?: string;
  /** At the end: what it is doing. */ state?: string;
};

const quote = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Finds "@Name" of these names; the longest name wins. */
export function mentionPattern(names: readonly string[]): RegExp | undefined {
  const known = names
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map(quote);
  return known.length ? new RegExp(`@(?:${known.join("|")})(?![\\w-])`, "giu") : undefined;
}

/** Which of the names a text mentions. */
export function mentioned(text: string, names: readonly string[]): string[] {
  const pattern = mentionPattern(names);
  const found = new Set(pattern ? [...text.matchAll(pattern)].map((m) => foldText(m[0].slice(1))) : []);
  return names.filter((n) => found.has(foldText(n)));
}

const untouched = new Set(["code", "pre", "a"]);

/** Marks who is mentioned; runs after the text has been made safe. */
export function rehypeMentions({ names }: { names: readonly string[] }) {
  const pattern = mentionPattern(names);
  const split = (text: string): ElementContent[] => {
    const out: ElementContent[] = [];
    let from = 0;
    for (const m of text.matchAll(pattern!)) {
      if (m.index > from) out.push({ type: "text", value: text.slice(from, m.index) });
      out.push({
        type: "element",
        tagName: "span",
        properties: { className: ["mention"] },
        children: [{ type: "text", value: m[0] }],
      });
      from = m.index + m[0].length;
    }
    if (from < text.length) out.push({ type: "text", value: text.slice(from) });
    return out;
  };
  const walk = (node: Root | Element): void => {
    node.children = (node.children as (ElementContent | RootContent)[]).flatMap((c): ElementContent[] => {
      if (c.type === "text") return split(c.value);
      if (c.type === "element" && !untouched.has(c.tagName)) walk(c);
      return [c as ElementContent];
    });
  };
  return (tree: Root) => {
    if (pattern) walk(tree);
  };
}

/** The mention that is being written at the caret: where it begins, and what is typed of it. */
export function mentionAt(text: string, caret: number): { from: number; query: string } | undefined {
  const m = /(?<![A-Za-z0-9._-])[@＠]([^\s@＠]{0,40})$/u.exec(text.slice(0, caret));
  return m ? { from: m.index, query: m[1] ?? "" } : undefined;
}

/** Who fits what is typed: names that begin with it first. */
export function fitting(list: readonly Mentionable[], query: string): Mentionable[] {
  const q = foldText(query);
  const begins = (m: Mentionable) => foldText(m.name).startsWith(q) || foldText(m.detail ?? "").startsWith(q);
  return [...list.filter(begins), ...list.filter((m) => !begins(m) && foldText(m.name).includes(q))].slice(0, 8);
}
