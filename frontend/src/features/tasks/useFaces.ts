import { useMemo } from "react";
import { useTasks } from "@/stores/tasks";
import { assignFaces, faceById, noFaces, type Face } from "@/topology";

/** The face of each agent that tasks are given to: as it is in the applied team, whichever team is open. */
export function useFaces(): (id: string) => Face {
  const agents = useTasks((s) => s.agents);
  return useMemo(() => {
    const faces = assignFaces(noFaces, agents);
    return (id: string) => faces.get(id) ?? faceById(id);
  }, [agents]);
}
