import { Position, type Edge, type Node } from "@xyflow/react";
import {
  allConnections,
  connectionKey,
  displayName,
  drawnKind,
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
  type Box,
  type Chosen,
  type DrawnKind,
  type Faces,
  type Line,
  type Mark,
  type Marks,
  type Note,
  type Point,
  type Problem,
  type Topology,
} from "../topology";
import {
  framesFor,
  groupNodeId,
  groupNodes,
  nodeBox,
  sameGroup,
  shownAs,
  type FoldedFlowNode,
  type Frames,
  type GroupFlowNode,
} from "./frames";
import { crowd, curve, freeSpot, sidesOf, type Way } from "./geometry";
import { disturbed } from "./spots";
import { endsOf, type Spoken, type SpokenLine } from "./spoken";
import { goAround, sameWay, wayAround } from "./ways";

/** The line below an agent's name: how it is, or what changed. None says neither: a version of the past or a draft in review is at no work. */
export type Foot = { status: "idle" | "failed" | "none"; text: string };
export type AgentData = {
  agent: Agent;
  name: string;
  model: string;
  initials: string;
  colour: number;
  mark?: Mark;
  fill?: boolean;
  foot: Foot;
  path?: boolean;
  dim?: boolean;
  locked?: boolean;
  /** What the spoken name follows from, beside the agent. */ said: string;
};
export type NoteData = { note: Note; mark?: Mark };
export type AgentFlowNode = Node<AgentData, "agent">;
export type NoteFlowNode = Node<NoteData, "note">;
export type FlowNode = AgentFlowNode | NoteFlowNode | GroupFlowNode | FoldedFlowNode;
export type LineData = {
  kind: DrawnKind;
  label?: string;
  mark?: Mark;
  shift: number;
  path?: boolean;
  dim?: boolean;
  /** Where mark and label stand on the line, 0 to 1. */
  spot: number;
  /** Around the cards of others, where it would run through one. */
  way?: Way;
  /** Whether place and way were looked for. */
  seated?: boolean;
  /** Nodes are all along the line, so that what stands on it stands upon one of them. */
  crossing?: boolean;
  /** So many connections are drawn as this one, because an end of each is folded away. */
  count?: number;
  /** What the spoken name follows from, beside the kind. */
  said: string;
};
export type FlowEdge = Edge<LineData, "connection">;

export const noteNodeId = (id: string) => `note:${id}`;

/** The words a drawing needs; given from outside so that nodes hold no hooks. */
export type Words = {
  idle: string;
  added: string;
  removed: string;
  moved: string;
  was: (value: string) => string;
  changed: (fields: string[]) => string;
  problem: (p: Problem) => string;
  spoken: (a: Spoken) => string;
  line: (l: SpokenLine) => string;
  note: (text: string) => string;
  kind: string;
  noteKind: string;
  groupKind: string;
  lineKind: string;
};

export type Picture = {
  topology: Topology;
  marks: Marks;
  faces: Faces;
  chosen: Chosen;
  problems?: readonly Problem[];
  highlight?: readonly string[];
  /** Agents and connections that stand back. */
  dim?: (thing: { agent?: string; connection?: string }) => boolean;
  /** Review, history and merge: marks tint the whole node, and layout moves are marked too. */
  review?: boolean;
  words: Words;
};

/** Objects of the last drawing, and the sizes the page measured (notes grow with their text). */
export type FlowCache = {
  nodes: Map<string, FlowNode>;
  edges: Map<string, FlowEdge>;
  sizes: Map<string, { width: number; height: number }>;
  /** What was returned last, and for what lines. */
  nodeList: FlowNode[];
  edgeList: FlowEdge[];
  picture?: Picture;
  lines?: Picture;
};
export const newCache = (): FlowCache => ({
  nodes: new Map(),
  edges: new Map(),
  sizes: new Map(),
  nodeList: [],
  edgeList: [],
});

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
  const only = was.length === 1 ? was[0] : undefined;
  if (only && typeof only[1] === "string" && only[1] && only[1].length < 60)
    return { status: "idle", text: w.was(only[0] === "model" ? shortModel(only[1]) : only[1]) };
  if (was.length) return { status: "idle", text: w.changed(was.map(([f]) => f)) };
  if (mark?.mark === "mov" && p.review) return { status: "idle", text: w.moved };
  return p.review ? { status: "none", text: role ?? "" } : { status: "idle", text: w.idle };
}

const sameLine = (a: LineData, b: LineData) =>
  a.kind === b.kind &&
  a.label === b.label &&
  a.mark === b.mark &&
  a.shift === b.shift &&
  a.path === b.path &&
  a.dim === b.dim &&
  a.spot === b.spot &&
  a.way === b.way &&
  a.crossing === b.crossing &&
  a.count === b.count &&
  a.said === b.said;

/** The list of the last drawing where nothing in it is new, so that React Flow leaves all of it alone. */
const sameList = <T>(had: T[], made: T[]): T[] =>
  had.length === made.length && made.every((x, i) => x === had[i]) ? had : made;

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
      a.colour === b.colour &&
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

/** Whether two pictures say the same beside the drawing, in which groups and notes are the same. */
function alike(a: Picture | undefined, b: Picture): a is Picture {
  return (
    !!a &&
    a.marks === b.marks &&
    a.chosen === b.chosen &&
    a.problems === b.problems &&
    a.highlight === b.highlight &&
    a.dim === b.dim &&
    a.review === b.review &&
    a.words === b.words &&
    a.topology.groups === b.topology.groups &&
    a.topology.notes === b.topology.notes
  );
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
  return x.initials === y.initials && x.colour === y.colour;
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

/** Whether two pictures differ in nothing but where agents stand, and no frame is around any. */
export const shifted = (a: Picture | undefined, b: Picture): a is Picture =>
  alike(a, b) && a.faces === b.faces && a.topology.agents === b.topology.agents && !b.topology.groups?.length;

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

/** A line of the picture: one connection, or several that go the same way because an end of each is folded away. */
type Drawn = { id: string; source: string; target: string; of: Line[]; whole: boolean };

function bundled(lines: readonly Line[], shown: (id: string) => string): Drawn[] {
  const drawn = new Map<string, Drawn>();
  for (const c of lines) {
    const source = shown(c.from),
      target = shown(c.to),
      whole = source === c.from && target === c.to;
    if (source === target) continue;
    const key = whole ? connectionKey(c) : `bundle:${drawnKind(c.kind)}:${source}:${target}`;
    const had = drawn.get(key);
    if (had && !whole) had.of.push(c);
    else drawn.set(key, { id: key, source, target, of: [c], whole });
  }
  return [...drawn.values()];
}

/** What a line's ends are called: agents, and groups that are folded. */
function namesOf({ topology: t, words }: Picture): Map<string, string> {
  return new Map([
    ...t.agents.map((a) => [a.id, displayName(a)] as const),
    ...(t.groups ?? []).map((g) => [groupNodeId(g.id), g.name || words.groupKind] as const),
  ]);
}

/** The mark of several: what all have, or that something changed. */
const markOfAll = (marks: (Mark | undefined)[]): Mark | undefined =>
  marks.every((m) => m === marks[0]) ? marks[0] : "chg";

/** Whether everything stands in two pictures where it stood. */
const samePlaces = (a: Picture, b: Picture) =>
  a.topology.layout === b.topology.layout &&
  a.topology.groups === b.topology.groups &&
  a.review === b.review &&
  a.topology.agents.length === b.topology.agents.length;

/** Who is called differently in two pictures that have the same lines for sure: between them, something was written at most. */
export function renamed(a: Picture, b: Picture): Set<string> | undefined {
  const same =
    samePlaces(a, b) &&
    a.marks === b.marks &&
    a.dim === b.dim &&
    a.highlight === b.highlight &&
    a.words === b.words &&
    (a.chosen === b.chosen || (a.chosen.connections.length === 0 && b.chosen.connections.length === 0));
  if (!same) return undefined;
  const ids = new Set<string>();
  for (let i = 0; i < b.topology.agents.length; i++) {
    const x = a.topology.agents[i],
      y = b.topology.agents[i];
    if (x === y) continue;
    if (!x || !y || x.id !== y.id || x.connections !== y.connections) return undefined;
    if (x.name !== y.name) ids.add(y.id);
  }
  return ids;
}

/** The lines after some of their ends were renamed: what is said of them is new, and nothing else. */
function respoken(p: Picture, ids: ReadonlySet<string>, cache: FlowCache): FlowEdge[] {
  if (!ids.size) return cache.edgeList;
  const names = namesOf(p);
  return cache.edgeList.map((e) => {
    if (!e.data || (!ids.has(e.source) && !ids.has(e.target))) return e;
    const from = names.get(e.source) ?? e.source,
      to = names.get(e.target) ?? e.target,
      { kind, label, count } = e.data;
    const made: FlowEdge = {
      ...e,
      data: { ...e.data, said: `${p.words.lineKind} ${from} ${to}` },
      ariaLabel: p.words.line({ kind, from, to, label, count }),
    };
    cache.edges.set(e.id, made);
    return made;
  });
}

type Seat = Pick<LineData, "spot" | "way" | "crossing">;
/** Where nothing stands on a line. */
const still: Seat = { spot: 0.5 };
type Joined = { source: string; target: string };

/** Which way a line goes among the cards of others, and where its mark and label find room. */
function seats(
  p: Picture,
  frames: Frames,
  around: boolean,
): (c: Joined, shift: number, shown: boolean, had?: LineData) => Seat {
  const boxes = new Map<string, Box>(),
    box = (id: string): Box => boxes.get(id) ?? nodeBox(p.topology, frames, id);
  for (const a of p.topology.agents) {
    const id = shownAs(frames, a.id);
    if (!boxes.has(id)) boxes.set(id, nodeBox(p.topology, frames, id));
  }
  const cards = [...boxes.values()].sort((a, b) => a.y - b.y);
  let taken: ((at: Point) => boolean) | undefined;
  return (c, shift, shown, had) => {
    const a = box(c.source),
      b = box(c.target),
      found = around ? wayAround(a, b, shift, cards) : undefined,
      way = sameWay(had?.way, found) ? had?.way : found;
    if (!shown) return { ...still, way };
    const spot = freeSpot(curve(a, b, shift, way), (taken ??= crowd(cards)));
    return spot === undefined ? { spot: 0.5, way, crossing: true } : { spot, way };
  };
}

/** The lines after agents were moved: some may have to go another way, what stands on them elsewhere, and nothing else is new. */
function reseated(p: Picture, anew: (a: Box, b: Box) => boolean, cache: FlowCache): FlowEdge[] {
  const frames = framesFor(p.topology, p.review, p.marks),
    around = goAround(p.topology.agents.length, cache.edgeList.length);
  const place = seats(p, frames, around),
    box = (id: string) => nodeBox(p.topology, frames, id);
  return cache.edgeList.map((e) => {
    if (!e.data || (!e.data.seated && !e.selected)) return e;
    const a = box(e.source),
      b = box(e.target),
      had = e.data,
      at: Seat =
        had.seated && (around || anew(a, b)) ? place(e, had.shift, !!(had.mark || had.label || had.count), had) : had;
    const [sourceHandle, targetHandle] = e.selected ? sidesOf(a, b, at.way) : [e.sourceHandle, e.targetHandle];
    if (
      at.spot === had.spot &&
      at.way === had.way &&
      at.crossing === had.crossing &&
      sourceHandle === e.sourceHandle &&
      targetHandle === e.targetHandle
    )
      return e;
    const made: FlowEdge = {
      ...e,
      sourceHandle,
      targetHandle,
      data: { ...had, spot: at.spot, way: at.way, crossing: at.crossing },
    };
    cache.edges.set(e.id, made);
    return made;
  });
}

export function toEdges(p: Picture, cache: FlowCache): FlowEdge[] {
  const called = cache.lines && renamed(cache.lines, p);
  if (called) {
    cache.lines = p;
    return (cache.edgeList = respoken(p, called, cache));
  }
  const was = cache.lines,
    anew = disturbed(was?.topology, p.topology);
  cache.lines = p;
  if (shifted(was, p)) return (cache.edgeList = sameList(cache.edgeList, reseated(p, anew, cache)));
  const chosen = new Set(p.chosen.connections),
    there = new Set(p.topology.agents.map((a) => a.id));
  const between = new Map<string, number>();
  const frames = framesFor(p.topology, p.review, p.marks);
  const all = bundled(
    allConnections(p.topology).filter((c) => there.has(c.to) && c.from !== c.to),
    (id) => shownAs(frames, id),
  );
  const pair = (c: { source: string; target: string }) =>
    c.source < c.target ? `${c.source}\n${c.target}` : `${c.target}\n${c.source}`;
  for (const c of all) between.set(pair(c), (between.get(pair(c)) ?? 0) + 1);
  const used = new Map<string, number>(),
    names = namesOf(p);
  const path = p.highlight ?? [];
  const onPath = (c: { from: string; to: string }) =>
    path.some((id, i) => id === c.from && path[(i + 1) % path.length] === c.to);
  const box = (id: string) => nodeBox(p.topology, frames, id),
    around = goAround(p.topology.agents.length, all.length),
    place = seats(p, frames, around);
  const list = all.map((c) => {
    const n = between.get(pair(c)) ?? 1,
      i = used.get(pair(c)) ?? 0;
    used.set(pair(c), i + 1);
    const { id, of } = c,
      mark = markOfAll(of.map((x) => p.marks.connections.get(connectionKey(x)))),
      shift = (i - (n - 1) / 2) * 16;
    const label = c.whole ? of[0]?.label : undefined,
      count = of.length > 1 ? of.length : undefined;
    const kind = drawnKind(of[0]?.kind ?? ""),
      from = names.get(c.source) ?? c.source,
      to = names.get(c.target) ?? c.target;
    const had = cache.edges.get(id),
      shown = !!(mark || label || count),
      seated = around || shown;
    const a = box(c.source),
      b = box(c.target);
    const at: Seat = !seated
      ? still
      : !around && had?.data?.seated && !had.data.way && had.data.shift === shift && !anew(a, b)
        ? had.data
        : place(c, shift, shown, had?.data);
    const made: FlowEdge = {
      id,
      type: "connection",
      source: c.source,
      target: c.target,
      selected: chosen.has(id),
      reconnectable: chosen.has(id),
      selectable: c.whole ? undefined : false,
      data: {
        kind,
        label,
        count,
        mark,
        shift,
        spot: at.spot,
        way: at.way,
        crossing: at.crossing,
        seated,
        path: of.some(onPath) || undefined,
        dim: of.every((x) => p.dim?.({ connection: connectionKey(x) })) || undefined,
        said: `${p.words.lineKind} ${from} ${to}`,
      },
    };
    if (made.selected) [made.sourceHandle, made.targetHandle] = sidesOf(a, b, at.way);
    if (
      had &&
      had.source === made.source &&
      had.target === made.target &&
      had.sourceHandle === made.sourceHandle &&
      had.targetHandle === made.targetHandle &&
      had.selected === made.selected &&
      had.data &&
      made.data &&
      sameLine(had.data, made.data)
    )
      return had;
    made.ariaLabel =
      had?.data &&
      had.data.said === made.data?.said &&
      had.data.kind === kind &&
      had.data.label === label &&
      had.data.count === count
        ? had.ariaLabel
        : p.words.line({ kind, from, to, label, count });
    made.domAttributes = { "aria-roledescription": p.words.lineKind };
    return made;
  });
  cache.edges = new Map(list.map((e) => [e.id, e]));
  return (cache.edgeList = sameList(cache.edgeList, list));
}
