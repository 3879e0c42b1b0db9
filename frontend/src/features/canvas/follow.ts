import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { allConnections, connectionKey, type AgentID, type Line, type Topology } from "@/topology";
import { nextInDirection, type Direction } from "./walk";

// Going along connections by keyboard: from an agent to those it is connected with, and to the connections themselves.

const touches = (c: Line, id: AgentID) => c.from === id || c.to === id;
export const otherEnd = (c: Line, id: AgentID): AgentID => (c.from === id ? c.to : c.from);

/** An agent's connections: first those that begin at it, then those that end there, each in the order of the team. */
export function linesOf(t: Topology, id: AgentID): Line[] {
  const there = new Set(t.agents.map((a) => a.id));
  const all = allConnections(t).filter((c) => touches(c, id) && c.from !== c.to && there.has(c.to));
  return [...all.filter((c) => c.from === id), ...all.filter((c) => c.from !== id)];
}

/** The agent from which the chosen connection was come to: the one with the focus, else where the connection begins. */
function origin(focused: AgentID | undefined): AgentID | undefined {
  const {
    agents,
    connections: [key],
  } = useUi.getState().chosen;
  if (agents.length === 1) return agents[0];
  const line = key && allConnections(useTeam.getState().topology).find((c) => connectionKey(c) === key);
  if (!line) return agents.length ? undefined : focused;
  return focused && touches(line, focused) ? focused : line.from;
}

export type Step = { agent: AgentID; line: Line; at: number; of: number };

/** Chooses the next (1) or the one before (-1) of an agent's connections, round and round; undefined where there is none. */
export function stepLine(by: 1 | -1, focused: AgentID | undefined): Step | undefined {
  const agent = origin(focused);
  if (!agent) return undefined;
  const lines = linesOf(useTeam.getState().topology, agent),
    [key] = useUi.getState().chosen.connections;
  const now = lines.findIndex((c) => connectionKey(c) === key);
  const at = now < 0 ? (by > 0 ? 0 : lines.length - 1) : (now + by + lines.length) % lines.length,
    line = lines[at];
  if (!line) return undefined;
  useUi.getState().choose({ connections: [connectionKey(line)] });
  return { agent, line, at, of: lines.length };
}

/** The agent at the other end of a connection that lies that way; what has no connection with this one does not count. */
export function followWay(way: Direction, focused: AgentID | undefined): AgentID | undefined {
  const t = useTeam.getState().topology,
    agent = origin(focused);
  return agent && nextInDirection(t, agent, way, new Set(linesOf(t, agent).map((c) => otherEnd(c, agent))));
}

/** The agent to go back to from the one connection that is chosen: the one with the focus, where it is an end of it. */
export function backFromLine(focused: AgentID | undefined): AgentID | undefined {
  const {
    chosen: {
      connections: [key],
      ...rest
    },
    chosen,
  } = useUi.getState();
  if (!focused || chosen.connections.length !== 1 || rest.agents.length || rest.notes.length || rest.groups.length)
    return undefined;
  return linesOf(useTeam.getState().topology, focused).some((c) => connectionKey(c) === key) ? focused : undefined;
}
