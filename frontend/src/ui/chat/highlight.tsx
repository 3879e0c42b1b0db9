import type { RootContent } from "hast";
import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";

const lowlight = createLowlight(common);
const longest = 50_000;

const draw = (nodes: readonly RootContent[]): ReactNode[] =>
  nodes.map((n, i) => {
    if (n.type === "text") return n.value;
    if (n.type !== "element") return null;
    const names = n.properties.className;
    return (
      <span key={i} className={Array.isArray(names) ? names.join(" ") : undefined}>
        {draw(n.children)}
      </span>
    );
  });

/** The code with syntax highlighting, or undefined for an unknown language. */
export function highlight(language: string, text: string): ReactNode | undefined {
  if (text.length > longest || !lowlight.registered(language)) return undefined;
  return draw(lowlight.highlight(language, text).children);
}
