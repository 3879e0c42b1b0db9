import { FRAME } from "../api/constants";
import { freeSpot, placed, type NoteHeight } from "./arrange";
import { NODE_H, NODE_W, type Box } from "./box";
import { moveItems } from "./edit";
import { findGroup, framesOf, heldOf, insideOf, nestedIn, putInto } from "./groups";
import type { AgentID, Point, Topology } from "./types";

/** Between the members of a group, as *Lay out* has it. */
const gapX = 52,
  gapY = 74;
const meet = (a: Box, b: Box) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const snap = (n: number) => Math.round(n / 8) * 8;

/** Rows of boxes, about as many beside as below each other: their corners, and the size of it all. */
function rowsOf(boxes: readonly Box[]): { corners: Point[]; w: number; h: number } {
  const across = Math.ceil(Math.sqrt(boxes.length)),
    corners: Point[] = [];
  let x = 0,
    y = 0,
    w = 0,
    deep = 0;
  for (const [i, b] of boxes.entries()) {
    if (i && i % across === 0) {
      x = 0;
      y += deep + gapY;
      deep = 0;
    }
    corners.push({ x, y });
    w = Math.max(w, x + b.w);
    deep = Math.max(deep, b.h);
    x += b.w + gapX;
  }
  return { corners, w, h: y + deep };
}

/**
 * Brings the members of a group together where its frame would be around agents that are not in it: a frame says who belongs
 * together, and nothing else. Where somebody inside is locked, all stay.
 */
export function gather(t: Topology, id: string, noteHeight: NoteHeight): Topology {
  const frames = framesOf(t),
    frame = frames.get(id),
    group = findGroup(t, id),
    inside = new Set(insideOf(t, id)),
    held = heldOf(t).agents;
  if (!frame || !group || [...inside].some((a) => held.has(a))) return t;
  const others = placed(t, noteHeight).filter((p) => p.what === "note" || !inside.has(p.id));
  if (!others.some((p) => p.what === "agent" && meet(p, frame))) return t;
  const nested = nestedIn(t, id),
    own = new Set([id, group.parent, ...nested.map((g) => g.id)]);
  const members = (group.members ?? []).flatMap((a): { box: Box; agents: AgentID[] }[] => {
    const p = t.layout?.[a];
    return p ? [{ box: { ...p, w: NODE_W, h: NODE_H }, agents: [a] }] : [];
  });
  const parts = [
    ...members,
    ...nested.flatMap((g) => {
      const box = frames.get(g.id);
      return box ? [{ box, agents: insideOf(t, g.id) }] : [];
    }),
  ].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  const { corners, w, h } = rowsOf(parts.map((p) => p.box)),
    size = { w: w + 2 * FRAME.side, h: h + FRAME.head + FRAME.foot };
  const wish = { x: snap(frame.x + (frame.w - size.w) / 2), y: snap(frame.y + (frame.h - size.h) / 2), ...size };
  const at = freeSpot({ taken: [...others, ...[...frames].flatMap(([g, b]) => (own.has(g) ? [] : [b]))] }, wish);
  const agents: Record<AgentID, Point> = {};
  for (const [i, part] of parts.entries()) {
    const to = corners[i] as Point,
      dx = at.x + FRAME.side + to.x - part.box.x,
      dy = at.y + FRAME.head + to.y - part.box.y;
    for (const a of part.agents) {
      const p = t.layout?.[a];
      if (p) agents[a] = { x: snap(p.x + dx), y: snap(p.y + dy) };
    }
  }
  return moveItems(t, { agents, notes: {} });
}

/** Takes an agent out of its group, and out of the frames that it would still stand in. */
export function takeOut(t: Topology, agent: AgentID, noteHeight: NoteHeight): Topology {
  const out = putInto(t, [agent], undefined),
    frames = [...framesOf(out).values()],
    p = out.layout?.[agent];
  const box = p && { x: p.x, y: p.y, w: NODE_W, h: NODE_H };
  if (!box || p.locked || !frames.some((f) => meet(f, box))) return out;
  return moveItems(out, {
    agents: {
      [agent]: freeSpot({ taken: [...placed(out, noteHeight).filter((o) => o.id !== agent), ...frames] }, box),
    },
    notes: {},
  });
}
