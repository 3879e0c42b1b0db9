import { placed, type NoteHeight } from "./arrange";
import { bounds } from "./box";
import { freeIds, noteId, nothing, type Chosen } from "./edit";
import { AGENT_FIELDS, type AgentField } from "./fields";
import { groupId, groupOf, putInto } from "./groups";
import { withoutSecrets } from "./secrets";
import type { Agent, AgentID, Connection, Group, Note, Point, Tools, Topology } from "./types";

/** A part of a drawing on its own, as it stands on the clipboard: places count from its upper left corner. */
export type Clip = {
  agentflow: "clip";
  version: 1;
  agents: Agent[];
  layout: Record<AgentID, Point>;
  groups?: Group[];
  notes?: Note[];
};
/** A place from which a secret was left out. */
export type LeftOut = { agent?: AgentID; field: string };

const version = 1;
const most = 16_000_000;

/** Groups all of whose agents come along, with the groups they hold. */
function wholeGroups(t: Topology, chosen: ReadonlySet<string>, agents: ReadonlySet<AgentID>): Group[] {
  const all = t.groups ?? [],
    children = (g: Group) => all.filter((x) => x.parent === g.id);
  const held = (g: Group): AgentID[] => [...(g.members ?? []), ...children(g).flatMap(held)];
  const whole = all.filter((g) => chosen.has(g.id) || (held(g).length > 0 && held(g).every((id) => agents.has(id))));
  const ids = new Set(whole.map((g) => g.id));
  return whole.map(({ parent, locked: _, ...g }) => (parent && ids.has(parent) ? { ...g, parent } : g));
}

/** Files without the gateway's text that an edit began from: the person may have removed something from it. */
const contentsOf = (files: NonNullable<Agent["files"]>): Agent["files"] =>
  Object.fromEntries(Object.entries(files).map(([name, { base: _, ...file }]) => [name, file]));

/** What is chosen, with the connections among the agents, and the agents of groups that are chosen. Copies are not locked. */
export function clipOf(t: Topology, c: Chosen, noteHeight: NoteHeight = (n) => n.height ?? 0): Clip {
  const groupIds = new Set(c.groups);
  for (const g of t.groups ?? []) if (g.parent && groupIds.has(g.parent)) groupIds.add(g.id);
  const ids = new Set([
    ...c.agents,
    ...(t.groups ?? []).filter((g) => groupIds.has(g.id)).flatMap((g) => g.members ?? []),
  ]);
  const agents = t.agents
    .filter((a) => ids.has(a.id))
    .map(({ connections, ...whole }) => {
      const a = whole.files ? { ...whole, files: contentsOf(whole.files) } : whole,
        among = connections?.filter((x) => ids.has(x.targetId));
      return among?.length ? { ...a, connections: among } : a;
    });
  const notes = (t.notes ?? []).filter((n) => c.notes.includes(n.id));
  const corner = bounds(placed(t, noteHeight, { agents: [...ids], notes: c.notes }));
  const from = (p: Point): Point => ({ x: Math.round(p.x - corner.x), y: Math.round(p.y - corner.y) });
  const groups = wholeGroups(t, groupIds, ids);
  return {
    agentflow: "clip",
    version,
    agents,
    layout: Object.fromEntries(
      agents.flatMap((a) => {
        const p = t.layout?.[a.id];
        return p ? [[a.id, from(p)]] : [];
      }),
    ),
    ...(groups.length ? { groups } : {}),
    ...(notes.length ? { notes: notes.map(({ locked: _, ...n }) => ({ ...n, ...from(n) })) } : {}),
  };
}

/** The clip as it may leave: without what looks like a secret in clear, and where that stood. */
export function cleanClip(clip: Clip): { clip: Clip; left: LeftOut[] } {
  const left: LeftOut[] = [];
  const clean = <T extends object>(thing: T, agent?: AgentID, at = "") =>
    withoutSecrets(thing, at, (field) => left.push({ agent, field })) as T;
  const agents = clip.agents.map(({ id, connections, ...a }): Agent => ({
    id,
    ...clean(a, id),
    ...(connections
      ? {
          connections: connections.map(({ targetId, ...x }): Connection => ({
            targetId,
            ...clean(x, id, "connections"),
          })),
        }
      : {}),
  }));
  const notes = clip.notes?.map(({ id, ...n }): Note => ({ id, ...clean(n) }));
  const groups = clip.groups?.map(({ id, members, ...g }): Group => ({
    id,
    ...clean(g),
    ...(members ? { members } : {}),
  }));
  return { clip: { ...clip, agents, ...(groups ? { groups } : {}), ...(notes ? { notes } : {}) }, left };
}

export const clipText = (clip: Clip) => `${JSON.stringify(clip, null, 2)}\n`;

export type ClipFault = "foreign" | "newer" | "broken";

/** Reads what was copied, also out of a chat that put words or a fence around it. */
export function readClip(text: string): Clip | ClipFault {
  const from = text.indexOf("{"),
    to = text.lastIndexOf("}");
  if (from < 0 || text.length > most || !/"agentflow"\s*:\s*"clip"/.test(text)) return "foreign";
  let v: unknown;
  try {
    v = JSON.parse(text.slice(from, to + 1));
  } catch {
    return "broken";
  }
  if (!isObject(v) || v.agentflow !== "clip") return "broken";
  if (typeof v.version === "number" && v.version > version) return "newer";
  const agents = list(v.agents, agentFrom),
    notes = list(v.notes, noteFrom),
    groups = list(v.groups, groupFrom);
  if (v.version !== version || !agents || !notes || !groups || !(agents.length + notes.length)) return "broken";
  const said = isObject(v.layout) ? v.layout : {};
  const layout = Object.fromEntries(
    agents.map((a, i): [AgentID, Point] => {
      const p = Object.hasOwn(said, a.id) ? said[a.id] : undefined;
      return [a.id, isObject(p) && isNumber(p.x) && isNumber(p.y) ? { x: p.x, y: p.y } : inRows(i)];
    }),
  );
  return { agentflow: "clip", version, agents, layout, groups, notes };
}

/** Where the agent of that number stands in a clip without places, as in one that a person or a model has written. */
const inRows = (i: number): Point => ({ x: (i % 5) * 212, y: Math.floor(i / 5) * 120 });

/** Puts a clip into a drawing, its upper left corner there; ids are made unique. */
export function pasteClip(
  t: Topology,
  clip: Clip,
  at: Point,
  others: readonly AgentID[] = [],
): { topology: Topology; chosen: Chosen } {
  const ids = freeIds(
    t,
    clip.agents.map((a) => a.id),
    others,
  );
  const there = (p: Point): Point => ({ x: Math.round(at.x + p.x), y: Math.round(at.y + p.y) });
  const agents = clip.agents.map((a): Agent => {
    const connections = a.connections?.flatMap((c): Connection[] => {
      const to = ids.get(c.targetId);
      return to ? [{ ...c, targetId: to }] : [];
    });
    const { connections: _, ...rest } = a;
    return { ...rest, id: ids.get(a.id) ?? a.id, ...(connections?.length ? { connections } : {}) };
  });
  const layout = Object.fromEntries(
    clip.agents.map((a, i) => [ids.get(a.id) ?? a.id, there(clip.layout[a.id] ?? inRows(i))]),
  );
  const taken = new Set((t.groups ?? []).map((g) => g.id));
  const groupIds = new Map((clip.groups ?? []).map((g) => [g.id, taken.has(g.id) ? groupId() : g.id]));
  const groups = (clip.groups ?? []).map((g): Group => {
    const { parent, members, ...rest } = g,
      above = parent === undefined ? undefined : groupIds.get(parent);
    return {
      ...rest,
      id: groupIds.get(g.id) ?? g.id,
      ...(above ? { parent: above } : {}),
      members: (members ?? []).flatMap((m) => ids.get(m) ?? []),
    };
  });
  const known = new Set((t.notes ?? []).map((n) => n.id));
  const notes = (clip.notes ?? []).map((n): Note => ({ ...n, id: known.has(n.id) ? noteId() : n.id, ...there(n) }));
  return {
    topology: {
      ...t,
      agents: [...t.agents, ...agents],
      layout: { ...t.layout, ...layout },
      ...(groups.length ? { groups: [...(t.groups ?? []), ...groups] } : {}),
      ...(notes.length ? { notes: [...(t.notes ?? []), ...notes] } : {}),
    },
    chosen: { ...nothing, agents: agents.map((a) => a.id), notes: notes.map((n) => n.id) },
  };
}

/** How much room a clip takes. */
export function clipSize(clip: Clip, noteHeight: NoteHeight = (n) => n.height ?? 36): { w: number; h: number } {
  const { w, h } = bounds(placed(clip, noteHeight));
  return { w, h };
}

/** Copies what is chosen a little below and to the right, or by a given way. */
export function duplicate(
  t: Topology,
  c: Chosen,
  by: Point = { x: 32, y: 32 },
  others: readonly AgentID[] = [],
): { topology: Topology; chosen: Chosen } {
  const { x, y } = bounds(placed(t, (n) => n.height ?? 0, clipped(t, c)));
  const clip = clipOf(t, c),
    made = pasteClip(t, clip, { x: x + by.x, y: y + by.y }, others);
  // A copy of one member belongs where the member does.
  const whole = new Set(clip.groups?.flatMap((g) => g.members ?? []));
  const homes = new Map<string, AgentID[]>();
  clip.agents.forEach((a, i) => {
    const home = whole.has(a.id) ? undefined : groupOf(t, a.id)?.id,
      id = made.chosen.agents[i];
    if (home && id) homes.set(home, [...(homes.get(home) ?? []), id]);
  });
  return { ...made, topology: [...homes].reduce((next, [home, copies]) => putInto(next, copies, home), made.topology) };
}

const clipped = (t: Topology, c: Chosen) => ({ agents: clipOf(t, c).agents.map((a) => a.id), notes: c.notes });

// --- reading what may have been written by anybody: what has another shape than ours is left out

type Bag = Record<string, unknown>;
const isObject = (v: unknown): v is Bag => typeof v === "object" && v !== null && !Array.isArray(v);
const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);
const isText = (v: unknown): v is string => typeof v === "string";
const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every(isText);

/** The keys of v that have the wanted shape. */
function keep<T>(v: Bag, want: { [K in keyof T]-?: (x: unknown) => boolean }): Partial<T> {
  return Object.fromEntries(
    Object.keys(want)
      .filter((k) => want[k as keyof T](v[k]))
      .map((k) => [k, v[k]]),
  ) as Partial<T>;
}

/** Every element, or null when one is not what it should be. */
function list<T>(v: unknown, read: (x: unknown) => T | null): T[] | null {
  if (v === undefined) return [];
  if (!Array.isArray(v)) return null;
  const out: T[] = [],
    ids = new Set<unknown>();
  for (const x of v) {
    const made = read(x),
      id = isObject(x) ? x.id : undefined;
    if (made === null || (id !== undefined && ids.has(id))) return null;
    ids.add(id);
    out.push(made);
  }
  return out;
}

function toolsFrom(v: unknown): Tools | undefined {
  return isObject(v) ? keep<Tools>(v, { profile: isText, allow: isTexts, deny: isTexts }) : undefined;
}

function connectionFrom(v: unknown): Connection | null {
  if (!isObject(v) || !isText(v.targetId) || !isText(v.type)) return null;
  return {
    targetId: v.targetId,
    type: v.type,
    ...keep<Pick<Connection, "label" | "extra">>(v, { label: isText, extra: isObject }),
  };
}

const shapes = {
  text: isText,
  texts: isTexts,
  number: isNumber,
  whole: Number.isInteger,
  flag: (x: unknown) => x === true,
  tools: isObject,
  files: isObject,
};
const fieldShapes = Object.fromEntries(Object.entries(AGENT_FIELDS).map(([name, type]) => [name, shapes[type]])) as {
  [K in AgentField]: (x: unknown) => boolean;
};

function agentFrom(v: unknown): Agent | null {
  if (!isObject(v) || !isText(v.id) || !v.id) return null;
  const connections = list(v.connections, connectionFrom),
    tools = toolsFrom(v.tools);
  if (!connections) return null;
  return {
    id: v.id,
    ...keep<Omit<Agent, "id" | "connections">>(v, {
      ...fieldShapes,
      extra: isObject,
    }),
    ...(tools ? { tools } : {}),
    ...(connections.length ? { connections } : {}),
  };
}

function noteFrom(v: unknown): Note | null {
  if (!isObject(v) || !isText(v.id) || !v.id || !isText(v.text) || !isNumber(v.x) || !isNumber(v.y)) return null;
  return {
    id: v.id,
    text: v.text,
    x: v.x,
    y: v.y,
    ...keep<Omit<Note, "id" | "text" | "x" | "y" | "locked">>(v, {
      width: isNumber,
      height: isNumber,
      color: Number.isInteger,
      extra: isObject,
    }),
  };
}

function groupFrom(v: unknown): Group | null {
  if (!isObject(v) || !isText(v.id) || !v.id) return null;
  return {
    id: v.id,
    ...keep<Omit<Group, "id" | "locked">>(v, {
      name: isText,
      color: Number.isInteger,
      members: isTexts,
      parent: isText,
      collapsed: (x) => x === true,
      extra: isObject,
    }),
  };
}
