import { getChunks, type Chunk } from "@codemirror/merge";
import { RangeSet, StateEffect, StateField, type EditorState, type Extension, type Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  gutter,
  gutterLineClass,
  GutterMarker,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";

type Tone = "add" | "del" | "chg";
const sign: Record<Tone, string> = { add: "+", del: "−", chg: "~" };

class Sign extends GutterMarker {
  private readonly tone: Tone;
  constructor(tone: Tone) {
    super();
    this.tone = tone;
  }
  override eq(other: Sign) {
    return other.tone === this.tone;
  }
  override toDOM() {
    return document.createTextNode(sign[this.tone]);
  }
}
const signs: Record<Tone, Sign> = { add: new Sign("add"), del: new Sign("del"), chg: new Sign("chg") };
/** The same tint, without the sign, for the whole row of gutters. */
class Tint extends GutterMarker {
  constructor(tone: Tone) {
    super();
    this.elementClass = `d-${tone}`;
  }
}
const tints: Record<Tone, Tint> = { add: new Tint("add"), del: new Tint("del"), chg: new Tint("chg") };
const lines: Record<Tone, Decoration> = {
  add: Decoration.line({ class: "d-add" }),
  del: Decoration.line({ class: "d-del" }),
  chg: Decoration.line({ class: "d-chg" }),
};

const part = Decoration.line({ class: "d-add is-part" });

/** Which lines an editor shows: one of two columns, or the one column that has what went as red lines in between. */
export type Side = "before" | "after" | "unified";

/** A chunk with lines on one side only was added or removed; one with both was changed. */
const toneOf = (c: Chunk, side: Side): Tone =>
  c.fromA === c.toA ? "add" : c.fromB === c.toB ? "del" : side === "unified" ? "add" : "chg";

/** Where each changed line of a side starts, and what happened to it. */
function changedLines({ doc, chunks }: { doc: Text; chunks: readonly Chunk[] }, side: Side): [number, Tone, boolean][] {
  const found: [number, Tone, boolean][] = [];
  for (const c of chunks) {
    const from = side === "before" ? c.fromA : c.fromB,
      end = side === "before" ? c.endA : c.endB;
    if (from === (side === "before" ? c.toA : c.toB)) continue;
    for (let at = from; at <= end;) {
      const line = doc.lineAt(Math.min(at, doc.length));
      found.push([line.from, toneOf(c, side), side === "unified" && c.fromA !== c.toA]);
      at = line.to + 1;
    }
  }
  return found;
}
const linesOf = (s: EditorState, side: Side) => changedLines({ doc: s.doc, chunks: getChunks(s)?.chunks ?? [] }, side);

/** The tint of a changed line goes on behind its number. */
const tinted = (side: Side) =>
  StateField.define<RangeSet<GutterMarker>>({
    create: () => RangeSet.empty,
    update(had, tr) {
      if (getChunks(tr.startState)?.chunks === getChunks(tr.state)?.chunks) return had;
      return RangeSet.of(linesOf(tr.state, side).map(([at, tone]) => tints[tone].range(at)));
    },
    provide: (f) => gutterLineClass.from(f),
  });

/** Tints changed lines and puts + − ~ beside them. */
export function changeMarks(side: Side): Extension {
  const tint = ViewPlugin.fromClass(
    class {
      deco: DecorationSet;
      private chunks: unknown;
      constructor(view: EditorView) {
        this.chunks = getChunks(view.state)?.chunks;
        this.deco = this.make(view);
      }
      update(u: ViewUpdate) {
        const now = getChunks(u.state)?.chunks;
        if (now !== this.chunks) {
          this.chunks = now;
          this.deco = this.make(u.view);
        }
      }
      private make(view: EditorView) {
        return Decoration.set(
          linesOf(view.state, side).map(([at, tone, instead]) => (instead ? part : lines[tone]).range(at)),
        );
      }
    },
    { decorations: (p) => p.deco },
  );
  const column = gutter({
    class: "cm-signs",
    markers: (view) => RangeSet.of(linesOf(view.state, side).map(([at, tone]) => signs[tone].range(at))),
    initialSpacer: () => signs.chg,
  });
  return [tint, column, tinted(side)];
}

export const standOn = StateEffect.define<number | null>();
const here = Decoration.line({ class: "is-here" });

/** The line that the chosen change stands on. */
export const standing = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(deco, tr) {
    for (const e of tr.effects)
      if (e.is(standOn)) return e.value === null ? Decoration.none : Decoration.set([here.range(e.value)]);
    return deco;
  },
  provide: (f) => EditorView.decorations.from(f),
});
