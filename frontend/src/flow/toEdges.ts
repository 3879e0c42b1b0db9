import {
  allConnections,
  connectionKey,
  displayName,
  drawnKind,
  type Box,
  type Line,
  type Mark,
  type Point,
} from "../topology";
import { sameList, shifted, type FlowCache, type FlowEdge, type LineData, type Picture } from "./flowPicture";
import { framesFor, groupNodeId, nodeBox, shownAs, type Frames } from "./frames";
import { crowd, curve, freeSpot, sidesOf } from "./geometry";
import { disturbed } from "./spots";
import { goAround, sameWay, wayAround } from "./ways";

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

/** The lines after some of their ends were renamed. Only their descriptions change. */
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

/** The lines after agents moved. Only their routes and the spots of their marks change. */
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
