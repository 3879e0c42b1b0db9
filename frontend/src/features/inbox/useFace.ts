import { useEffect } from "react";
import { useDrawing } from "@/stores/drawing";
import { anywhere, followGatewayAgents, useGatewayAgents } from "@/stores/gatewayAgents";
import { faceById, faceOf, type Face } from "@/topology";
import { marked } from "@/ui";

/** How the agent that asks is shown: as its gateway has it, whichever drawing is open; `drawn` where that one shows it. */
export function useFace(id: string): Face & { name: string; drawn: boolean } {
  useEffect(followGatewayAgents, []);
  const drawn = useDrawing((s) => s.topology.agents.some((a) => a.id === id));
  const known = anywhere(useGatewayAgents(), (a) => a.id === id);
  return { ...(known ? faceOf(known.faces, id) : faceById(id)), name: marked(known?.agent.name || id), drawn };
}
