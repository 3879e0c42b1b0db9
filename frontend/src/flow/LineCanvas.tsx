import { useStore, useStoreApi } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { brushOf } from "./brush";
import { paintLines } from "./nearLines";
import type { FlowEdge, FlowNode } from "./toFlow";

/** How much more than the view is drawn on each side, in pixels: while the view is moved so far, nothing is drawn anew. */
const spare = 320;

/** The lines of a large team on one canvas, which is moved with the view and drawn anew where that is not enough. */
export const LineCanvas = memo(function LineCanvas({ nodes, edges }: { nodes: readonly FlowNode[]; edges: readonly FlowEdge[] }) {
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
});
