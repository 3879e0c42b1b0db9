import { framesFor, groupNodeId, LANE, nodeBox, shownAs } from "@/flow";
import { noMarks, NODE_H, NODE_W, readingOrder, type AgentID, type Point, type Topology } from "@/topology";
import { useLane } from "./lane";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";
export const directions: Record<Direction, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};
export const isDirection = (key: string): key is Direction => key in directions;

const centre = (t: Topology, id: AgentID): Point => {
  const card = useLane.getState().lane.nodes.find((n) => n.id === id);
  if (card) return { x: card.position.x + LANE.w / 2, y: card.position.y + LANE.h / 2 };
  const p = t.layout?.[id] ?? { x: 0, y: 0 };
  return { x: p.x + NODE_W / 2, y: p.y + NODE_H / 2 };
};

/** The agent one meets first when going that way; what lies off to the side counts as further. */
export function nextInDirection(
  t: Topology,
  from: AgentID,
  key: Direction,
  allowed: ReadonlySet<AgentID>,
): AgentID | undefined {
  const d = directions[key],
    c = centre(t, from);
  let best: AgentID | undefined,
    least = Infinity;
  for (const a of t.agents) {
    if (a.id === from || !allowed.has(a.id)) continue;
    const q = centre(t, a.id);
    const along = (q.x - c.x) * d.x + (q.y - c.y) * d.y,
      across = Math.abs((q.x - c.x) * d.y) + Math.abs((q.y - c.y) * d.x);
    if (along <= 4) continue;
    const cost = along + across * 2;
    if (cost < least) {
      least = cost;
      best = a.id;
    }
  }
  return best;
}

export function nearest(t: Topology, from: AgentID, allowed: ReadonlySet<AgentID>): AgentID | undefined {
  const c = centre(t, from);
  let best: AgentID | undefined,
    least = Infinity;
  for (const a of t.agents) {
    if (a.id === from || !allowed.has(a.id)) continue;
    const q = centre(t, a.id),
      cost = Math.hypot(q.x - c.x, q.y - c.y);
    if (cost < least) {
      least = cost;
      best = a.id;
    }
  }
  return best;
}

/** The nodes in reading order: agents, the frames of groups before who is inside, and folded groups as one. */
export function walkOrder(t: Topology): string[] {
  if (!t.groups?.length) return readingOrder(t);
  const f = framesFor(t, false, noMarks),
    folded = new Set(f.folded.values());
  const shown = [...new Set(t.agents.map((a) => shownAs(f, a.id)))];
  const stands = shown.map((id) => ({ id, ...nodeBox(t, f, id) }));
  for (const [id, b] of f.boxes) {
    const g = t.groups.find((x) => x.id === id);
    if (!folded.has(id) && !(g?.parent && folded.has(g.parent))) stands.push({ id: groupNodeId(id), ...b });
  }
  return stands.sort((p, q) => (Math.abs(p.y - q.y) > NODE_H / 2 ? p.y - q.y : p.x - q.x)).map((s) => s.id);
}
