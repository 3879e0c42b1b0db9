import { freePlace } from "./edit";
import { isOfEveryone } from "./everyone";
import { connectionKey } from "./kinds";
import type { AgentID, Change, Topology } from "./types";

export type Mark = "add" | "del" | "chg" | "mov";

/** What changed, by thing: agents by id, connections by key, notes and groups by id. */
export type Marks = {
  agents: Map<AgentID, AgentMark>;
  connections: Map<string, Mark>;
  items: Map<string, Mark>;
  /** What every agent inherits. It is always there, so it is only ever changed. */ everyone?: "chg";
};
export type AgentMark = { mark: Mark; /** The changed fields with what they were. */ was: Record<string, unknown> };

/** The mark of each kind of change. */
export const MARK_OF: Readonly<Record<Change["op"], Mark>> = {
  added: "add",
  removed: "del",
  changed: "chg",
  moved: "mov",
};
const weight: Record<Mark, number> = { mov: 0, chg: 1, add: 2, del: 2 };

export const noMarks: Marks = { agents: new Map(), connections: new Map(), items: new Map() };

/** Which marks the changes have, in the order of the legend. */
export const marksIn = (changes: readonly Change[]): Mark[] =>
  (["added", "changed", "removed", "moved"] as const)
    .filter((op) => changes.some((c) => c.op === op))
    .map((op) => MARK_OF[op]);

export function marksOf(changes: readonly Change[]): Marks {
  const m: Marks = { agents: new Map(), connections: new Map(), items: new Map() };
  for (const c of changes) {
    // An agent that only gets or loses its place on the canvas was there before and didn't move.
    if (c.subject === "layout" && c.op !== "moved") continue;
    const mark = MARK_OF[c.op];
    if (isOfEveryone(c)) m.everyone = "chg";
    if (c.subject === "connection" && c.agent && c.target) {
      m.connections.set(connectionKey({ from: c.agent, kind: c.kind ?? "", to: c.target }), mark);
    } else if (c.agent) {
      // also of its place, its lock and its group
      const had = m.agents.get(c.agent);
      const was =
        c.subject === "agent" && c.op === "changed" && c.field
          ? { ...had?.was, [c.field]: c.before }
          : (had?.was ?? {});
      m.agents.set(c.agent, { mark: had && weight[had.mark] > weight[mark] ? had.mark : mark, was });
    } else if (c.item) {
      const had = m.items.get(c.item); // several of a group's fields can have changed
      m.items.set(c.item, had && weight[had] > weight[mark] ? had : mark);
    }
  }
  return m;
}

const sameWas = (a: AgentMark["was"], b: AgentMark["was"]) => {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => k in b && a[k] === b[k]);
};
const sameMap = <K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>, same: (x: V, y: V) => boolean) => {
  if (a.size !== b.size) return false;
  for (const [k, x] of a) {
    const y = b.get(k);
    if (y === undefined || !same(x, y)) return false;
  }
  return true;
};
const alike = (x: Mark, y: Mark) => x === y;

/** Whether nothing about two sets of marks is different: what changed in what is new already is no new mark. */
export const sameMarks = (a: Marks, b: Marks) =>
  sameMap(a.agents, b.agents, (x, y) => x.mark === y.mark && sameWas(x.was, y.was)) &&
  sameMap(a.connections, b.connections, alike) &&
  a.everyone === b.everyone &&
  sameMap(a.items, b.items, alike);

/** The draft with what was removed put back, so that it can be drawn struck through. */
export function withRemoved(draft: Topology, base: Topology | undefined, changes: readonly Change[]): Topology {
  if (!base) return draft;
  const goneAgents = new Set(changes.filter((c) => c.subject === "agent" && c.op === "removed").map((c) => c.agent));
  const back = base.agents
    .filter((a) => goneAgents.has(a.id) && !draft.agents.some((d) => d.id === a.id))
    .map((a) => ({ ...a, connections: undefined }));
  const layout = { ...draft.layout };
  for (const a of back) {
    const p = base.layout?.[a.id];
    if (p) layout[a.id] = freePlace({ ...draft, layout }, p);
  } // a ghost covers nobody
  const agents = [...draft.agents, ...back].map((a) => {
    const gone = changes.filter(
      (c) => c.subject === "connection" && c.op === "removed" && c.agent === a.id && c.target && c.kind,
    );
    if (!gone.length) return a;
    const put = gone.filter((c) => !a.connections?.some((x) => x.targetId === c.target && x.type === c.kind));
    return {
      ...a,
      connections: [...(a.connections ?? []), ...put.map((c) => ({ targetId: c.target ?? "", type: c.kind ?? "" }))],
    };
  });
  const goneGroups = new Set(changes.filter((c) => c.subject === "group" && c.op === "removed").map((c) => c.item)),
    taken = new Set((draft.groups ?? []).flatMap((g) => g.members ?? []));
  const groups = (base.groups ?? [])
    .filter((g) => goneGroups.has(g.id))
    .map((g) => ({ ...g, collapsed: undefined, members: g.members?.filter((id) => !taken.has(id)) }));
  const goneNotes = new Set(changes.filter((c) => c.subject === "note" && c.op === "removed").map((c) => c.item));
  return {
    ...draft,
    agents,
    layout,
    ...(groups.length ? { groups: [...(draft.groups ?? []), ...groups] } : {}),
    notes: [...(draft.notes ?? []), ...(base.notes ?? []).filter((n) => goneNotes.has(n.id))],
  };
}
