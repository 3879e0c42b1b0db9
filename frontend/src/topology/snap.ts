import { AXES, type Axis } from "./arrange";
import type { Box } from "./box";

/** A line that things stand on: across `axis` at `at`, from one to the other of what it joins. */
export type Guide = { axis: Axis; at: number; from: number; to: number };
/** A distance along `axis`, of which there are several alike; drawn at `at` of the other axis. */
export type Gap = { axis: Axis; at: number; from: number; to: number };
export type Snap = {
  dx: number;
  dy: number;
  /** Whether an axis was caught. */ caught: Record<Axis, boolean>;
  guides: Guide[];
  gaps: Gap[];
};

const other = { x: "y", y: "x" } as const,
  size = { x: "w", y: "h" } as const;
const end = (b: Box, a: Axis) => b[a] + b[size[a]];
const middle = (b: Box, a: Axis) => b[a] + b[size[a]] / 2;
type Line = { at: number; box: Box };
type Lines = Record<Axis, { edges: Line[]; middles: Line[] }>;

/** Where the first line at or after `at` stands in a sorted list. */
function first(lines: readonly Line[], at: number): number {
  let low = 0,
    high = lines.length;
  while (low < high) {
    const i = (low + high) >> 1;
    if ((lines[i] as Line).at < at) low = i + 1;
    else high = i;
  }
  return low;
}

/** How far the nearest of the lines is from a value, within reach. */
function nearest(lines: readonly Line[], value: number, reach: number): number | undefined {
  let best: number | undefined;
  for (let i = first(lines, value - reach); i < lines.length; i++) {
    const d = (lines[i] as Line).at - value;
    if (d > reach) break;
    if (best === undefined || Math.abs(d) < Math.abs(best)) best = d;
  }
  return best;
}

const least = (ds: (number | undefined)[]) =>
  ds.reduce((a, b) => (b === undefined || (a !== undefined && Math.abs(a) <= Math.abs(b)) ? a : b), undefined);

/** Neighbours along an axis: those that the box could touch if it slid that way, the nearest first. */
function neighbours(boxes: readonly Box[], b: Box, axis: Axis): { before: Box[]; after: Box[] } {
  const o = other[axis],
    mid = middle(b, axis);
  const row = boxes.filter((x) => x[o] < end(b, o) && end(x, o) > b[o]);
  return {
    before: row.filter((x) => end(x, axis) <= mid).sort((p, q) => end(q, axis) - end(p, axis)),
    after: row.filter((x) => x[axis] >= mid).sort((p, q) => p[axis] - q[axis]),
  };
}

/** The positions at which gaps along an axis become equal, and the boxes on both sides of each gap. */
function evenly(boxes: readonly Box[], b: Box, axis: Axis): { to: number; pairs: [Box | null, Box | null][] }[] {
  const {
      before: [p, pp],
      after: [n, nn],
    } = neighbours(boxes, b, axis),
    w = b[size[axis]];
  const out: { to: number; pairs: [Box | null, Box | null][] }[] = [];
  if (p && n)
    out.push({
      to: (end(p, axis) + n[axis] - w) / 2,
      pairs: [
        [p, null],
        [null, n],
      ],
    });
  if (p && pp && p[axis] > end(pp, axis))
    out.push({
      to: end(p, axis) + p[axis] - end(pp, axis),
      pairs: [
        [pp, p],
        [p, null],
      ],
    });
  if (n && nn && nn[axis] > end(n, axis))
    out.push({
      to: n[axis] - (nn[axis] - end(n, axis)) - w,
      pairs: [
        [null, n],
        [n, nn],
      ],
    });
  return out;
}

const close = (a: number, b: number) => Math.abs(a - b) < 0.5;

function guidesOf(lines: Lines, b: Box): Guide[] {
  return AXES.flatMap((axis) => {
    const o = other[axis],
      { edges, middles } = lines[axis];
    return (
      [
        [edges, b[axis]],
        [edges, end(b, axis)],
        [middles, middle(b, axis)],
      ] as const
    ).flatMap(([list, at]): Guide[] => {
      const on: Box[] = [];
      for (let i = first(list, at - 0.5); i < list.length && close((list[i] as Line).at, at); i++)
        on.push((list[i] as Line).box);
      return on.length
        ? [
            {
              axis,
              at,
              from: Math.min(b[o], ...on.map((x) => x[o])),
              to: Math.max(end(b, o), ...on.map((x) => end(x, o))),
            },
          ]
        : [];
    });
  });
}

function gapsOf(boxes: readonly Box[], b: Box): Gap[] {
  return AXES.flatMap((axis) => {
    const o = other[axis];
    const even = evenly(boxes, b, axis).filter((e) => close(e.to, b[axis]));
    const gaps = even.flatMap((e) =>
      e.pairs.map(([p, q]): Gap => {
        const left = p ?? b,
          right = q ?? b;
        return {
          axis,
          from: end(left, axis),
          to: right[axis],
          at: (Math.max(left[o], right[o]) + Math.min(end(left, o), end(right, o))) / 2,
        };
      }),
    );
    return gaps.filter((g, i) => g.to - g.from > 1 && gaps.findIndex((x) => x.from === g.from && x.to === g.to) === i);
  });
}

/**
 * Prepares what a drag may catch on: edges, middles and equal gaps of the boxes that stay. The function it returns says
 * how far the dragged box should be moved to the nearest of them within reach, and what to draw there.
 */
export function snapper(boxes: readonly Box[]): (b: Box, reach: number) => Snap {
  const sorted = (l: Line[]) => l.sort((p, q) => p.at - q.at);
  const of = (axis: Axis) => ({
    edges: sorted(
      boxes.flatMap((box) => [
        { at: box[axis], box },
        { at: end(box, axis), box },
      ]),
    ),
    middles: sorted(boxes.map((box) => ({ at: middle(box, axis), box }))),
  });
  const lines: Lines = { x: of("x"), y: of("y") };
  return (b, reach) => {
    const by = { x: 0, y: 0 },
      caught = { x: false, y: false };
    for (const axis of AXES) {
      const here = { ...b, x: b.x + by.x, y: b.y + by.y },
        { edges, middles } = lines[axis];
      const line = least([
        nearest(middles, middle(here, axis), reach),
        nearest(edges, here[axis], reach),
        nearest(edges, end(here, axis), reach),
      ]);
      const gap = least(
        evenly(boxes, here, axis)
          .map((e) => e.to - here[axis])
          .filter((d) => Math.abs(d) <= reach),
      );
      const d = least([line, gap]);
      if (d === undefined) continue;
      by[axis] = d;
      caught[axis] = true;
    }
    const there = { ...b, x: b.x + by.x, y: b.y + by.y };
    return { dx: by.x, dy: by.y, caught, guides: guidesOf(lines, there), gaps: gapsOf(boxes, there) };
  };
}
