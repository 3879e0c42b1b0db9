import { useMemo } from "react";
import { useDrawing } from "@/stores/drawing";
import { displayName, faceOf, noFaces, type Agent, type Faces } from "@/topology";
import type { Who } from "@/ui/chat";

/** A colour of its own for an agent that is not drawn. */
const colourOf = (id: string) => ([...id].reduce((n, c) => (n * 31 + (c.codePointAt(0) ?? 0)) >>> 0, 7) % 12) + 1;

/** The face and name of each agent: as drawn, else by its id. */
function facesOf(agents: readonly Agent[], faces: Faces): (id: string) => Who {
  const kept = new Map<string, Who>();
  return (id) => {
    let who = kept.get(id);
    const agent = agents.find((a) => a.id === id);
    if (!who) kept.set(id, (who = agent ? { ...faceOf(faces, id), name: displayName(agent) } : { name: id || "?", initials: faceOf(noFaces, id || "?").initials, colour: colourOf(id) }));
    return who;
  };
}

export function useAgentFaces(): (id: string) => Who {
  const agents = useDrawing((s) => s.topology.agents), faces = useDrawing((s) => s.faces);
  return useMemo(() => facesOf(agents, faces), [agents, faces]);
}
