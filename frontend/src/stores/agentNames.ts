import { useTeam } from "./team";
import { anywhere, useGatewayAgents } from "./gatewayAgents";

/** Who asks for a plan, without the end of the plan's id that sets it apart from others of the same name. */
export const askerName = (asker: string): string => asker.replace(/ · [0-9a-z]{6}$/i, "");

/** The name of an agent: as its gateway has it, or as the open team does; its id where neither knows it. */
export const agentNameOf = (id: string): string =>
  anywhere(useGatewayAgents.getState(), (a) => a.id === id)?.agent.name ||
  useTeam.getState().topology.agents.find((a) => a.id === id)?.name ||
  askerName(id);

/** The name of an agent on one gateway: as the gateway has it, or as the open team does, if it is for that gateway. */
export function agentOn(gateway: string, id: string): string {
  const { gateway: target, topology } = useTeam.getState(),
    same = (a: { id: string }) => a.id === id;
  return (
    useGatewayAgents.getState()[gateway]?.agents.find(same)?.name ||
    (target === gateway && topology.agents.find(same)?.name) ||
    id
  );
}
