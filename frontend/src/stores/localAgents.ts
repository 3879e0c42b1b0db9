import { localAgents } from "../api/localAgents";
import type { LocalAgent, LocalAgentAdd, LocalAgentChange } from "../topology";
import { useHub } from "./hub";

/** The agents that run on the hub's computer, and those of the applied team that could. */
export const useLocalAgents = () => useHub((s) => s.localAgents);

/** One of them, by the id that the team has. */
export const useLocalAgent = (id: string): LocalAgent | undefined =>
  useHub((s) => s.localAgents.agents.find((a) => a.id === id));

/** It can be started: it is here already, or the applied team has it and says no other place. */
export const canRunHere = (id: string): boolean => {
  const { agents, candidates } = useHub.getState().localAgents;
  return agents.some((a) => a.id === id) || candidates.some((c) => c.id === id);
};

/** It runs, or is about to. */
export const isUp = (a: LocalAgent | undefined): boolean => !!a && a.state !== "stopped" && a.state !== "failed";

/** Requests about them; the list itself comes by the stream. All reject with ApiError. */
export const localAgentActions = {
  add: (a: LocalAgentAdd) => localAgents.add(a),
  change: (id: string, c: LocalAgentChange) => localAgents.change(id, c),
  remove: localAgents.remove,
  /** Starts it; one of the team that is not here yet is added first. */
  start: async (id: string) => {
    if (!useHub.getState().localAgents.agents.some((a) => a.id === id)) await localAgents.add({ agent: id });
    return localAgents.start(id);
  },
  stop: localAgents.stop,
  restart: localAgents.restart,
  keep: localAgents.keep,
};
