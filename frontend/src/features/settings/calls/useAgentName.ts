import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { anywhere, followGatewayAgents, useGatewayAgents } from "@/stores/gatewayAgents";

/** The planner's calls count for an agent with this id. */
const planner = "meta";

/** How an agent is called at the gateway that runs it; one that no gateway has any more keeps its id. */
export function useAgentName(): (id: string) => string {
  const { t } = useTranslation(),
    teams = useGatewayAgents();
  useEffect(() => {
    followGatewayAgents();
  }, []);
  return (id) => anywhere(teams, (a) => a.id === id)?.agent.name || (id === planner ? t("calls.planner") : id);
}
