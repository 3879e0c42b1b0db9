import type { AgentWork } from "../topology";
import { connectionKey } from "../topology";
import { useHub } from "./hub";

type Picture = { agents: Map<string, AgentWork>; lit: Set<string> };
let last: readonly AgentWork[] | undefined, picture: Picture = { agents: new Map(), lit: new Set() };

const same = (a: AgentWork, b: AgentWork) => a.state === b.state && a.task === b.task && a.since === b.since && a.title === b.title && a.why === b.why && a.cause?.code === b.cause?.code && a.from === b.from;

/** What the hub said last, with the objects of before wherever nothing about them is new. */
function now(): Picture {
  const { agents } = useHub.getState().work;
  if (agents === last) return picture;
  last = agents;
  const had = picture.agents, next = new Map<string, AgentWork>(), lit = new Set<string>();
  for (const a of agents) {
    const old = had.get(a.agent);
    next.set(a.agent, old && same(old, a) ? old : a);
    if (a.state === "running" && a.from) lit.add(connectionKey({ from: a.from, kind: "command", to: a.agent }));
  }
  picture = { agents: next, lit };
  return picture;
}

/** Who works at what, for the nodes and lines of a drawing of the team at work. */
export const atWork = {
  subscribe: (on: () => void) => useHub.subscribe((s, before) => { if (s.work !== before.work) on(); }),
  of: (agent: string): AgentWork | undefined => now().agents.get(agent),
  lit: (connection: string): boolean => now().lit.has(connection),
};
