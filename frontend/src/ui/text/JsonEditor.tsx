import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  startCompletion,
  type Completion,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { linter, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, tooltips } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { cx } from "@/ui";
import { coloring } from "./coloring";
import "./jsonedit.css";

/** Something that can be written at the cursor. */
export type Offer = {
  /** As it is written. What is typed is compared with it. */ text: string;
  name: string;
  /** Where it is among others that fit as well; without it by its text. */ order?: number;
  detail?: string;
  info?: string;
  /** What writes it in place of the word at a position. `more`: there are suggestions for what comes next. */
  write: (
    text: string,
    pos: number,
  ) => { changes: { from: number; to: number; insert: string }[]; cursor: number; more: boolean } | undefined;
};
export type Mark = { from: number; to: number; severity: "error" | "warning" | "info"; message: string };

export type JsonEditorProps = {
  id: string;
  label: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  readOnly?: boolean;
  /** Another text is shown once the editor has lost the focus: what is typed is never replaced. */
  value: string;
  onText: (text: string) => void;
  /** What can be written at a position. */
  offers: (text: string, pos: number) => { from: number; offers: Offer[] } | undefined;
  /** What is wrong. Another function marks the text again. */
  lint: (text: string) => Mark[];
  /** What the editor says itself. */
  phrases: Record<string, string>;
};

/** After so many milliseconds without a key, the text is marked. */
const lintDelay = 250;
const never = new Promise<Mark[]>(() => undefined);
const markAgain = StateEffect.define<null>();

/** What is typed on in a word has the same offers: they are there at once, so that Enter takes one at any speed. */
const sameWord = /^"?[\p{L}\p{N}_$.+-]*$/u;

const source =
  (now: () => JsonEditorProps): CompletionSource =>
  ({ state, pos, explicit, view }) => {
    if (state.readOnly || view?.composing) return null;
    const found = now().offers(state.doc.toString(), pos);
    if (!found || (!explicit && found.from === pos)) return null;
    return { from: found.from, options: found.offers.map(option), validFor: sameWord };
  };

const option = (o: Offer): Completion => ({
  label: o.text,
  displayLabel: o.name,
  sortText: o.order === undefined ? undefined : String(o.order).padStart(6, "0"),
  detail: o.detail,
  info: o.info,
  apply(view) {
    const made = o.write(view.state.doc.toString(), view.state.selection.main.head);
    if (!made) return;
    view.dispatch({
      changes: made.changes,
      selection: { anchor: made.cursor },
      userEvent: "input.complete",
      scrollIntoView: true,
    });
    if (made.more) startCompletion(view);
  },
});

const says = (p: JsonEditorProps): Extension => [
  EditorState.readOnly.of(!!p.readOnly),
  EditorView.editable.of(!p.readOnly),
  EditorState.phrases.of(p.phrases),
  EditorView.contentAttributes.of({
    id: p.id,
    "aria-label": p.label,
    autocapitalize: "off",
    spellcheck: "false",
    ...(p["aria-describedby"] && { "aria-describedby": p["aria-describedby"] }),
    ...(p["aria-invalid"] && { "aria-invalid": "true" }),
    ...(p.readOnly && { "aria-readonly": "true", tabindex: "0" }),
  }),
];

/** A JSON text to edit, with completion and marks. Tab leaves it, as it leaves every field. */
export function JsonEditor(props: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null),
    shown = useRef<{ view: EditorView; state: (doc: string) => EditorState; said: Compartment }>(undefined),
    now = useRef(props);
  const [focused, setFocused] = useState(false);
  useLayoutEffect(() => {
    now.current = props;
  });
  useEffect(() => {
    if (!box.current) return;
    const said = new Compartment();
    let told = now.current.value;
    const tell = (view: EditorView) => {
      const text = view.state.doc.toString();
      if (text === told) return;
      told = text;
      now.current.onText(text);
    };
    const state = (doc: string) => {
      told = doc;
      return EditorState.create({
        doc,
        extensions: [
          said.of(says(now.current)),
          coloring,
          json(),
          lineNumbers(),
          EditorView.lineWrapping,
          // Beside the page: the panel that the editor is in would cut them off.
          tooltips({ parent: document.body }),
          history(),
          closeBrackets(),
          autocompletion({ override: [source(() => now.current)], icons: false, interactionDelay: 0 }),
          // Marks that change would cut what an input method puts together: they wait for its end.
          linter((view) => (view.composing ? never : now.current.lint(view.state.doc.toString())), {
            delay: lintDelay,
            needsRefresh: (u) => u.transactions.some((tr) => tr.effects.some((e) => e.is(markAgain))),
          }),
          keymap.of([
            ...closeBracketsKeymap,
            ...standardKeymap,
            ...historyKeymap,
            { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
          ]),
          EditorView.updateListener.of((u) => {
            if (u.docChanged && !u.view.composing) tell(u.view);
          }),
          // An input method puts words together: a word is passed on when it is whole.
          EditorView.domEventObservers({
            compositionend: (_, view) =>
              void Promise.resolve().then(() => {
                if (shown.current?.view !== view) return;
                tell(view);
                view.dispatch({ effects: markAgain.of(null) });
              }),
            focus: () => setFocused(true),
            blur: (_, view) => {
              tell(view);
              setFocused(false);
            },
          }),
        ],
      });
    };
    const view = new EditorView({ parent: box.current, state: state(now.current.value) });
    shown.current = { view, state, said };
    return () => {
      tell(view);
      view.destroy();
      shown.current = undefined;
    };
  }, []);
  const { value, lint, label, id, readOnly, phrases } = props,
    described = props["aria-describedby"],
    invalid = props["aria-invalid"];
  useEffect(() => {
    const s = shown.current;
    s?.view.dispatch({ effects: s.said.reconfigure(says(now.current)) });
  }, [label, id, readOnly, phrases, described, invalid]);
  // Its own history is of what was typed since the text was last replaced, so it never brings back somebody else's.
  useEffect(() => {
    const s = shown.current;
    if (s && !focused && s.view.state.doc.toString() !== value) s.view.setState(s.state(value));
  }, [value, focused]);
  useEffect(() => {
    shown.current?.view.dispatch({ effects: markAgain.of(null) });
  }, [lint]);
  // A label is no label of an element that isn't a form's: a press on it is passed on.
  useEffect(() => {
    const to = box.current?.closest(".field")?.querySelector("label"),
      focus = () => shown.current?.view.focus();
    to?.addEventListener("click", focus);
    return () => to?.removeEventListener("click", focus);
  }, []);
  return <div ref={box} className={cx("jsonedit", invalid && "is-bad", readOnly && "is-off")} translate="no" />;
}
