import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { coloring } from "./coloring";
import { standing } from "./marks";

/** What both columns share: to read, colored by the tokens, in the person's language. */
export function reading(language: "json" | "yaml" | "text", phrases: Record<string, string>, label: string): Extension {
  return [
    coloring,
    lineNumbers(),
    language === "json" ? json() : language === "yaml" ? yaml() : [],
    standing,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
  ];
}
