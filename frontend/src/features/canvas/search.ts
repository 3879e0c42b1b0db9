import { create } from "zustand";
import {
  allConnections,
  connectionKey,
  displayName,
  readingOrder,
  type Agent,
  type AgentID,
  type Topology,
} from "@/topology";
import { foldText } from "@/ui";

type State = { open: boolean; query: string; /** The agent that was gone to last. */ at?: AgentID };

/** The search on the canvas: closed, nothing stands back. */
export const useSearch = create<State>()(() => ({ open: false, query: "" }));
export const openSearch = () => useSearch.setState({ open: true });
export const closeSearch = () => useSearch.setState({ open: false, query: "", at: undefined });

// Agents are never changed in place, so what was folded of one stays true for as long as it lives.
const folded = new WeakMap<Agent, string>();
function textOf(a: Agent): string {
  let text = folded.get(a);
  if (text === undefined)
    folded.set(a, (text = foldText([displayName(a), a.id, a.role, a.model, a.persona].filter(Boolean).join("\n"))));
  return text;
}

export type Found = {
  /** In reading order. */
  agents: AgentID[];
  /** What does not match, and what leads to it, stands back. */
  dim: (thing: { agent?: AgentID; connection?: string }) => boolean;
};

/** Who matches every word of the query, by name, ID, role, model or persona; undefined when nothing is asked. A connection matches by its label, or when both its ends do. */
export function search(t: Topology, query: string): Found | undefined {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  if (!words.length) return undefined;
  const has = (text: string) => words.every((w) => text.includes(w));
  const agents = new Set(t.agents.filter((a) => has(textOf(a))).map((a) => a.id));
  const lines = new Set(
    allConnections(t)
      .filter((c) => (agents.has(c.from) && agents.has(c.to)) || (c.label && has(foldText(c.label))))
      .map(connectionKey),
  );
  return {
    agents: readingOrder(t).filter((id) => agents.has(id)),
    dim: ({ agent, connection }) =>
      (agent !== undefined && !agents.has(agent)) || (connection !== undefined && !lines.has(connection)),
  };
}

/** The match after or before the one that was gone to last, around the end. */
export function nextMatch(found: readonly AgentID[], at: AgentID | undefined, step: 1 | -1): AgentID | undefined {
  const i = at === undefined ? -1 : found.indexOf(at);
  return i < 0 ? found[step > 0 ? 0 : found.length - 1] : found[(i + step + found.length) % found.length];
}
