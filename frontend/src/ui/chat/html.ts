import type { Nodes, Paragraph, Root, Text } from "mdast";

const blocks = new Set<string>(["root", "blockquote", "listItem", "footnoteDefinition"]);

const inLine = (value: string): Text => ({ type: "text", value });

/** A block keeps its lines and their indentation. */
const inBlock = (value: string): Paragraph => ({
  type: "paragraph",
  children: [],
  data: { hProperties: { className: ["md-plain"] }, hChildren: [{ type: "text", value }] },
});

/** Turns HTML into plain text. Often it isn't HTML at all: Vec<T> in a sentence looks the same to Markdown. */
export function remarkHtmlAsText() {
  const walk = (node: Nodes): void => {
    if (!("children" in node)) return;
    const as = blocks.has(node.type) ? inBlock : inLine;
    node.children = node.children.map((c) => (c.type === "html" ? as(c.value) : c));
    node.children.forEach(walk);
  };
  return (tree: Root) => walk(tree);
}
