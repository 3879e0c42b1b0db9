import { useEffect } from "react";
import { anywhere, followGatewayAgents, useGatewayAgents } from "@/stores/gatewayAgents";

/** How an agent is called at the gateway that runs it; one that no gateway has any more keeps its id. */
export function useAgentName(): (id: string) => string {
  const teams = useGatewayAgents();
  useEffect(() => {
    followGatewayAgents();
  }, []);
  return (id) => anywhere(teams, (a) => a.id === id)?.agent.name || id;
}
