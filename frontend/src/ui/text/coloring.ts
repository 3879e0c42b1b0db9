import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { styleNonce } from "@/ui";

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: "var(--code-str)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-num)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-com)" },
]);

/** Colors a text by the tokens of its language. The styles have the page's nonce. */
export const coloring: Extension = [EditorView.cspNonce.of(styleNonce() ?? ""), syntaxHighlighting(colors)];
