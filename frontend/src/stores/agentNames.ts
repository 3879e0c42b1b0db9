import { useTeam } from "./team";
import { anywhere, useGatewayAgents } from "./gatewayAgents";

/** The name of an agent: as its gateway has it, or as the open team does; its id where neither knows it. */
export const agentNameOf = (id: string): string =>
  anywhere(useGatewayAgents.getState(), (a) => a.id === id)?.agent.name ||
  useTeam.getState().topology.agents.find((a) => a.id === id)?.name ||
  id;
