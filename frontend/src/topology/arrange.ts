import { bounds, NODE_H, NODE_W, NOTE_W, type Box } from "./box";
import type { Chosen } from "./edit";
import type { AgentID, Note, Point, Topology } from "./types";

/** An agent or a note with the room it takes. */
export type Placed = Box & { id: string; what: "agent" | "note" };
/** How high a note is drawn; it grows with its text, so only the page knows. */
export type NoteHeight = (n: Note) => number;

export const ALIGNMENTS = ["left", "centre", "right", "top", "middle", "bottom"] as const;
export type Alignment = (typeof ALIGNMENTS)[number];
export const AXES = ["x", "y"] as const;
export type Axis = (typeof AXES)[number];
const sizeOf = { x: "w", y: "h" } as const;

/** What of the drawing takes room: all of it, or what is chosen. */
export function placed(t: Topology, noteHeight: NoteHeight, only?: Pick<Chosen, "agents" | "notes">): Placed[] {
  const agents = only && new Set(only.agents),
    notes = only && new Set(only.notes);
  return [
    ...t.agents.flatMap((a): Placed[] => {
      const p = t.layout?.[a.id];
      return p && (!agents || agents.has(a.id)) ? [{ ...p, w: NODE_W, h: NODE_H, id: a.id, what: "agent" }] : [];
    }),
    ...(t.notes ?? []).flatMap((n): Placed[] =>
      !notes || notes.has(n.id)
        ? [{ x: n.x, y: n.y, w: n.width || NOTE_W, h: noteHeight(n), id: n.id, what: "note" }]
        : [],
    ),
  ];
}

const least = 8,
  stride = 24,
  rings = 40;
const apart = (a: Box, b: Box, gap: number) =>
  a.x >= b.x + b.w + gap || b.x >= a.x + a.w + gap || a.y >= b.y + b.h + gap || b.y >= a.y + a.h + gap;

/** The distance between two agents at which a connection shows its line and arrow beside its mark. */
export const LINE_ROOM = NODE_H;

/** Where something new may go; `wish` is the best. */
export type Room = {
  /** What it must not cover. */
  taken: readonly Box[];
  /** Areas to look in before everywhere else, the best first: a frame, the view. */
  within?: readonly Box[];
  /** What is only in the way inside those areas, as the tools that lie over the view. */
  over?: readonly Box[];
};

/** The place nearest to the wished one where a box covers none of the others. It keeps the distance where it can. */
export function freeSpot({ taken, within = [], over = [] }: Room, wish: Box, distance = least): Point {
  const gaps = [...new Set([distance, least])];
  for (const area of within)
    for (const gap of gaps) {
      const at = nearestIn(area, [...taken, ...over], wish, gap);
      if (at) return at;
    }
  for (const gap of gaps) {
    const at = nearestTo(taken, wish, gap);
    if (at) return at;
  }
  return beside(taken, wish);
}

/** The free place in an area that is nearest to the wished one. In a large area, fewer places are tried. */
function nearestIn(area: Box, taken: readonly Box[], wish: Box, gap: number): Point | undefined {
  const right = area.x + area.w - wish.w,
    bottom = area.y + area.h - wish.h;
  if (right < area.x || bottom < area.y) return undefined;
  const inside = { ...wish, x: clamp(wish.x, area.x, right), y: clamp(wish.y, area.y, bottom) };
  const step = Math.max(stride, Math.ceil(Math.max(area.w, area.h) / rings / 8) * 8);
  return nearestTo(taken, inside, gap, step, (p) => p.x >= area.x && p.x <= right && p.y >= area.y && p.y <= bottom);
}

/** As near as the grid of the canvas allows. */
const clamp = (n: number, from: number, to: number) =>
  n < from ? Math.min(Math.ceil(from / 8) * 8, to) : n > to ? Math.max(Math.floor(to / 8) * 8, from) : n;

function nearestTo(
  taken: readonly Box[],
  wish: Box,
  gap: number,
  step = stride,
  ok: (p: Point) => boolean = () => true,
): Point | undefined {
  const reach = rings * step + gap;
  const close = taken.filter((b) => !apart(wish, b, reach));
  for (let ring = 0; ring <= rings; ring++)
    for (const [dx, dy] of ringOf(ring)) {
      const at = { ...wish, x: wish.x + dx * step, y: wish.y + dy * step };
      if (ok(at) && close.every((b) => apart(at, b, gap))) return { x: at.x, y: at.y };
    }
  return undefined;
}

/** Where everything around is taken: beside all of it. */
function beside(taken: readonly Box[], wish: Box): Point {
  const all = bounds(taken),
    away = (p: Point) => Math.hypot(p.x - wish.x, p.y - wish.y);
  const sides = [
    { x: wish.x, y: all.y - least - wish.h },
    { x: wish.x, y: all.y + all.h + least },
    { x: all.x - least - wish.w, y: wish.y },
    { x: all.x + all.w + least, y: wish.y },
  ];
  return sides.reduce((a, b) => (away(b) < away(a) ? b : a));
}

/** The steps around a place that are so far away, the nearest first. */
function ringOf(ring: number): [number, number][] {
  const all: [number, number][] = [];
  for (let i = -ring; i <= ring; i++)
    for (let j = -ring; j <= ring; j++) if (Math.max(Math.abs(i), Math.abs(j)) === ring) all.push([i, j]);
  return all.sort(([a, b], [c, d]) => a * a + b * b - c * c - d * d);
}

/** Brings one edge, or the middle, of all to one line: that of the rectangle around them. */
export function align(boxes: readonly Placed[], how: Alignment): Placed[] {
  const all = bounds(boxes);
  const at: Record<Alignment, (b: Placed) => Point> = {
    left: (b) => ({ x: all.x, y: b.y }),
    centre: (b) => ({ x: all.x + (all.w - b.w) / 2, y: b.y }),
    right: (b) => ({ x: all.x + all.w - b.w, y: b.y }),
    top: (b) => ({ x: b.x, y: all.y }),
    middle: (b) => ({ x: b.x, y: all.y + (all.h - b.h) / 2 }),
    bottom: (b) => ({ x: b.x, y: all.y + all.h - b.h }),
  };
  return boxes.map((b) => ({ ...b, ...at[how](b) }));
}

/** Makes the gaps along one axis equal; the outermost two stay. Less than three have nothing to share. */
export function distribute(boxes: readonly Placed[], axis: Axis): Placed[] {
  const size = sizeOf[axis];
  if (boxes.length < 3) return [...boxes];
  const order = [...boxes].sort((a, b) => a[axis] + a[size] / 2 - (b[axis] + b[size] / 2));
  const first = order[0] as Placed,
    last = order.at(-1) as Placed;
  const gap = (last[axis] + last[size] - first[axis] - order.reduce((n, b) => n + b[size], 0)) / (order.length - 1);
  let next = first[axis];
  const where = new Map(
    order.map((b) => {
      const here = next;
      next += b[size] + gap;
      return [b, here] as const;
    }),
  );
  return boxes.map((b) => ({ ...b, [axis]: where.get(b) ?? b[axis] }));
}

/** Places as moveItems takes them. */
export function placesOf(boxes: readonly Placed[]): { agents: Record<AgentID, Point>; notes: Record<string, Point> } {
  const of = (what: Placed["what"]) =>
    Object.fromEntries(boxes.filter((b) => b.what === what).map((b) => [b.id, { x: b.x, y: b.y }]));
  return { agents: of("agent"), notes: of("note") };
}
