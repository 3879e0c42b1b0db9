import type { AgentID, Topology } from "./types";

// Bindings say which agent answers which messages. They stay the JSON of the gateway's config.

type Loose = Record<string, unknown>;

export const isObject = (v: unknown): v is Loose => typeof v === "object" && v !== null && !Array.isArray(v);

/** The agent that a binding names. */
export const boundAgent = (binding: unknown): AgentID | undefined =>
  isObject(binding) && typeof binding.agentId === "string" ? binding.agentId : undefined;

const withBindings = (t: Topology, bindings: unknown[]): Topology => ({
  ...t,
  bindings: bindings.length ? bindings : undefined,
});

/** Without the bindings of agents that go. */
export function unbind(t: Topology, gone: ReadonlySet<AgentID>): Topology {
  const left = t.bindings?.filter((b) => !gone.has(boundAgent(b) ?? ""));
  return left && left.length !== t.bindings?.length ? withBindings(t, left) : t;
}

/** With the bindings of an agent under its new ID. */
export const rebind = (t: Topology, from: AgentID, to: AgentID): Topology =>
  t.bindings?.some((b) => boundAgent(b) === from)
    ? withBindings(
        t,
        t.bindings.map((b) => (isObject(b) && b.agentId === from ? { ...b, agentId: to } : b)),
      )
    : t;

/** Puts a binding at a place, or at the end; undefined takes the one there away. */
export function putBinding(t: Topology, at: number | undefined, binding: unknown): Topology {
  const next = [...(t.bindings ?? [])];
  if (at === undefined) next.push(binding);
  else if (binding === undefined) next.splice(at, 1);
  else next[at] = binding;
  return withBindings(t, next);
}

/** Has two bindings change places. */
export function swapBindings(t: Topology, a: number, b: number): Topology {
  const next = [...(t.bindings ?? [])];
  [next[a], next[b]] = [next[b], next[a]];
  return withBindings(t, next);
}
