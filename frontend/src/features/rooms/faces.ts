import { useMemo } from "react";
import { useDrawing } from "@/stores/drawing";
import { displayName, faceOf, type Agent, type Faces, type RoomMessage, type RoomSummary } from "@/topology";
import type { Mentionable, Who } from "@/ui/chat";
import { foldText } from "@/ui";

/** Two letters of a person's name, one of a Japanese one. */
function lettersOf(name: string): string {
  const words = name.trim().split(/[\s_-]+/).filter(Boolean), [first = "?"] = [...(words[0] ?? "")];
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(first)) return first;
  const second = words.length > 1 ? [...(words[1] ?? "")][0] : [...(words[0] ?? "")][1];
  return `${first}${second ?? ""}`.toUpperCase();
}

export type People = {
  /** The face of whoever goes by a name. */
  who: (name: string) => Who;
  isAgent: (name: string) => boolean;
  agentOf: (name: string) => Agent | undefined;
};

/** Who goes by a name: an agent of the drawing has its colour here as there, everybody else is a person. */
export function peopleOf(agents: readonly Agent[], faces: Faces): People {
  const byName = new Map(agents.flatMap((a) => [[foldText(a.id), a], [foldText(displayName(a)), a]] as const));
  const kept = new Map<string, Who>();
  const agentOf = (name: string) => byName.get(foldText(name));
  const who = (name: string) => {
    let had = kept.get(name);
    const agent = agentOf(name);
    if (!had) kept.set(name, (had = agent ? { ...faceOf(faces, agent.id), name } : { name, initials: lettersOf(name), colour: 0 }));
    return had;
  };
  return { who, agentOf, isAgent: (name) => agentOf(name) !== undefined };
}

export function usePeople(): People {
  const agents = useDrawing((s) => s.topology.agents), faces = useDrawing((s) => s.faces);
  return useMemo(() => peopleOf(agents, faces), [agents, faces]);
}

/** Who can be mentioned: whoever is or was in the room or said something there, agents first. */
export function mentionable(room: RoomSummary | undefined, said: readonly string[], people: People, me: string, state: (s: string) => string): Mentionable[] {
  const status = new Map((room?.agents ?? []).map((a) => [a.name, state(a.status)]));
  return [...new Set([...status.keys(), ...said])].filter((name) => name && name !== me)
    .map((name) => ({ ...people.who(name), detail: people.agentOf(name)?.id, state: status.get(name) }))
    .sort((a, b) => Number(b.colour > 0) - Number(a.colour > 0));
}

/** Who said something, one a line: the same text for the same people. */
export const senders = (list: readonly RoomMessage[]) => [...new Set(list.map((m) => m.sender))].sort().join("\n");
