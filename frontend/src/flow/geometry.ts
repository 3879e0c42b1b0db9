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

export type Cubic = readonly [Point, Point, Point, Point];

/**
 * How a line goes that would run through cards otherwise: the sides it leaves and enters by, and the points where it passes
 * upright between cards. It counts only while both boxes are where they were when it was looked for. Without them it
 * always counts.
 */
export type Way = { a?: Point; b?: Point; sides: readonly [Side, Side]; via: readonly Point[] };

export type Curve = {
  d: string;
  /** A point of it, 0 at its start and 1 at its end. */
  at: (t: number) => Point;
  /** How far its ends are apart; of a line with bends, along them. */
  span: number;
  /** One, but for a line with bends. */
  cubics: readonly Cubic[];
};

const between = (p: Point, q: Point, t: number): Point => ({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t });
const apart = (p: Point, q: Point) => Math.hypot(q.x - p.x, q.y - p.y);
const same = (p: Point | undefined, q: Point) => !p || (p.x === q.x && p.y === q.y);

/** The two halves of a curve, divided at t. */
function divide([p, c1, c2, q]: Cubic, t: number): [Cubic, Cubic] {
  const a = between(p, c1, t),
    m = between(c1, c2, t),
    z = between(c2, q, t),
    am = between(a, m, t),
    mz = between(m, z, t),
    mid = between(am, mz, t);
  return [
    [p, a, am, mid],
    [mid, mz, z, q],
  ];
}
/** The piece between two points of a curve. */
const pieceOf = (c: Cubic, from: number, to: number): Cubic => divide(divide(c, to)[0], to ? from / to : 0)[1];

export const path = ([p, c1, c2, q]: Cubic) => `M${p.x} ${p.y}C${c1.x} ${c1.y} ${c2.x} ${c2.y} ${q.x} ${q.y}`;

/** A point of a curve, 0 at its start and 1 at its end. */
export function on([p, c1, c2, q]: Cubic, t: number): Point {
  const u = 1 - t,
    [a0, a1, a2, a3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return { x: a0 * p.x + a1 * c1.x + a2 * c2.x + a3 * q.x, y: a0 * p.y + a1 * c1.y + a2 * c2.y + a3 * q.y };
}

const bend = 36;
/** How far from the middle of a card an arc to a card of the same row begins. */
const aside = 44;
/** Where both boxes are still those that a way was looked for between. */
const held = (way: Way | undefined, a: Box, b: Box) => (way && same(way.a, a) && same(way.b, b) ? way : undefined);

/** The sides of two boxes that a line between them is at. */
export const sidesOf = (a: Box, b: Box, way?: Way): readonly [Side, Side] => held(way, a, b)?.sides ?? sides(a, b);

/** A calm curve between two boxes. `shift` keeps parallel lines apart. */
export function curve(a: Box, b: Box, shift = 0, way?: Way): Curve {
  const [s, e] = sidesOf(a, b, way),
    arc = s === e,
    by = arc ? Math.sign(b.x - a.x) * aside : 0;
  const p = anchor(a, s, shift + by),
    q = anchor(b, e, shift - by),
    stops = [p, ...(held(way, a, b)?.via ?? []), q];
  const lengths: number[] = [],
    cubics = stops.slice(1).map((to, i): Cubic => {
      const from = stops[i] as Point,
        l = apart(from, to);
      lengths.push(l);
      // An arc lies deeper the longer it is, so that one within another does not touch it. Between bends a line stays within its height.
      const k = arc ? Math.min(60, 24 + l / 40) : Math.min(bend, (stops.length > 2 ? Math.abs(to.y - from.y) : l) / 2);
      const o = out[s],
        n = out[e];
      return [from, { x: from.x + o.x * k, y: from.y + o.y * k }, { x: to.x + n.x * k, y: to.y + n.y * k }, to];
    });
  const span = lengths.reduce((sum, l) => sum + l, 0);
  return {
    cubics,
    span,
    get d() {
      return cubics.map(path).join("");
    },
    at: (t) => {
      let i = 0,
        rest = t * span;
      while (i < cubics.length - 1 && rest > (lengths[i] ?? 0)) rest -= lengths[i++] ?? 0;
      return on(cubics[i] as Cubic, cubics.length === 1 ? t : Math.min(1, rest / (lengths[i] || 1)));
    },
  };
}

/** A short piece of a long line: `before` is how long the line is up to there, for its dashes. */
export type Piece = { n: number; cubic: Cubic; before: number; first: boolean; last: boolean };
/** How long a piece is, in units. */
const stride = 256;

/** A box that a curve does not leave. */
export function hull(points: Cubic): Box {
  const xs = points.map((p) => p.x),
    ys = points.map((p) => p.y),
    x = Math.min(...xs),
    y = Math.min(...ys);
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/** Whether a curve is a straight line to the eye. */
export function straight([p, c1, c2, q]: Cubic): boolean {
  const dx = q.x - p.x,
    dy = q.y - p.y,
    l = Math.hypot(dx, dy) || 1,
    off = (c: Point) => Math.abs((c.x - p.x) * dy - (c.y - p.y) * dx) / l;
  return off(c1) < flat && off(c2) < flat;
}
const flat = 0.25;

/** The pieces of a curve that come within a margin of a part of the drawing. */
export function piecesIn(c: Curve, view: Box, margin = stride): Piece[] {
  const pieces: Piece[] = [],
    last = c.cubics.length - 1;
  let before = 0,
    n = 0;
  for (const [i, cubic] of c.cubics.entries()) {
    const many = Math.max(1, Math.ceil(apart(cubic[0], cubic[3]) / stride));
    let p = cubic[0];
    for (let k = 0; k < many; k++, n++) {
      const q = on(cubic, (k + 1) / many);
      if (
        Math.max(p.x, q.x) >= view.x - margin &&
        Math.min(p.x, q.x) <= view.x + view.w + margin &&
        Math.max(p.y, q.y) >= view.y - margin &&
        Math.min(p.y, q.y) <= view.y + view.h + margin
      ) {
        pieces.push({
          n,
          cubic: pieceOf(cubic, k / many, (k + 1) / many),
          before,
          first: n === 0,
          last: i === last && k === many - 1,
        });
      }
      before += apart(p, q);
      p = q;
    }
  }
  return pieces;
}

/** A short curve as its pieces: one, but for a line with bends. */
export function wholeOf({ cubics }: Curve): Piece[] {
  let before = 0;
  return cubics.map((cubic, n) => {
    const piece = { n, cubic, before, first: n === 0, last: n === cubics.length - 1 };
    before += apart(cubic[0], cubic[3]);
    return piece;
  });
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
        if (had) had.push(b);
        else cells.set(key(x, y), [b]);
      }
    }
  }
  return (p) =>
    !!cells
      .get(key(Math.floor(p.x / cell), Math.floor(p.y / cell)))
      ?.some((b) => p.x > b.x - margin && p.x < b.x + b.w + margin && p.y > b.y - margin && p.y < b.y + b.h + margin);
}

const spots = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.45, 0.55, 0.35, 0.65, 0.25, 0.75];
/** Where on a curve its mark and label are best read: near the middle, but not upon a node. None, where nodes are all along it. */
export const freeSpot = (c: Curve, taken: (p: Point) => boolean): number | undefined =>
  spots.find((t) => !taken(c.at(t)));
