import type { Box } from "../topology";
import { curve, hull } from "./geometry";
import { boxOf, byId, stout, samePlace, sameStroke } from "./nearLines";
import type { FlowEdge, FlowNode } from "./flowPicture";

// Most edits change very little of how a large team looks, so only that part is redrawn.

export type Lines = { nodes: readonly FlowNode[]; edges: readonly FlowEdge[] };

class Part {
  private box: Box | undefined;
  add(...boxes: readonly Box[]): void {
    for (const b of boxes) {
      const a = this.box ?? b,
        x = Math.min(a.x, b.x),
        y = Math.min(a.y, b.y);
      this.box = { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
    }
  }
  /** With how stout lines are, and what stands on them. */
  get whole(): Box | undefined {
    const b = this.box;
    return b && { x: b.x - stout, y: b.y - stout, w: b.w + 2 * stout, h: b.h + 2 * stout };
  }
}

/** The ids of nodes that stand elsewhere, came or went. Frames are drawn themselves, so they are part of what changed. */
function movedNodes(was: ReadonlyMap<string, FlowNode>, now: ReadonlyMap<string, FlowNode>, part: Part): Set<string> {
  const moved = new Set<string>();
  const see = (id: string, a: FlowNode | undefined, b: FlowNode | undefined) => {
    if (a === b || (a && b && samePlace(a, b))) return;
    moved.add(id);
    for (const n of [a, b]) if (n?.type === "frame") part.add(boxOf(n));
  };
  for (const [id, n] of now) see(id, was.get(id), n);
  for (const [id, n] of was) if (!now.has(id)) see(id, n, undefined);
  return moved;
}

/** The part of the drawing in which two pictures of lines may differ, if they do. */
export function changedPart(was: Lines, now: Lines): Box | undefined {
  const part = new Part(),
    from = byId(was.nodes),
    to = byId(now.nodes),
    moved = movedNodes(from, to, part);
  const put = (e: FlowEdge | undefined, at: ReadonlyMap<string, FlowNode>) => {
    const a = e && at.get(e.source),
      b = e && at.get(e.target);
    if (a && b) part.add(...curve(boxOf(a), boxOf(b), e.data?.shift, e.data?.way).cubics.map(hull));
  };
  if (was.edges === now.edges) {
    for (const e of now.edges)
      if (moved.has(e.source) || moved.has(e.target)) {
        put(e, from);
        put(e, to);
      }
    return part.whole;
  }
  const had = new Map(was.edges.map((e) => [e.id, e]));
  for (const e of now.edges) {
    const old = had.get(e.id);
    had.delete(e.id);
    if (old && (old === e || sameStroke(old, e)) && !moved.has(e.source) && !moved.has(e.target)) continue;
    put(old, from);
    put(e, to);
  }
  for (const e of had.values()) put(e, from);
  return part.whole;
}
