import { groupOfNode, type FlowNode } from "@/flow";
import {
  findGroup,
  frameAt,
  groupOf,
  insideOf,
  nestGroup,
  NODE_H,
  NODE_W,
  putInto,
  type AgentID,
  type Box,
  type Point,
  type Topology,
} from "@/topology";

/** Where nodes stand while they are dragged, by node id. */
export type Moved = ReadonlyMap<string, Point>;

/** Adds the nodes that move along with the dragged ones: everything inside a dragged frame. */
export function withInside(t: Topology, still: readonly FlowNode[], moved: Moved): Moved {
  const all = new Map(moved),
    at = new Map(still.map((n) => [n.id, n.position]));
  for (const [node, to] of moved) {
    const group = groupOfNode(node),
      from = at.get(node);
    if (group === undefined || !from) continue;
    const carry = (id: string, p: Point | undefined) => {
      if (p && !moved.has(id)) all.set(id, { x: p.x + to.x - from.x, y: p.y + to.y - from.y });
    };
    for (const id of insideOf(t, group)) carry(id, at.get(id) ?? t.layout?.[id]);
    for (const g of t.groups ?? []) if (g.parent === group) carry(`group:${g.id}`, at.get(`group:${g.id}`));
  }
  return all;
}

/** Who would go into which group, or out of any, if what is dragged were dropped here. */
export type Landing = { agents: Map<AgentID, string | undefined>; groups: Map<string, string | undefined> };

const middle = (p: Point, w: number, h: number): Point => ({ x: p.x + w / 2, y: p.y + h / 2 });

/** Looks at the frames as they were when the drag began. Who is carried by a frame stays in it. */
export function landing(t: Topology, frames: ReadonlyMap<string, Box>, moved: Moved): Landing {
  const out: Landing = { agents: new Map(), groups: new Map() };
  const dragged = new Set([...moved.keys()].flatMap((n) => groupOfNode(n) ?? []));
  const carried = new Set([...dragged].flatMap((g) => insideOf(t, g)));
  const but = new Set([
    ...dragged,
    ...(t.groups ?? []).filter((g) => g.parent && dragged.has(g.parent)).map((g) => g.id),
  ]);
  for (const [node, p] of moved) {
    const group = findGroup(t, groupOfNode(node));
    if (group) {
      const f = frames.get(group.id),
        into = f && frameAt(t, frames, middle(p, group.collapsed ? NODE_W : f.w, group.collapsed ? NODE_H : f.h), but);
      if (f && into !== group.parent && !(group.parent && dragged.has(group.parent))) out.groups.set(group.id, into);
    } else if (!node.includes(":") && !carried.has(node)) {
      const into = frameAt(t, frames, middle(p, NODE_W, NODE_H), but),
        now = groupOf(t, node)?.id;
      if (into !== now) out.agents.set(node, into);
    }
  }
  return out;
}

/** Applies a landing. Groups that would nest too deeply stay in their group, and `refused` is set. */
export function land(t: Topology, l: Landing): { topology: Topology; refused: boolean } {
  let next = t,
    refused = false;
  const byGroup = new Map<string | undefined, AgentID[]>();
  for (const [agent, into] of l.agents) byGroup.set(into, [...(byGroup.get(into) ?? []), agent]);
  for (const [into, agents] of byGroup) next = putInto(next, agents, into);
  for (const [id, into] of l.groups) {
    const got = nestGroup(next, id, into);
    if (got === "deep") refused = true;
    else if (typeof got !== "string") next = got;
  }
  return { topology: next, refused };
}
