import { useEffect, useMemo } from "react";
import { useTeam } from "@/stores/team";
import { followGatewayAgents, teamOf, useGatewayAgents, type TeamFaces } from "@/stores/gatewayAgents";
import { displayName, faceById, faceOf } from "@/topology";
import type { Who } from "@/ui/chat";

/** The face and name of each agent: as its gateway has it, else by its id. */
export function facesOf({ agents, faces }: TeamFaces): (id: string) => Who {
  const byId = new Map(agents.map((a) => [a.id, a])),
    kept = new Map<string, Who>();
  return (id) => {
    let who = kept.get(id);
    const agent = byId.get(id);
    if (!who)
      kept.set(
        id,
        (who = agent ? { ...faceOf(faces, id), name: displayName(agent) } : { ...faceById(id), name: id || "?" }),
      );
    return who;
  };
}

const nobody = teamOf([]);

/** Who runs at a gateway: as it says itself; as they are drawn for it until it has said so. */
export function useTeamAt(gateway: string): { team: TeamFaces; known: boolean } {
  useEffect(followGatewayAgents, []);
  const team = useGatewayAgents((s) => s[gateway]);
  const drawn = useTeam((s) => s.topology.agents),
    target = useTeam((s) => s.gateway),
    faces = useTeam((s) => s.faces);
  const fallback = useMemo(
    () => (target === gateway ? { agents: drawn, faces } : nobody),
    [target, gateway, drawn, faces],
  );
  return { team: team ?? fallback, known: team !== undefined };
}

export function useAgentFaces(gateway: string): (id: string) => Who {
  const { team } = useTeamAt(gateway);
  return useMemo(() => facesOf(team), [team]);
}
