import type { Point } from "../topology";

export type Side = "t" | "r" | "b" | "l";
export type Box = Point & { w: number; h: number };

const out: Record<Side, Point> = { t: { x: 0, y: -1 }, b: { x: 0, y: 1 }, l: { x: -1, y: 0 }, r: { x: 1, y: 0 } };

/** The sides a line between two boxes leaves and enters by: up and down where there is room, else sideways. */
export function sides(a: Box, b: Box): [Side, Side] {
  if (b.y >= a.y + a.h + 12) return ["b", "t"];
  if (b.y + b.h + 12 <= a.y) return ["t", "b"];
  return b.x >= a.x ? ["r", "l"] : ["l", "r"];
}

function anchor(p: Box, s: Side, shift: number): Point {
  if (s === "t") return { x: p.x + p.w / 2 + shift, y: p.y - 1 };
  if (s === "b") return { x: p.x + p.w / 2 + shift, y: p.y + p.h + 1 };
  if (s === "l") return { x: p.x - 1, y: p.y + p.h / 2 + shift };
  return { x: p.x + p.w + 1, y: p.y + p.h / 2 + shift };
}

export type Curve = { d: string; mid: Point };

/** A calm curve between two boxes. `shift` keeps parallel lines apart. */
export function curve(a: Box, b: Box, shift = 0, bend = 36): Curve {
  const [s, e] = sides(a, b);
  const p = anchor(a, s, shift), q = anchor(b, e, shift);
  const k = Math.min(bend, Math.hypot(q.x - p.x, q.y - p.y) / 2);
  const c1 = { x: p.x + out[s].x * k, y: p.y + out[s].y * k }, c2 = { x: q.x + out[e].x * k, y: q.y + out[e].y * k };
  return {
    d: `M${p.x} ${p.y}C${c1.x} ${c1.y} ${c2.x} ${c2.y} ${q.x} ${q.y}`,
    mid: { x: (p.x + 3 * c1.x + 3 * c2.x + q.x) / 8, y: (p.y + 3 * c1.y + 3 * c2.y + q.y) / 8 },
  };
}
