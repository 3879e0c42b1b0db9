import { Position } from "@xyflow/react";
import {
  displayName,
  faceOf,
  LEAST_NOTE,
  mindOf,
  NODE_H,
  NODE_W,
  NOTE_W,
  readingOrder,
  shortModel,
  type Agent,
  type AgentMark,
  type Faces,
  type Note,
  type Point,
  type Problem,
} from "../topology";
import { fileOf } from "../topology/files";
import {
  alike,
  noteNodeId,
  sameList,
  shifted,
  type FlowCache,
  type FlowNode,
  type Foot,
  type Picture,
} from "./flowPicture";
import { framesFor, groupNodes, sameGroup } from "./frames";
import { endsOf } from "./spoken";

// Given, so that lines and connecting work for nodes that were never measured: those out of view, and the far ones.
const handles = (
  [
    ["t", Position.Top, NODE_W / 2, 0],
    ["r", Position.Right, NODE_W, NODE_H / 2],
    ["b", Position.Bottom, NODE_W / 2, NODE_H],
    ["l", Position.Left, 0, NODE_H / 2],
  ] as const
).map(([id, position, x, y]) => ({ id, type: "source" as const, position, x: x - 5, y: y - 5, width: 10, height: 10 }));
const measured = { width: NODE_W, height: NODE_H };

function foot(p: Picture, { role }: Agent, mark: AgentMark | undefined, error: Problem | undefined): Foot {
  const w = p.words;
  if (mark?.mark === "add") return { status: "idle", text: w.added };
  if (mark?.mark === "del") return { status: "idle", text: w.removed };
  if (error && !p.review) return { status: "failed", text: w.problem(error) };
  const was = Object.entries(mark?.was ?? {});
  const [field, before] = (was.length === 1 && was[0]) || [];
  if (field && !fileOf(field) && typeof before === "string" && before && before.length < 60)
    return { status: "idle", text: w.was(field === "model" ? shortModel(before) : before) };
  if (was.length) return { status: "idle", text: w.changed(was.map(([f]) => f)) };
  if (mark?.mark === "mov" && p.review) return { status: "idle", text: w.moved };
  return p.review ? { status: "none", text: role ?? "" } : { status: "idle", text: w.idle };
}

/** Keeps the old node object where nothing about it is new, so that React Flow leaves it alone. */
function reuse(cache: FlowCache, made: FlowNode, spoken: () => string, role: string): FlowNode {
  const had = cache.nodes.get(made.id),
    told = had?.type === made.type && sameData(had.data, made.data);
  if (
    had &&
    told &&
    had.selected === made.selected &&
    had.position.x === made.position.x &&
    had.position.y === made.position.y &&
    had.width === made.width &&
    had.height === made.height &&
    had.draggable === made.draggable &&
    had.zIndex === made.zIndex
  )
    return had;
  made.ariaLabel = told ? had.ariaLabel : spoken(); // who was only moved is called as before
  made.domAttributes = { "aria-roledescription": role };
  cache.nodes.set(made.id, made);
  return made;
}

function sameData(a: FlowNode["data"], b: FlowNode["data"]): boolean {
  if ("agent" in a && "agent" in b) {
    return (
      a.agent === b.agent &&
      a.color === b.color &&
      a.initials === b.initials &&
      a.mark === b.mark &&
      a.fill === b.fill &&
      a.path === b.path &&
      a.dim === b.dim &&
      a.locked === b.locked &&
      a.said === b.said &&
      a.foot.text === b.foot.text &&
      a.foot.status === b.foot.status
    );
  }
  if ("note" in a && "note" in b) return a.note === b.note && a.mark === b.mark;
  return "group" in a && "group" in b && sameGroup(a, b);
}

/** The agents that differ between two pictures of which nothing else does: somebody writes about them. */
function written(a: Picture | undefined, b: Picture): Agent[] | undefined {
  if (!alike(a, b)) return undefined;
  const s = a.topology,
    t = b.topology,
    now = t.agents;
  if (s.layout !== t.layout || s.agents.length !== now.length) return undefined;
  const list: Agent[] = [];
  for (let i = 0; i < now.length; i++) {
    const x = s.agents[i],
      y = now[i];
    if (!x || !y || x.id !== y.id || x.connections !== y.connections) return undefined;
    if (x !== y || !sameFace(a.faces, b.faces, x.id)) list.push(y);
  }
  return list.length <= 20 ? list : undefined;
}

const sameFace = (a: Faces, b: Faces, id: string) => {
  if (a === b) return true;
  const x = faceOf(a, id),
    y = faceOf(b, id);
  return x.initials === y.initials && x.color === y.color;
};

/** The nodes after somebody wrote about a few agents: all others are left alone. */
function rewritten(p: Picture, agents: readonly Agent[], cache: FlowCache): FlowNode[] {
  const anew = new Map(agents.map((a) => [a.id, a])),
    groups = p.topology.groups?.some((g) => g.members?.some((id) => anew.has(id)));
  if (groups) return allNodes(p, cache); // a folded group shows faces
  const ends = endsOf(p.topology.agents);
  return sameList(
    cache.nodeList,
    cache.nodeList.map((n) => {
      const agent = n.type === "agent" ? anew.get(n.id) : undefined;
      if (!agent) return cache.nodes.get(n.id) ?? n; // a note may have been measured since
      return agentNode(
        p,
        agent,
        n.position,
        ends.get(n.id) ?? { out: 0, in: 0 },
        (p.problems ?? []).filter((x) => x.agent === n.id),
        n.draggable,
        cache,
      );
    }),
  );
}

/** The nodes after agents were moved: who stands where he stood is left alone. */
function placedAnew(was: Picture, p: Picture, cache: FlowCache): FlowNode[] {
  const { topology: t } = p,
    from = was.topology.layout,
    to = t.layout,
    byId = new Map(t.agents.map((a) => [a.id, a])),
    ends = endsOf(t.agents);
  const agents = readingOrder(t).map((id, i) => {
    const had = cache.nodes.get(id),
      a = from?.[id],
      b = to?.[id];
    if (had && a && b && a.x === b.x && a.y === b.y && a.locked === b.locked) return had;
    return agentNode(
      p,
      byId.get(id) as Agent,
      b ?? unplaced(i),
      ends.get(id) ?? { out: 0, in: 0 },
      (p.problems ?? []).filter((x) => x.agent === id),
      b?.locked ? false : undefined,
      cache,
    );
  });
  return sameList(cache.nodeList, [
    ...cache.nodeList.flatMap((n) => (n.type === "agent" ? [] : [cache.nodes.get(n.id) ?? n])),
    ...agents,
  ]);
}

export function toNodes(p: Picture, cache: FlowCache): FlowNode[] {
  const was = cache.picture,
    few = written(was, p);
  if (was && was.words !== p.words) cache.nodes.clear(); // names for screen readers are in another language now
  cache.picture = p;
  return (cache.nodeList = few
    ? rewritten(p, few, cache)
    : shifted(was, p)
      ? placedAnew(was, p, cache)
      : allNodes(p, cache));
}

/** Where the agent stands that comes as the so-many-th and was given no place. */
const unplaced = (i: number): Point => ({ x: (i % 5) * 212, y: Math.floor(i / 5) * 120 });

const sets = new WeakMap<readonly string[], Set<string>>();
/** Whether an id is in a list that is asked about every agent. */
function among(list: readonly string[], id: string): boolean {
  let set = sets.get(list);
  if (!set) sets.set(list, (set = new Set(list)));
  return set.has(id);
}

type Ends = { out: number; in: number };
function agentNode(
  p: Picture,
  agent: Agent,
  { x, y }: Point,
  { out, in: into }: Ends,
  problems: readonly Problem[],
  draggable: boolean | undefined,
  cache: FlowCache,
): FlowNode {
  const { id } = agent,
    m = p.marks.agents.get(id),
    mark = m && (p.review || m.mark !== "mov") ? m.mark : undefined;
  const state = foot(
    p,
    agent,
    m,
    problems.findLast((f) => f.severity === "error"),
  );
  return reuse(
    cache,
    {
      id,
      type: "agent",
      position: { x, y },
      width: NODE_W,
      height: NODE_H,
      measured,
      handles,
      selected: among(p.chosen.agents, id),
      draggable,
      data: {
        agent,
        name: displayName(agent),
        model: mindOf(agent),
        ...faceOf(p.faces, id),
        mark,
        fill: p.review,
        foot: state,
        path: (p.highlight && among(p.highlight, id)) || undefined,
        dim: p.dim?.({ agent: id }) || undefined,
        locked: p.topology.layout?.[id]?.locked,
        said: `${out} ${into} ${problems.map((f) => p.words.problem(f)).join()}`,
      },
    },
    () => p.words.spoken({ agent, out, in: into, problems, mark, foot: state.text }),
    p.words.kind,
  );
}

function allNodes(p: Picture, cache: FlowCache): FlowNode[] {
  const { topology: t, marks } = p;
  const notes = new Set(p.chosen.notes),
    ends = endsOf(t.agents),
    faults = new Map<string, Problem[]>();
  for (const x of p.problems ?? [])
    if (x.agent) {
      const had = faults.get(x.agent);
      if (had) had.push(x);
      else faults.set(x.agent, [x]);
    }
  const byId = new Map(t.agents.map((a) => [a.id, a]));

  const frames = framesFor(t, p.review, marks);
  const groups = groupNodes(p, frames, handles).map((n) => reuse(cache, n, () => n.ariaLabel ?? "", p.words.groupKind));
  const agents = readingOrder(t).flatMap((id, i) =>
    frames.folded.has(id)
      ? []
      : [
          agentNode(
            p,
            byId.get(id) as Agent,
            t.layout?.[id] ?? unplaced(i),
            ends.get(id) ?? { out: 0, in: 0 },
            faults.get(id) ?? [],
            frames.held.agents.has(id) ? false : undefined,
            cache,
          ),
        ],
  );
  // A new note is at once as large as it is, so that it can be written in; the others are shown when they were measured.
  const sizeOf = (note: Note) =>
    cache.sizes.get(noteNodeId(note.id)) ??
    (note.text ? undefined : { width: note.width || NOTE_W, height: note.height || LEAST_NOTE.height });
  const papers = (t.notes ?? []).map((note) =>
    reuse(
      cache,
      {
        id: noteNodeId(note.id),
        type: "note",
        position: { x: note.x, y: note.y },
        width: note.width || NOTE_W,
        measured: sizeOf(note),
        draggable: note.locked ? false : undefined,
        selected: notes.has(note.id),
        data: { note, mark: p.review ? marks.items.get(note.id) : undefined },
      },
      () => p.words.note(note.text),
      p.words.noteKind,
    ),
  );
  return sameList(cache.nodeList, [...groups, ...papers, ...agents]);
}
