import { useEffect } from "react";
import { useTeam } from "@/stores/team";
import { askerName } from "@/stores/agentNames";
import { anywhere, followGatewayAgents, useGatewayAgents } from "@/stores/gatewayAgents";
import { faceById, faceOf, type Face } from "@/topology";
import { marked } from "@/ui";

/** How the agent that asks is shown: as its gateway has it, whichever team is open; `drawn` where that one shows it. */
export function useFace(id: string, gateway?: string): Face & { name: string; drawn: boolean } {
  useEffect(followGatewayAgents, []);
  const drawn = useTeam((s) => (!gateway || s.gateway === gateway) && s.topology.agents.some((a) => a.id === id));
  const all = useGatewayAgents();
  const its = gateway ? all[gateway] : undefined;
  const known = anywhere(gateway ? (its ? { [gateway]: its } : {}) : all, (a) => a.id === id);
  const face = known ? faceOf(known.faces, id) : faceById(id || (gateway ?? ""));
  return { ...face, name: marked(known?.agent.name || askerName(id) || (gateway ?? "")), drawn };
}
