import { getChunks, MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { reading } from "./look";
import { changeMarks, standOn } from "./marks";
import { seen } from "./seen";
import "./text.css";

/** A place in the two texts: which side, and the line from 1. */
export type Place = { side: "before" | "after"; line: number };

export type TextDiffProps = {
  before: string;
  after: string;
  language: "json" | "yaml" | "text";
  mode: "split" | "unified";
  /** The line to stand on; a new object scrolls there again. */
  place?: Place | null;
  /** `same` has $ for the number of unchanged lines that are folded. */
  labels: { before: string; after: string; both: string; same: string };
};

type Shown = { before?: EditorView; after: EditorView; destroy: () => void };
const collapse = { margin: 3, minSize: 6 };
const diffConfig = { scanLimit: 2000, timeout: 400 };

function open(parent: HTMLElement, p: TextDiffProps, phrases: Record<string, string>): Shown {
  const wrap = EditorView.lineWrapping;
  if (p.mode === "split") {
    const view = new MergeView({
      parent,
      collapseUnchanged: collapse,
      gutter: false,
      diffConfig,
      a: { doc: p.before, extensions: [reading(p.language, phrases, p.labels.before), changeMarks("before"), wrap] },
      b: { doc: p.after, extensions: [reading(p.language, phrases, p.labels.after), changeMarks("after"), wrap] },
    });
    return { before: view.a, after: view.b, destroy: () => view.destroy() };
  }
  const extensions = [
    reading(p.language, phrases, p.labels.after),
    wrap,
    unifiedMergeView({
      original: p.before,
      mergeControls: false,
      gutter: false,
      collapseUnchanged: collapse,
      diffConfig,
    }),
    changeMarks("unified"),
  ];
  const after = new EditorView({ parent, state: EditorState.create({ doc: p.after, extensions }) });
  return { after, destroy: () => after.destroy() };
}

/** Where a line of what was stands in the one-column view: at the change that took it away. */
function inUnified(view: EditorView, before: string, line: number): number {
  const at =
    before
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + (line > 1 ? 1 : 0);
  const chunk = getChunks(view.state)?.chunks.find((c) => at >= c.fromA && at <= Math.max(c.endA, c.fromA));
  return Math.min(chunk?.fromB ?? 0, view.state.doc.length);
}

function go(shown: Shown, p: TextDiffProps): void {
  for (const v of [shown.before, shown.after]) v?.dispatch({ effects: standOn.of(null) });
  if (!p.place) return;
  const inBefore = p.place.side === "before" && shown.before;
  const view = inBefore || shown.after,
    doc = view.state.doc;
  const at =
    p.place.side === "before" && !shown.before
      ? inUnified(view, p.before, p.place.line)
      : doc.line(Math.min(p.place.line, doc.lines)).from;
  view.dispatch({
    effects: [standOn.of(doc.lineAt(at).from), EditorView.scrollIntoView(at, { y: "center", yMargin: 24 })],
  });
}

/** Two texts with their differences, to read. */
export function TextDiff(props: TextDiffProps) {
  const box = useRef<HTMLDivElement>(null),
    shown = useRef<Shown>(undefined);
  const { language, mode, place, labels } = props,
    before = seen(props.before),
    after = seen(props.after);
  useEffect(() => {
    if (!box.current) return;
    const made = open(box.current, { before, after, language, mode, labels }, { "$ unchanged lines": labels.same });
    shown.current = made;
    return () => {
      made.destroy();
      shown.current = undefined;
    };
  }, [before, after, language, mode, labels]);
  useEffect(() => {
    if (!shown.current) return;
    const s = shown.current,
      frame = requestAnimationFrame(() => {
        if (s === shown.current) go(s, { before, after, language, mode, place, labels });
      });
    return () => cancelAnimationFrame(frame);
  }, [place, before, after, language, mode, labels]);
  return (
    <div
      ref={box}
      className={`textdiff textdiff--${mode}`}
      translate="no"
      tabIndex={0}
      role="group"
      aria-label={labels.both}
    />
  );
}

export default TextDiff;
