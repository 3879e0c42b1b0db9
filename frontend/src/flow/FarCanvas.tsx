import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { brushOf } from "./brush";
import { useFlowActions } from "./context";
import { paint } from "./paint";
import type { FlowEdge, FlowNode } from "./flowPicture";

/** The lines of a far view and, where they are many, its nodes, on one canvas: as elements they would halve the frame rate. */
export function FarCanvas({
  nodes,
  edges,
  crowd,
}: {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  crowd: boolean;
}) {
  const ref = useRef<HTMLCanvasElement>(null);
  const { targets, aimed } = useFlowActions();
  const [x, y, zoom] = useStore((s) => s.transform),
    width = useStore((s) => s.width),
    height = useStore((s) => s.height);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const el = ref.current,
        brush = el && brushOf(el);
      if (!brush) return;
      const scale = devicePixelRatio,
        w = Math.round(width * scale),
        h = Math.round(height * scale);
      if (el.width !== w || el.height !== h) Object.assign(el, { width: w, height: h });
      brush.g.setTransform(scale, 0, 0, scale, 0, 0);
      paint(brush, { x, y, zoom, width, height }, { nodes, edges, crowd, targets, aimed });
    };
    // Once per frame, and as a separate task: after a layout it takes as long as everything before it.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(draw);
    };
    soon();
    const theme = new MutationObserver(soon);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      cancelAnimationFrame(frame);
      theme.disconnect();
    };
  }, [x, y, zoom, width, height, nodes, edges, crowd, targets, aimed]);
  return (
    <canvas
      ref={ref}
      className="pointer-events-none absolute inset-0 h-full w-full"
      style={{ zIndex: 0 }}
      data-crowd={crowd ? "" : undefined}
      aria-hidden
    />
  );
}
