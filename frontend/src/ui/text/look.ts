import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { styleNonce } from "@/ui";
import { standing } from "./marks";

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: "var(--code-str)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-num)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-com)" },
]);

/** What both columns share: to read, colored by the tokens, in the person's language. */
export function reading(language: "json" | "yaml" | "text", phrases: Record<string, string>, label: string): Extension {
  return [
    EditorView.cspNonce.of(styleNonce() ?? ""),
    lineNumbers(),
    language === "json" ? json() : language === "yaml" ? yaml() : [],
    syntaxHighlighting(colors),
    standing,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
  ];
}
