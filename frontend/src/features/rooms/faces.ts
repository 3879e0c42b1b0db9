import { useEffect, useMemo } from "react";
import {
  anywhere,
  followGatewayAgents,
  readDrawnTeam,
  useDrawnTeams,
  useGatewayAgents,
  type TeamFaces,
} from "@/stores/gatewayAgents";
import {
  faceById,
  faceOf,
  plainName,
  type RoomMember,
  type RoomMessage,
  type RoomStatus,
  type RoomSummary,
} from "@/topology";
import type { Mentionable, Who } from "@/ui/chat";
import { foldText } from "@/ui";

/** Two letters of a person's name, one of a Japanese one. */
function lettersOf(name: string): string {
  const words = name
      .trim()
      .split(/[\s_-]+/)
      .filter(Boolean),
    [first = "?"] = [...(words[0] ?? "")];
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(first)) return first;
  const second = words.length > 1 ? [...(words[1] ?? "")][0] : [...(words[0] ?? "")][1];
  return `${first}${second ?? ""}`.toUpperCase();
}

export type People = {
  /** The face of the participant with a name. */
  who: (name: string) => Who;
  isAgent: (name: string) => boolean;
  /** The id of the agent with a name. */
  idOf: (name: string) => string | undefined;
  /** What an agent is called in its team, where the room has it by its id because another one has that name. */
  calledOf: (name: string) => string | undefined;
};

/** What is known of who is in a room. */
export type Known = {
  /** Agents that take turns there. */
  members: readonly Pick<RoomMember, "name" | "agentId">[];
  /** Names of those that had a turn, and may have left. */
  answered: readonly string[];
  /** The team that the room's agents are of. */
  team?: TeamFaces;
  /** Those of the gateways, by their names. */
  gateways: Readonly<Record<string, TeamFaces>>;
};

/** Participants by name. An agent takes turns in the room or belongs to a gateway; the open team doesn't matter. */
export function peopleOf({ members, answered, team, gateways }: Known): People {
  const ids = new Map(members.map((m) => [foldText(m.name), m.agentId ?? ""])),
    had = new Set(answered.map(foldText)),
    kept = new Map<string, { who: Who; agent: boolean; id?: string; called?: string }>();
  const look = (name: string) => {
    const folded = foldText(name),
      id = ids.get(folded);
    const named = (a: { id: string; name?: string }) =>
      id ? a.id === id : a.id === name || foldText(a.name || a.id) === folded;
    const agent = team?.agents.find(named),
      known = agent && team ? { agent, faces: team.faces } : anywhere(gateways, named);
    if (!known && id === undefined && !had.has(folded))
      return { who: { name: plainName(name), initials: lettersOf(name), color: 0 }, agent: false };
    const face = known
      ? faceOf(known.faces, known.agent.id)
      : { color: faceById(id || name).color, initials: lettersOf(name) };
    const own = known?.agent.name && plainName(known.agent.name);
    return {
      who: { ...face, name: plainName(name) },
      agent: true,
      id: id || known?.agent.id,
      called: own && id === name && foldText(own) !== folded ? own : undefined,
    };
  };
  const of = (name: string) => {
    let one = kept.get(name);
    if (!one) kept.set(name, (one = look(name)));
    return one;
  };
  return {
    who: (name) => of(name).who,
    isAgent: (name) => of(name).agent,
    idOf: (name) => of(name).id,
    calledOf: (name) => of(name).called,
  };
}

/** Who is in a room, by what the room and the gateways say. */
export function usePeople(floor: RoomStatus | undefined, answered: string): People {
  useEffect(followGatewayAgents, []);
  const teamId = floor?.cast?.team ?? "";
  useEffect(() => void readDrawnTeam(teamId), [teamId]);
  const gateways = useGatewayAgents(),
    team = useDrawnTeams((s) => s[teamId]);
  // A status comes with every turn: who is there changes seldom.
  const members = JSON.stringify((floor?.agents ?? []).map(({ name, agentId }) => ({ name, agentId })));
  return useMemo(
    () =>
      peopleOf({
        members: JSON.parse(members) as Known["members"],
        answered: answered.split("\n").filter(Boolean),
        team,
        gateways,
      }),
    [members, answered, team, gateways],
  );
}

/**
 * Who can be mentioned: everyone who is or was in the room or said something there, agents first. The person can't, by
 * no name of theirs, nor an agent that was removed.
 */
export function mentionable(
  room: RoomSummary | undefined,
  said: readonly string[],
  people: People,
  me: readonly string[],
  removed: readonly string[],
  state: (s: RoomSummary["agents"][number]["status"]) => string,
): Mentionable[] {
  const here = new Set((room?.agents ?? []).filter((a) => a.status !== "offline").map((a) => a.name));
  const status = new Map((room?.agents ?? []).map((a) => [a.name, state(a.status)]));
  return [...new Set([...status.keys(), ...said])]
    .filter((name) => name && !removed.includes(name) && (!me.includes(name) || (name !== me[0] && here.has(name))))
    .map((name) => ({
      ...people.who(name),
      name,
      detail: people.calledOf(name) ?? people.idOf(name),
      state: status.get(name),
    }))
    .sort((a, b) => Number(b.color > 0) - Number(a.color > 0));
}

/** Who said something, one a line: the same text for the same people. */
export const senders = (list: readonly RoomMessage[]) => [...new Set(list.map((m) => m.sender))].sort().join("\n");

/** Whose answers in turns are among these, one a line. */
export const answerers = (list: readonly RoomMessage[]) =>
  senders(list.filter((m) => m.type !== "system" && m.clientMessageId?.startsWith("turn-")));
