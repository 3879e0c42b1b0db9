import { useReactFlow, useStore } from "@xyflow/react";
import { memo, useEffect, useMemo, useRef, type PointerEvent } from "react";
import { NODE_H, NODE_W, NOTE_W } from "../topology";
import { brushOf } from "./brush";
import type { FlowNode } from "./flowPicture";

const W = 144,
  H = 92,
  pad = 6;
/** The colors of what stands beside the team. */
const besides: Record<string, string> = { channel: "--kind-route", everyone: "--line-control" };
type Frame = { x: number; y: number; k: number };

function bounds(nodes: FlowNode[], view: { x: number; y: number; w: number; h: number }): Frame {
  let x1 = view.x,
    y1 = view.y,
    x2 = view.x + view.w,
    y2 = view.y + view.h;
  for (const n of nodes) {
    x1 = Math.min(x1, n.position.x);
    y1 = Math.min(y1, n.position.y);
    x2 = Math.max(x2, n.position.x + (n.width ?? NODE_W));
    y2 = Math.max(y2, n.position.y + (n.height ?? NODE_H));
  }
  const k = Math.min((W - 2 * pad) / (x2 - x1), (H - 2 * pad) / (y2 - y1));
  return { k, x: (W - (x1 + x2) * k) / 2, y: (H - (y1 + y2) * k) / 2 };
}

function draw(
  el: HTMLCanvasElement,
  nodes: FlowNode[],
  f: Frame,
  view: { x: number; y: number; w: number; h: number },
): void {
  const scale = devicePixelRatio;
  if (el.width !== W * scale) Object.assign(el, { width: W * scale, height: H * scale });
  const brush = brushOf(el);
  if (!brush) return;
  const { g, color } = brush;
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, W, H);
  for (const n of nodes) {
    if (n.type === "frame") {
      g.strokeStyle = color(n.data.group.color ? `--id-${n.data.group.color}` : "--line-control");
      g.lineWidth = 1;
      g.strokeRect(f.x + n.position.x * f.k, f.y + n.position.y * f.k, (n.width ?? 0) * f.k, (n.height ?? 0) * f.k);
      continue;
    }
    g.fillStyle =
      n.type === "folded"
        ? color(n.data.group.color ? `--id-${n.data.group.color}` : "--line-control")
        : n.type === "agent"
          ? color(`--id-${n.data.color}`)
          : color(besides[n.type ?? ""] ?? "--note-line");
    g.fillRect(
      f.x + n.position.x * f.k,
      f.y + n.position.y * f.k,
      Math.max(1.5, (n.width ?? NOTE_W) * f.k),
      Math.max(1, (n.height ?? NODE_H) * f.k),
    );
  }
  g.strokeStyle = color("--accent-text");
  g.fillStyle = color("--hover");
  g.beginPath();
  g.roundRect(f.x + view.x * f.k, f.y + view.y * f.k, view.w * f.k, view.h * f.k, 2);
  g.fill();
  g.stroke();
}

type Props = { nodes: FlowNode[]; label: string };
const colorOf = ({ type, data }: FlowNode) =>
  type === "agent" ? data.color : type === "frame" || type === "folded" ? data.group.color : undefined;
const sameSpot = (x: FlowNode, y: FlowNode) =>
  x === y ||
  (x.type === y.type &&
    x.position.x === y.position.x &&
    x.position.y === y.position.y &&
    x.width === y.width &&
    x.height === y.height &&
    colorOf(x) === colorOf(y));
/** Whether the picture would be the same: at this size nothing that is written can be read. */
const samePicture = (a: Props, b: Props) =>
  a.label === b.label &&
  (a.nodes === b.nodes ||
    (a.nodes.length === b.nodes.length && a.nodes.every((x, i) => sameSpot(x, b.nodes[i] as FlowNode))));

/** The whole drawing, small, on one canvas; press or drag to move the view there. */
export const Minimap = memo(function Minimap({ nodes, label }: Props) {
  const ref = useRef<HTMLCanvasElement>(null);
  const held = useRef<Frame | null>(null);
  const flow = useReactFlow();
  const transform = useStore((s) => s.transform),
    width = useStore((s) => s.width),
    height = useStore((s) => s.height);
  const view = useMemo(
    () => ({
      x: -transform[0] / transform[2],
      y: -transform[1] / transform[2],
      w: width / transform[2],
      h: height / transform[2],
    }),
    [transform, width, height],
  );
  const frame = useMemo(() => bounds(nodes, view), [nodes, view]);
  useEffect(() => {
    // After the frame in which the drawing itself is seen: nobody waits for this one.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const paint = () => {
      if (ref.current) draw(ref.current, nodes, frame, view);
    };
    const next = requestAnimationFrame(() => {
      timer = setTimeout(paint);
    });
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      cancelAnimationFrame(next);
      clearTimeout(timer);
      theme.disconnect();
    };
  }, [nodes, frame, view]);
  const go = (e: PointerEvent<HTMLCanvasElement>) => {
    const f = held.current,
      box = e.currentTarget.getBoundingClientRect();
    if (f)
      void flow.setCenter((e.clientX - box.left - f.x) / f.k, (e.clientY - box.top - f.y) / f.k, {
        zoom: transform[2],
      });
  };
  return (
    <canvas
      ref={ref}
      className="minimap"
      role="img"
      aria-label={label}
      style={{ width: W, height: H }}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        held.current = frame;
        go(e);
      }}
      onPointerMove={go}
      onPointerUp={() => {
        held.current = null;
      }}
      onPointerCancel={() => {
        held.current = null;
      }}
    />
  );
}, samePicture);
