import { displayName } from "./identity";
import type { Agent, AgentID, Topology } from "./types";

// A drawing is never changed in place, so what was looked up in its agents stays true for as long as they live.

const byId = new WeakMap<readonly Agent[], ReadonlyMap<AgentID, Agent>>();

/** The agents of a drawing by their id. */
export function agentsById(t: Topology): ReadonlyMap<AgentID, Agent> {
  let had = byId.get(t.agents);
  if (!had) byId.set(t.agents, (had = new Map(t.agents.toReversed().map((a) => [a.id, a])))); // of two with one id the first counts
  return had;
}

export const findAgent = (t: Topology, id: AgentID): Agent | undefined => agentsById(t).get(id);

const byName = new WeakMap<readonly Agent[], ReadonlyMap<string, AgentID | null>>();

/** The id of the only agent with a name; null where several have it. */
function agentsByName(t: Topology): ReadonlyMap<string, AgentID | null> {
  let had = byName.get(t.agents);
  if (!had) {
    const made = new Map<string, AgentID | null>();
    for (const a of t.agents) {
      const name = displayName(a);
      made.set(name, made.has(name) ? null : a.id);
    }
    byName.set(t.agents, (had = made));
  }
  return had;
}

/** Whether an agent other than this one has the name. */
export function hasNamesake(t: Topology, name: string, id: AgentID): boolean {
  const other = agentsByName(t).get(name);
  return other !== undefined && other !== id;
}

type Answered = Omit<Topology, "agents"> & { agents: Agent[] | null };

/** A team from an answer of the hub in which `null` may stand for a team without agents. */
export const wholeTeam = (t: Answered): Topology => ({ ...t, agents: t.agents ?? [] });

/** Whether a role is that of an agent that receives the team's tasks, as the hub reads it (topology.IsCoordinator). */
export const isCoordinator = (role = ""): boolean => /^(coordinator|コーディネーター)$/i.test(role.trim());

/** The role as it is written for the switch. */
export const coordinatorRole = "Coordinator";
