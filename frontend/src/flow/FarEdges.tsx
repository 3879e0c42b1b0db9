import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { NODE_H, NODE_W, type Mark } from "../topology";
import type { FlowEdge, FlowNode } from "./toFlow";

const markVar: Record<Mark, string> = { add: "--add-line", del: "--del-line", chg: "--chg-line", mov: "--mov-line" };
const dashes: Record<string, number[]> = { communication: [6, 4], review: [1.5, 4], unknown: [12, 4] };

function tone(e: FlowEdge): string {
  if (e.selected) return "--accent-text";
  if (e.data?.path) return "--waiting-mark";
  return e.data?.mark ? markVar[e.data.mark] : `--kind-${e.data?.kind ?? "unknown"}`;
}

function draw(el: HTMLCanvasElement, w: number, h: number, [x, y, zoom]: readonly [number, number, number], nodes: FlowNode[], edges: FlowEdge[]): void {
  const scale = devicePixelRatio;
  if (el.width !== Math.round(w * scale) || el.height !== Math.round(h * scale)) Object.assign(el, { width: Math.round(w * scale), height: Math.round(h * scale) });
  const g = el.getContext("2d");
  if (!g) return;
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, w, h);
  const at = new Map(nodes.map((n) => [n.id, { x: x + (n.position.x + NODE_W / 2) * zoom, y: y + (n.position.y + NODE_H / 2) * zoom }]));
  const style = getComputedStyle(el);
  const groups = new Map<string, FlowEdge[]>();
  for (const e of edges) {
    const key = `${tone(e)} ${e.data?.kind ?? ""} ${e.data?.dim ? "dim" : ""}`;
    const list = groups.get(key);
    if (list) list.push(e); else groups.set(key, [e]);
  }
  for (const [key, list] of groups) {
    const [name = "", kind = "", dim] = key.split(" ");
    g.strokeStyle = style.getPropertyValue(name);
    g.globalAlpha = dim ? 0.2 : 0.75;
    g.lineWidth = name.startsWith("--kind") ? 1 : 2;
    g.setLineDash(dashes[kind] ?? []);
    g.beginPath();
    for (const e of list) {
      const a = at.get(e.source), b = at.get(e.target);
      if (!a || !b || Math.max(a.x, b.x) < 0 || Math.min(a.x, b.x) > w || Math.max(a.y, b.y) < 0 || Math.min(a.y, b.y) > h) continue;
      g.moveTo(a.x, a.y);
      g.lineTo(b.x, b.y);
    }
    g.stroke();
  }
}

/** All connections of a far view on one canvas: thousands of lines as SVG would halve the frame rate. */
export function FarEdges({ nodes, edges }: { nodes: FlowNode[]; edges: FlowEdge[] }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const transform = useStore((s) => s.transform), width = useStore((s) => s.width), height = useStore((s) => s.height);
  useEffect(() => { if (ref.current) draw(ref.current, width, height, transform, nodes, edges); });
  return <canvas ref={ref} className="pointer-events-none absolute inset-0 h-full w-full" style={{ zIndex: 0 }} aria-hidden />;
}
