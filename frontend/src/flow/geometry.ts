import type { Box, Point } from "../topology";

export type Side = "t" | "r" | "b" | "l";

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

export type Curve = {
  d: string;
  /** A point of it, 0 at its start and 1 at its end. */
  at: (t: number) => Point;
  /** The piece between two of its points. */
  piece: (from: number, to: number) => Cubic;
  /** How far its ends are apart. */
  span: number;
  cubic: Cubic;
};

const between = (p: Point, q: Point, t: number): Point => ({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t });
export type Cubic = readonly [Point, Point, Point, Point];

/** The two halves of a curve, divided at t. */
function divide([p, c1, c2, q]: Cubic, t: number): [Cubic, Cubic] {
  const a = between(p, c1, t), m = between(c1, c2, t), z = between(c2, q, t), am = between(a, m, t), mz = between(m, z, t), mid = between(am, mz, t);
  return [[p, a, am, mid], [mid, mz, z, q]];
}

export const path = ([p, c1, c2, q]: Cubic) => `M${p.x} ${p.y}C${c1.x} ${c1.y} ${c2.x} ${c2.y} ${q.x} ${q.y}`;

/** A calm curve between two boxes. `shift` keeps parallel lines apart. */
export function curve(a: Box, b: Box, shift = 0, bend = 36): Curve {
  const [s, e] = sides(a, b);
  const p = anchor(a, s, shift), q = anchor(b, e, shift), span = Math.hypot(q.x - p.x, q.y - p.y);
  const k = Math.min(bend, span / 2);
  const c1 = { x: p.x + out[s].x * k, y: p.y + out[s].y * k }, c2 = { x: q.x + out[e].x * k, y: q.y + out[e].y * k };
  const cubic: Cubic = [p, c1, c2, q];
  return {
    cubic, span,
    get d() { return path(cubic); },
    at: (t) => {
      const u = 1 - t, [a0, a1, a2, a3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      return { x: a0 * p.x + a1 * c1.x + a2 * c2.x + a3 * q.x, y: a0 * p.y + a1 * c1.y + a2 * c2.y + a3 * q.y };
    },
    piece: (from, to) => divide(divide(cubic, to)[0], to ? from / to : 0)[1],
  };
}

/** A short piece of a long line: `before` is how long the line is up to there, for its dashes. */
export type Piece = { n: number; cubic: Cubic; before: number; first: boolean; last: boolean };
/** How long a piece is, in units. */
const stride = 256;

/** A box that a curve does not leave. */
export function hull(points: Cubic): Box {
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y), x = Math.min(...xs), y = Math.min(...ys);
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/** Whether a curve is a straight line to the eye. */
export function straight([p, c1, c2, q]: Cubic): boolean {
  const dx = q.x - p.x, dy = q.y - p.y, l = Math.hypot(dx, dy) || 1, off = (c: Point) => Math.abs((c.x - p.x) * dy - (c.y - p.y) * dx) / l;
  return off(c1) < flat && off(c2) < flat;
}
const flat = 0.25;

/** The pieces of a curve that come within a margin of a part of the drawing. */
export function piecesIn(c: Curve, view: Box, margin = stride): Piece[] {
  const many = Math.max(1, Math.ceil(c.span / stride)), pieces: Piece[] = [];
  let before = 0, p = c.at(0);
  for (let n = 0; n < many; n++) {
    const q = c.at((n + 1) / many);
    if (Math.max(p.x, q.x) >= view.x - margin && Math.min(p.x, q.x) <= view.x + view.w + margin && Math.max(p.y, q.y) >= view.y - margin && Math.min(p.y, q.y) <= view.y + view.h + margin) {
      pieces.push({ n, cubic: c.piece(n / many, (n + 1) / many), before, first: n === 0, last: n === many - 1 });
    }
    before += Math.hypot(q.x - p.x, q.y - p.y);
    p = q;
  }
  return pieces;
}

const cell = 256;

/** Answers whether a point lies on, or close to, one of many boxes. */
export function crowd(boxes: readonly Box[], margin = 12): (p: Point) => boolean {
  const cells = new Map<string, Box[]>();
  const key = (x: number, y: number) => `${x} ${y}`;
  for (const b of boxes) {
    for (let x = Math.floor((b.x - margin) / cell); x <= Math.floor((b.x + b.w + margin) / cell); x++) {
      for (let y = Math.floor((b.y - margin) / cell); y <= Math.floor((b.y + b.h + margin) / cell); y++) {
        const had = cells.get(key(x, y));
        if (had) had.push(b); else cells.set(key(x, y), [b]);
      }
    }
  }
  return (p) => !!cells.get(key(Math.floor(p.x / cell), Math.floor(p.y / cell)))?.some((b) => p.x > b.x - margin && p.x < b.x + b.w + margin && p.y > b.y - margin && p.y < b.y + b.h + margin);
}

const spots = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.45, 0.55, 0.35, 0.65, 0.25, 0.75];
/** Where on a curve its mark and label are best read: near the middle, but not upon a node. None, where nodes are all along it. */
export const freeSpot = (c: Curve, taken: (p: Point) => boolean): number | undefined => spots.find((t) => !taken(c.at(t)));
