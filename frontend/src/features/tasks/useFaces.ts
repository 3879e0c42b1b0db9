import { useMemo } from "react";
import { useTasks } from "@/stores/tasks";
import { assignFaces, faceById, noFaces, type Candidate, type Face } from "@/topology";
import { atGateway } from "./elsewhere";

/** The faces of agents, by id. Those of each gateway are as its own team has them. */
export function facesOf(agents: readonly Candidate[]): ReadonlyMap<string, Face> {
  const out = new Map<string, Face>();
  for (const gateway of new Set(agents.map((a) => a.gateway))) {
    const its = agents.filter((a) => a.gateway === gateway),
      local = (a: Candidate) => (gateway ? (atGateway(a.id)?.agent ?? a.id) : a.id),
      faces = assignFaces(
        noFaces,
        its.map((a) => ({ ...a, id: local(a) })),
      );
    for (const a of its) {
      const face = faces.get(local(a));
      if (face) out.set(a.id, face);
    }
  }
  return out;
}

/** The face of each agent that tasks are given to: as the applied team or its gateway has it. */
export function useFaces(): (id: string) => Face {
  const agents = useTasks((s) => s.agents);
  return useMemo(() => {
    const faces = facesOf(agents);
    return (id: string) => faces.get(id) ?? faceById(atGateway(id)?.agent ?? id);
  }, [agents]);
}
