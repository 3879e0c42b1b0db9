import type { Node } from "@xyflow/react";
import {
  connectionKey,
  faceOf,
  foldedAt,
  foldedInto,
  framesOf,
  heldOf,
  insideOf,
  nestedIn,
  NODE_H,
  NODE_W,
  type AgentID,
  type Box,
  type Chosen,
  type Face,
  type Faces,
  type Group,
  type Held,
  type Mark,
  type Marks,
  type Topology,
} from "../topology";

export type GroupData = {
  group: Group;
  mark?: Mark;
  held: boolean;
  dim?: boolean;
  /** Who is inside, also in the groups inside, and the first of their faces. */
  count: number;
  faces: (Face & { id: AgentID })[];
  /** A folded group in which something is chosen. */
  holds?: boolean;
};
export type GroupFlowNode = Node<GroupData, "frame">;
export type FoldedFlowNode = Node<GroupData, "folded">;

export const groupNodeId = (id: string) => `group:${id}`;
/** The group that a node stands for, if it is one. */
export const groupOfNode = (node: string) => (node.startsWith("group:") ? node.slice(6) : undefined);

const mostFaces = 5;

/** Where groups stand, who is folded away, and what is locked. */
export type Frames = { boxes: ReadonlyMap<string, Box>; folded: ReadonlyMap<AgentID, string>; held: Held };

/** Groups whose folding would hide a change from those who look for changes. */
function withMarks(t: Topology, marks: Marks): Set<string> {
  const marked = new Set(marks.agents.keys());
  if (marks.connections.size)
    for (const a of t.agents)
      for (const c of a.connections ?? [])
        if (marks.connections.has(connectionKey({ from: a.id, kind: c.type, to: c.targetId })))
          marked.add(a.id).add(c.targetId);
  const open = new Set<string>();
  for (const g of t.groups ?? [])
    if (g.members?.some((id) => marked.has(id))) {
      open.add(g.id);
      if (g.parent) open.add(g.parent);
    }
  return open;
}

export function framesFor(t: Topology, review: boolean | undefined, marks: Marks): Frames {
  if (!t.groups?.length) return { boxes: new Map(), folded: new Map(), held: heldOf(t) };
  return { boxes: framesOf(t), folded: foldedInto(t, review ? withMarks(t, marks) : undefined), held: heldOf(t) };
}

/** The node that shows an agent: its own, or the folded group it is in. */
export const shownAs = (f: Frames, id: AgentID) => {
  const g = f.folded.get(id);
  return g === undefined ? id : groupNodeId(g);
};

/** The box of a node: of an agent, or of a folded group. */
export function nodeBox(t: Topology, f: Frames, node: string): Box {
  const group = groupOfNode(node),
    frame = group === undefined ? undefined : f.boxes.get(group);
  const at = frame ? foldedAt(frame) : (t.layout?.[node] ?? { x: 0, y: 0 });
  return { x: at.x, y: at.y, w: NODE_W, h: NODE_H };
}

type About = {
  topology: Topology;
  marks: Marks;
  faces: Faces;
  chosen: Chosen;
  review?: boolean;
  dim?: (thing: { agent?: string }) => boolean;
};

/** The nodes of groups: frames behind everything, the outer ones furthest back, and folded ones as what they hold. */
export function groupNodes(
  { topology: t, marks, faces, chosen, review, dim }: About,
  f: Frames,
  handles: Node["handles"],
): (GroupFlowNode | FoldedFlowNode)[] {
  const picked = new Set(chosen.groups),
    agents = new Set(chosen.agents),
    foldedIds = new Set(f.folded.values());
  return (t.groups ?? []).flatMap((group): (GroupFlowNode | FoldedFlowNode)[] => {
    const frame = f.boxes.get(group.id),
      folded = foldedIds.has(group.id);
    if (!frame || (group.parent && foldedIds.has(group.parent))) return [];
    const inside = insideOf(t, group.id).filter((id) => t.layout?.[id]);
    const data: GroupData = {
      group,
      count: inside.length,
      faces: inside.slice(0, mostFaces).map((id) => ({ id, ...faceOf(faces, id) })),
      held: f.held.groups.has(group.id),
      mark: review ? marks.items.get(group.id) : undefined,
      holds: (folded && inside.some((id) => agents.has(id))) || undefined,
      dim: (dim && inside.length > 0 && inside.every((agent) => dim({ agent }))) || undefined,
    };
    const shared = {
      id: groupNodeId(group.id),
      selected: picked.has(group.id),
      draggable: data.held ? false : undefined,
      data,
      ariaLabel: group.name ?? group.id,
    };
    if (folded)
      return [
        {
          ...shared,
          type: "folded",
          position: foldedAt(frame),
          width: NODE_W,
          height: NODE_H,
          measured: { width: NODE_W, height: NODE_H },
          handles,
          connectable: false,
        },
      ];
    return [
      {
        ...shared,
        type: "frame",
        position: { x: frame.x, y: frame.y },
        width: frame.w,
        height: frame.h,
        measured: { width: frame.w, height: frame.h },
        connectable: false,
        // Only its head takes the pointer, and a box drawn inside chooses who is inside.
        selectable: false,
        zIndex: nestedIn(t, group.id).length || !group.parent ? -2 : -1,
        style: { pointerEvents: "none" },
      },
    ];
  });
}

const sameFaces = (a: GroupData["faces"], b: GroupData["faces"]) =>
  a.length === b.length &&
  a.every((x, i) => x.id === b[i]?.id && x.initials === b[i].initials && x.color === b[i].color);

export const sameGroup = (a: GroupData, b: GroupData) =>
  a.group === b.group &&
  a.mark === b.mark &&
  a.held === b.held &&
  a.dim === b.dim &&
  a.count === b.count &&
  a.holds === b.holds &&
  sameFaces(a.faces, b.faces);
