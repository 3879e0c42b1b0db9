import { ID_SHAPE } from "../api/constants";
import { rebind, unbind } from "./bindings";
import { NODE_H, NODE_W } from "./box";
import { leaveBroadcast, recast } from "./broadcast";
import { freshId } from "./freshId";
import { heldOf, putInto, ungroup } from "./groups";
import { connectionKey, refusal, type ConnectionRef } from "./kinds";
import { findAgent } from "./lookup";
import { disallow, reallow } from "./messages";
import type { Agent, AgentID, Connection, Note, Point, Topology } from "./types";

// Pure edits: each returns a new topology and shares what it did not touch.

/** What may be chosen on the canvas. Connections by connectionKey. */
export type Chosen = {
  agents: AgentID[];
  connections: string[];
  notes: string[];
  groups: string[];
  /** What every agent inherits. It is chosen alone. */ everyone?: true;
};
/** Everyone in an address, where an agent has its ID. No agent can have this one. */
export const EVERYONE = "*";
export const nothing: Chosen = { agents: [], connections: [], notes: [], groups: [] };
/** A choice in which everyone is alone: what is chosen beside it takes its place. */
export function chosenOf(c: Partial<Chosen>): Chosen {
  const { everyone, ...things } = c,
    all = { ...nothing, ...things };
  return everyone && !chosenCount(all) ? { ...all, everyone } : all;
}
export const chosenCount = (c: Chosen) =>
  c.agents.length + c.connections.length + c.notes.length + c.groups.length + Number(!!c.everyone);

/** What of the choice is still there; the same object where all is. */
export function stillThere(t: Topology, c: Chosen): Chosen {
  const agents = new Set(t.agents.map((a) => a.id)),
    notes = new Set(t.notes?.map((n) => n.id)),
    groups = new Set(t.groups?.map((g) => g.id));
  const lines = c.connections.length
    ? new Set(
        t.agents.flatMap((a) =>
          (a.connections ?? []).map((x) => connectionKey({ from: a.id, kind: x.type, to: x.targetId })),
        ),
      )
    : new Set<string>();
  const left: Chosen = {
    agents: c.agents.filter((x) => agents.has(x)),
    connections: c.connections.filter((x) => lines.has(x)),
    notes: c.notes.filter((x) => notes.has(x)),
    groups: c.groups.filter((x) => groups.has(x)),
    ...(c.everyone && { everyone: c.everyone }),
  };
  return chosenCount(left) === chosenCount(c) ? c : left;
}

export type IdFault = "empty" | "shape" | "taken";

export function idFault(t: Topology, id: string, self?: AgentID): IdFault | null {
  if (!id) return "empty";
  if (!ID_SHAPE.test(id)) return "shape";
  return id !== self && t.agents.some((a) => a.id === id) ? "taken" : null;
}

/** The id that a new agent gets: the wish, made to fit, with a number where it is taken. */
export const freeId = (t: Topology, wish: string, others: readonly AgentID[] = []): AgentID =>
  freeIds(t, [wish], others).get(wish) ?? wish;

/** The id of an agent that is named: it follows the name while it is still one that was made for a new agent. */
export function idFor(t: Topology, id: AgentID, name: string, others: readonly AgentID[] = []): AgentID {
  if (!/^agent(-\d+)?$/.test(id) || !/[a-z]/i.test(name)) return id;
  const wish = freeId(t, name, others);
  return /^agent(-\d+)?$/.test(wish) ? id : wish;
}

/** The same for many at once, which do not take each other's, nor those that others have on the gateway. */
export function freeIds(
  t: Topology,
  preferred: readonly string[],
  others: readonly AgentID[] = [],
): Map<string, AgentID> {
  const taken = new Set([...t.agents.map((a) => a.id), ...others]),
    last = new Map<string, number>();
  const pick = (wish: string): AgentID => {
    const stem =
      wish
        .toLowerCase()
        .replace(/[^a-z0-9_-]+/g, "-")
        .replace(/^[-_]+|[-_]+$/g, "")
        .slice(0, 56) || "agent";
    if (!taken.has(stem) && stem !== "agent") return stem;
    const base = stem.replace(/-\d+$/, "");
    let n = (last.get(base) ?? 0) + 1;
    while (taken.has(`${base}-${n}`)) n++;
    last.set(base, n);
    return `${base}-${n}`;
  };
  return new Map(
    preferred.map((wish) => {
      const id = pick(wish);
      taken.add(id);
      return [wish, id];
    }),
  );
}

export const mapAgents = (t: Topology, f: (a: Agent) => Agent): Topology => {
  let same = true;
  const agents = t.agents.map((a) => {
    const b = f(a);
    if (b !== a) same = false;
    return b;
  });
  return same ? t : { ...t, agents };
};

export function addAgent(t: Topology, agent: Agent, at: Point): Topology {
  return { ...t, agents: [...t.agents, agent], layout: { ...t.layout, [agent.id]: at } };
}

/** Sets fields; "" and undefined take a field away, as it stands in the file. */
export function updateAgents(t: Topology, ids: AgentID[], patch: Partial<Agent>): Topology {
  const chosen = new Set(ids);
  return mapAgents(t, (a) => {
    if (!chosen.has(a.id)) return a;
    const next: Agent = { ...a, ...patch };
    for (const k of Object.keys(patch) as (keyof Agent)[])
      if (next[k] === undefined || next[k] === "" || next[k] === false) delete next[k];
    return next;
  });
}

/** Gives an agent another id, everywhere it is spoken of. */
export function renameAgent(t: Topology, from: AgentID, to: AgentID): Topology {
  const swap = (id: AgentID) => (id === from ? to : id);
  const { [from]: place, ...rest } = t.layout ?? {};
  return {
    ...mapAgents(recast(reallow(rebind(t, from, to), from, to), from, to), (a) => {
      const touches = a.connections?.some((c) => c.targetId === from);
      if (a.id !== from && !touches) return a;
      return {
        ...a,
        id: swap(a.id),
        connections: a.connections?.map((c) => (c.targetId === from ? { ...c, targetId: to } : c)),
      };
    }),
    layout: place ? { ...rest, [to]: place } : t.layout,
    groups: t.groups?.map((g) => (g.members?.includes(from) ? { ...g, members: g.members.map(swap) } : g)),
  };
}

/** Takes away what is chosen; with an agent go its connections, its place and its membership, and a group that it was the last of. */
export function removeChosen(t: Topology, c: Chosen): Topology {
  const agents = new Set(c.agents),
    lines = new Set(c.connections),
    notes = new Set(c.notes),
    groups = new Set(c.groups);
  const layout = agents.size
    ? Object.fromEntries(Object.entries(t.layout ?? {}).filter(([id]) => !agents.has(id)))
    : t.layout;
  const kept = mapAgents(
    {
      ...leaveBroadcast(disallow(unbind(t, agents), agents), agents),
      agents: t.agents.filter((a) => !agents.has(a.id)),
    },
    (a) => {
      const left = a.connections?.filter(
        (x) => !agents.has(x.targetId) && !lines.has(connectionKey({ from: a.id, kind: x.type, to: x.targetId })),
      );
      return left?.length === a.connections?.length ? a : { ...a, connections: left };
    },
  );
  const left = { ...kept, layout, notes: notes.size ? t.notes?.filter((n) => !notes.has(n.id)) : t.notes };
  return ungroup(agents.size && t.groups ? putInto(left, c.agents, undefined) : left, [...groups]);
}

/** Moves agents and notes; what is locked stays. */
export function moveItems(
  t: Topology,
  to: { agents?: Record<AgentID, Point>; notes?: Record<string, Point> },
): Topology {
  const round = (p: Point): Point => ({ x: Math.round(p.x), y: Math.round(p.y) });
  const layout = { ...t.layout },
    held = heldOf(t);
  for (const [id, p] of Object.entries(to.agents ?? {})) if (!held.agents.has(id)) layout[id] = round(p);
  const notes = to.notes;
  return {
    ...t,
    layout,
    notes: notes
      ? t.notes?.map((n) => {
          const p = notes[n.id];
          return p && !n.locked ? { ...n, ...round(p) } : n;
        })
      : t.notes,
  };
}

export function connect(t: Topology, c: ConnectionRef, label?: string): Topology {
  if (refusal(t, c)) return t;
  const made: Connection = { targetId: c.to, type: c.kind, ...(label ? { label } : {}) };
  return mapAgents(t, (a) => (a.id === c.from ? { ...a, connections: [...(a.connections ?? []), made] } : a));
}

/** Changes a connection in place: its ends, its kind or its label. Unchanged when the new one may not be. */
export function changeConnection(
  t: Topology,
  c: ConnectionRef,
  patch: Partial<ConnectionRef> & { label?: string },
): Topology {
  const next: ConnectionRef = { from: patch.from ?? c.from, kind: patch.kind ?? c.kind, to: patch.to ?? c.to };
  const is = (x: Connection) => x.type === c.kind && x.targetId === c.to;
  const old = findAgent(t, c.from)?.connections?.find(is);
  if (!old) return t;
  if (connectionKey(next) !== connectionKey(c) && refusal(t, next, c)) return t;
  const made: Connection = { ...old, targetId: next.to, type: next.kind };
  if ("label" in patch) {
    if (patch.label) made.label = patch.label;
    else delete made.label;
  }
  return mapAgents(t, (a) => {
    if (a.id === c.from && next.from === c.from)
      return { ...a, connections: a.connections?.map((x) => (is(x) ? made : x)) };
    if (a.id === c.from) return { ...a, connections: a.connections?.filter((x) => !is(x)) };
    if (a.id === next.from) return { ...a, connections: [...(a.connections ?? []), made] };
    return a;
  });
}

export const noteId = () => `note-${freshId(4)}`;

export function addNote(t: Topology, note: Note): Topology {
  return { ...t, notes: [...(t.notes ?? []), note] };
}

export function updateNote(t: Topology, id: string, patch: Partial<Note>): Topology {
  return { ...t, notes: t.notes?.map((n) => (n.id === id ? { ...n, ...patch } : n)) };
}

let read: { layout: Topology["layout"]; agents: readonly Agent[]; order: AgentID[] } | undefined;

/** Agents as one reads a page: rows from the top, each from the left. */
export function readingOrder(t: Topology): AgentID[] {
  // Most edits move nobody, and sorting thousands takes longer than most edits.
  if (
    read &&
    read.layout === t.layout &&
    read.agents.length === t.agents.length &&
    read.agents.every((a, i) => a.id === t.agents[i]?.id)
  )
    return read.order;
  const at = (id: AgentID) => t.layout?.[id] ?? { x: 0, y: 0 };
  const order = t.agents
    .map((a) => a.id)
    .sort((a, b) => {
      const p = at(a),
        q = at(b);
      return Math.abs(p.y - q.y) > NODE_H / 2 ? p.y - q.y : p.x - q.x;
    });
  read = { layout: t.layout, agents: t.agents, order };
  return order;
}

/** A free place near the wished one, so that a new node never covers another. */
export function freePlace(t: Topology, wish: Point): Point {
  const taken = Object.values(t.layout ?? {});
  let p = { ...wish };
  for (
    let i = 0;
    i < 200 && taken.some((q) => Math.abs(q.x - p.x) < NODE_W + 8 && Math.abs(q.y - p.y) < NODE_H + 8);
    i++
  ) {
    p = (i + 1) % 5 ? { x: p.x + NODE_W + 20, y: p.y } : { x: wish.x, y: p.y + NODE_H + 34 };
  }
  return p;
}
