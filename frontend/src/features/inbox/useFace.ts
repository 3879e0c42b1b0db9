import { useDrawing } from "@/stores/drawing";
import { marked } from "./marks";
import { faceOf, type Face } from "@/topology";

/** How the agent that asks is shown: as it is drawn, or by its id where it is not in the open drawing. */
export function useFace(id: string): Face & { name: string; drawn: boolean } {
  const agent = useDrawing((s) => s.topology.agents.find((a) => a.id === id)), faces = useDrawing((s) => s.faces);
  return { ...faceOf(faces, id), name: marked(agent?.name || id), drawn: !!agent };
}
