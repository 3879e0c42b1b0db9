import type { Agent, AgentID } from "./types";

export type Colours = ReadonlyMap<AgentID, number>;

/**
 * Gives each agent its identity colour, 1 to 12, by order of creation. One that has a colour keeps
 * it, also when another before it goes; a renamed id takes its colour along through `renamed`.
 */
export function assignColours(had: Colours, agents: readonly Agent[]): Colours {
  const fresh = agents.filter((a) => !had.has(a.id));
  if (!fresh.length) return had;
  const next = new Map(had);
  let n = next.size;
  for (const a of fresh) next.set(a.id, (n++ % 12) + 1);
  return next;
}

const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** Two letters of a Latin name, one character of a Japanese one. */
export function initials(agent: Pick<Agent, "id" | "name">): string {
  const name = (agent.name || agent.id).trim();
  const first = [...name][0] ?? "?";
  if (wide.test(first)) return first;
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const two = words.length > 1 ? `${[...(words[0] ?? "")][0] ?? ""}${[...(words[1] ?? "")][0] ?? ""}` : [...name].slice(0, 2).join("");
  return two.toUpperCase();
}

export const displayName = (agent: Pick<Agent, "id" | "name">) => agent.name || agent.id;
/** A model without its provider, as a node shows it. */
export const shortModel = (model: string) => model.slice(model.indexOf("/") + 1);
