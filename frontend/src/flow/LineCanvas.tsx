import { useStore, useStoreApi } from "@xyflow/react";
import { memo, useEffect, useMemo, useRef } from "react";
import type { Box } from "../topology";
import { brushOf } from "./brush";
import { changedPart, type Lines } from "./changedPart";
import { paintLines, paintSigns, samePlace, sameStroke } from "./nearLines";

/** How much more than the view is drawn on each side, in pixels. Moving the view less than that redraws nothing. */
const spare = 320;

const sameList = <T,>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean) =>
  a === b ||
  (a.length === b.length &&
    a.every((x, i) => {
      const y = b[i] as T;
      return x === y || same(x, y);
    }));
const samePicture = (a: Lines, b: Lines) =>
  sameList(a.nodes, b.nodes, samePlace) && sameList(a.edges, b.edges, sameStroke);

/** What a canvas shows. */
type Drawn = Lines & { x: number; y: number; zoom: number; margin: number; width: number; height: number };

type Moved = Lines & { paint: typeof paintLines; className: string };

/** A canvas that moves with the view, and is redrawn when that isn't enough. */
function Moved({ nodes, edges, paint, className }: Moved) {
  const ref = useRef<HTMLCanvasElement>(null),
    shown = useRef<Drawn>(undefined);
  const store = useStoreApi(),
    width = useStore((s) => s.width),
    height = useStore((s) => s.height);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    const draw = (margin: number) => {
      const [x, y, zoom] = store.getState().transform,
        scale = devicePixelRatio,
        w = width + 2 * margin,
        h = height + 2 * margin;
      const size = { width: Math.round(w * scale), height: Math.round(h * scale) };
      if (el.width !== size.width || el.height !== size.height) Object.assign(el, size);
      Object.assign(el.style, {
        left: `${-margin}px`,
        top: `${-margin}px`,
        width: `${w}px`,
        height: `${h}px`,
        transform: "",
      });
      put({ x, y, zoom, margin, width, height, nodes, edges });
    };
    /** Draws what a canvas of this size shows, or the part of it that is new. */
    const put = (d: Drawn, part?: Box) => {
      const brush = brushOf(el);
      if (!brush) return;
      paint(
        brush,
        {
          x: d.x + d.margin,
          y: d.y + d.margin,
          zoom: d.zoom,
          width: d.width + 2 * d.margin,
          height: d.height + 2 * d.margin,
        },
        d.nodes,
        d.edges,
        part,
      );
      shown.current = d;
    };
    const follow = () => {
      const [x, y, zoom] = store.getState().transform,
        had = shown.current;
      if (had?.zoom !== zoom || had.width !== width || had.height !== height) {
        draw(had ? 0 : spare);
        return;
      } // who zooms goes on zooming
      if (Math.abs(x - had.x) > had.margin || Math.abs(y - had.y) > had.margin) {
        draw(spare);
        return;
      }
      const to = x === had.x && y === had.y ? "" : `translate(${x - had.x}px, ${y - had.y}px)`;
      if (el.style.transform !== to) el.style.transform = to; // even a move by 0 makes the browser redraw it
      if (had.nodes === nodes && had.edges === edges) return;
      const now = { ...had, nodes, edges },
        part = changedPart(had, now);
      if (part) put(now, part);
      else shown.current = now;
    };
    follow();
    const off = store.subscribe((s, was) => {
      if (s.transform !== was.transform) follow();
    });
    const theme = new MutationObserver(() => draw(shown.current?.margin ?? 0));
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      off();
      theme.disconnect();
    };
  }, [store, nodes, edges, width, height, paint]);
  return <canvas ref={ref} className={className} data-lines={edges.length} aria-hidden />;
}

/** The lines of a large team on one canvas, and what stands upon nodes for want of another place on another one, in front of them. */
export const LineCanvas = memo(function LineCanvas({ nodes, edges }: Lines) {
  const crossing = useMemo(() => edges.filter((e) => e.data?.mark && e.data.crossing), [edges]);
  return (
    <>
      <Moved nodes={nodes} edges={edges} paint={paintLines} className="line-canvas" />
      {crossing.length > 0 && <Moved nodes={nodes} edges={crossing} paint={paintSigns} className="sign-canvas" />}
    </>
  );
}, samePicture);
