import { useEffect } from "react";
import { useTeam } from "@/stores/team";
import { anywhere, followGatewayAgents, useGatewayAgents } from "@/stores/gatewayAgents";
import { faceById, faceOf, type Face } from "@/topology";
import { marked } from "@/ui";

/** How the agent that asks is shown: as its gateway has it, whichever team is open; `drawn` where that one shows it. */
export function useFace(id: string): Face & { name: string; drawn: boolean } {
  useEffect(followGatewayAgents, []);
  const drawn = useTeam((s) => s.topology.agents.some((a) => a.id === id));
  const known = anywhere(useGatewayAgents(), (a) => a.id === id);
  return { ...(known ? faceOf(known.faces, id) : faceById(id)), name: marked(known?.agent.name || id), drawn };
}
