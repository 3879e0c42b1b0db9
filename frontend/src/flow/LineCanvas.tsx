import { useStore, useStoreApi } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { brushOf } from "./brush";
import { paintLines } from "./nearLines";
import type { FlowEdge, FlowNode } from "./toFlow";

/** How much more than the view is drawn on each side, in pixels: while the view is moved so far, nothing is drawn anew. */
const spare = 320;

type Props = { nodes: readonly FlowNode[]; edges: readonly FlowEdge[] };

const sameList = <T,>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean) => a === b || (a.length === b.length && a.every((x, i) => { const y = b[i] as T; return x === y || same(x, y); }));
const samePlace = (x: FlowNode, y: FlowNode) => x.id === y.id && x.type !== "frame" && y.type !== "frame" && x.position.x === y.position.x && x.position.y === y.position.y && x.width === y.width && x.height === y.height;
const sameLook = ({ data: x, ...a }: FlowEdge, { data: y, ...b }: FlowEdge) =>
  a.id === b.id && a.source === b.source && a.target === b.target && !!x && !!y && x.kind === y.kind && x.mark === y.mark && x.shift === y.shift && x.spot === y.spot && x.path === y.path && x.dim === y.dim;
/** Whether the picture would be the same: a name that is written is none of its business. */
const samePicture = (a: Props, b: Props) => sameList(a.nodes, b.nodes, samePlace) && sameList(a.edges, b.edges, sameLook);

/** The lines of a large team on one canvas, which is moved with the view and drawn anew where that is not enough. */
export const LineCanvas = memo(function LineCanvas({ nodes, edges }: Props) {
  const ref = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi(), width = useStore((s) => s.width), height = useStore((s) => s.height);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    let drawn: { x: number; y: number; zoom: number; margin: number } | undefined;
    const draw = (margin: number) => {
      const brush = brushOf(el), [x, y, zoom] = store.getState().transform, scale = devicePixelRatio, w = width + 2 * margin, h = height + 2 * margin;
      if (!brush) return;
      const size = { width: Math.round(w * scale), height: Math.round(h * scale) };
      if (el.width !== size.width || el.height !== size.height) Object.assign(el, size);
      Object.assign(el.style, { left: `${-margin}px`, top: `${-margin}px`, width: `${w}px`, height: `${h}px`, transform: "" });
      brush.g.setTransform(scale, 0, 0, scale, 0, 0);
      brush.g.clearRect(0, 0, w, h);
      paintLines(brush, { x: x + margin, y: y + margin, zoom, width: w, height: h }, nodes, edges);
      drawn = { x, y, zoom, margin };
    };
    const follow = () => {
      const [x, y, zoom] = store.getState().transform;
      if (drawn?.zoom !== zoom) { draw(drawn ? 0 : spare); return; } // who zooms goes on zooming
      if (Math.abs(x - drawn.x) > drawn.margin || Math.abs(y - drawn.y) > drawn.margin) draw(spare);
      else el.style.transform = `translate(${x - drawn.x}px, ${y - drawn.y}px)`;
    };
    follow();
    const off = store.subscribe((s, was) => { if (s.transform !== was.transform) follow(); });
    const theme = new MutationObserver(() => draw(drawn?.margin ?? 0));
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => { off(); theme.disconnect(); };
  }, [store, nodes, edges, width, height]);
  return <canvas ref={ref} className="line-canvas" data-lines={edges.length} aria-hidden />;
}, samePicture);
