import type { AgentID, Topology } from "./types";

// The list of agents that can message each other on the gateway follows the agents of the team. Patterns in it stay.

function withList(t: Topology, each: (item: unknown) => unknown): Topology {
  const list = t.messages?.allow;
  if (!Array.isArray(list)) return t;
  const left = list.map(each).filter((item) => item !== undefined);
  if (left.length === list.length && left.every((item, i) => item === list[i])) return t;
  // An empty list means every agent. Where nobody is left, nobody could send anything: it stays so.
  const { allow: _, ...rest } = t.messages ?? {};
  return { ...t, messages: left.length ? { ...t.messages, allow: left } : { ...rest, enabled: false } };
}

/** Without agents that go. */
export const disallow = (t: Topology, gone: ReadonlySet<AgentID>): Topology =>
  withList(t, (item) => (gone.has(item as AgentID) ? undefined : item));

/** With an agent under its new ID. */
export const reallow = (t: Topology, from: AgentID, to: AgentID): Topology =>
  withList(t, (item) => (item === from ? to : item));
