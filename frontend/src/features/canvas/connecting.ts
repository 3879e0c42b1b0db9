import { create } from "zustand";
import { isChannelNode } from "@/flow";
import { useTeam } from "@/stores/team";
import { freeKind, KINDS, refusal, type AgentID, type ConnectionRef, type KnownKind } from "@/topology";
import { connectAgents, tellRefusal } from "./actions";
import { bindRoute, moveRoute } from "./lane";
import { changeLine, mayBecome } from "./lines";
import { nearest } from "./walk";

type Connecting = {
  /** A connection being drawn with the pointer or the keys. */
  from?: AgentID;
  targets?: ReadonlySet<AgentID>;
  aimed?: AgentID;
  byKeys?: boolean;
  /** The connection whose end is being dragged to another agent; `from` is its other end. */
  moving?: { line: ConnectionRef; end: "from" | "to" } | { route: string };
  /** Both ends are known and the kind is being asked for, at a place on the screen. */
  asking?: Asking;
};
export type Asking = { from: AgentID; to: AgentID; x: number; y: number };

const none: Connecting = {
  from: undefined,
  targets: undefined,
  aimed: undefined,
  byKeys: undefined,
  moving: undefined,
  asking: undefined,
};
/** Who an end can be given to when it begins at a channel: every agent. */
const anyone = () => useTeam.getState().topology.agents.map((a) => a.id);

export const useConnecting = create<Connecting>()(() => none);

export function startConnecting(from: AgentID, byKeys = false): void {
  const t = useTeam.getState().topology;
  const targets = new Set(
    isChannelNode(from) ? anyone() : t.agents.filter((a) => freeKind(t, from, a.id)).map((a) => a.id),
  );
  useConnecting.setState({ ...none, from, targets, byKeys, aimed: byKeys ? nearest(t, from, targets) : undefined });
}

/** Starts moving an end of a connection. Targets are agents that don't have such a connection yet. */
export function startMoving(line: ConnectionRef, end: "from" | "to"): void {
  const t = useTeam.getState().topology;
  const targets = new Set(t.agents.filter((a) => mayBecome(t, line, { ...line, [end]: a.id })).map((a) => a.id));
  useConnecting.setState({ ...none, from: end === "to" ? line.from : line.to, targets, moving: { line, end } });
}

/** The end of a binding is taken: it may go to every other agent. */
export function startMovingRoute(route: string, card: string, agent: AgentID): void {
  const targets = new Set(anyone().filter((id) => id !== agent));
  useConnecting.setState({ ...none, from: card, targets, moving: { route } });
}

/** Drops the end that was taken; anywhere but on an agent that may have it, the connection stays as it was. */
export function dropEnd(agent: AgentID | undefined): void {
  const { moving, targets } = useConnecting.getState();
  stopConnecting();
  if (!moving || !agent || !targets?.has(agent)) return;
  if ("route" in moving) moveRoute(moving.route, agent);
  else changeLine(moving.line, { [moving.end]: agent });
}

export const aimAt = (aimed: AgentID | undefined) => {
  if (useConnecting.getState().aimed !== aimed) useConnecting.setState({ aimed });
};
export const stopConnecting = () => useConnecting.setState(none);

/** Both ends are known: the kind of a connection is asked for, and a binding is made at once. */
export function askKind(from: AgentID, to: AgentID, at: { x: number; y: number }): void {
  const [card, agent] = isChannelNode(to) ? [to, from] : [from, to];
  if (isChannelNode(card)) {
    stopConnecting();
    if (!isChannelNode(agent)) bindRoute(card, agent);
    return;
  }
  if (tellRefusal(from, to)) {
    stopConnecting();
    return;
  }
  useConnecting.setState({ ...none, asking: { from, to, ...at } });
}

/** What a key means to the question: a number its kind, Enter the first that is free; undefined where it means nothing. */
export function kindOfKey(key: string, { from, to }: Asking): KnownKind | undefined {
  const t = useTeam.getState().topology,
    kind = key === "Enter" ? freeKind(t, from, to) : KINDS[Number(key) - 1];
  return kind && !refusal(t, { from, to, kind }) ? kind : undefined;
}

/** Ends the question: with a kind the connection is made, without it is not. */
export function answerKind(kind: KnownKind | null): void {
  const a = useConnecting.getState().asking;
  stopConnecting();
  if (a && kind) connectAgents({ from: a.from, to: a.to, kind });
}
