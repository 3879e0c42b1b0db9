import { useEffect, useMemo } from "react";
import { providerActions, providerOf, useProviders } from "@/stores/providers";
import { useUntrustedOf } from "@/stores/untrusted";
import type { Provider, RoomAgent, RoomStatus } from "@/topology";

type Modelled = { model?: string };

/** Those that could not answer in a room: the hub runs agents there, and has no provider of their model. */
export const unanswerable = <A extends Modelled>(agents: readonly A[], providers: readonly Provider[]): A[] =>
  providers.length ? agents.filter((a) => !providerOf(a.model ?? "", providers)) : [];

/** Reads the providers as they are now, and says which of the agents they leave without an answer. */
export function useUnanswerable<A extends Modelled>(agents: readonly A[]): A[] {
  const providers = useProviders((s) => s.providers),
    any = agents.length > 0;
  useEffect(() => {
    if (any) providerActions.list().catch(() => undefined);
  }, [any]); // without the list, no agent is marked
  return useMemo(() => unanswerable(agents, providers), [agents, providers]);
}

/** The names of a room's agents that can do less than they were drawn to do. */
export type Lacking = {
  models: string[];
  /** Without a model, which no provider gives them. */ unset: string[];
  answers: ReadonlySet<string>;
  tools: ReadonlySet<string>;
  team: string;
};

export function useLacking(floor: RoomStatus | undefined): Lacking {
  const cast = floor?.cast,
    team = cast?.team ?? "",
    untrusted = useUntrustedOf(team);
  // A status comes with every turn: who runs here, by which model, changes seldom.
  const here = JSON.stringify(
    (floor?.agents ?? [])
      .filter((a) => a.agentId && !a.elsewhere && cast?.agents.includes(a.agentId))
      .map(({ name, agentId, model }) => ({ name, agentId, model })),
  );
  const agents = useMemo(() => JSON.parse(here) as { name: string; agentId: string; model?: string }[], [here]),
    mute = useUnanswerable(agents);
  return useMemo(
    () => ({
      team,
      answers: new Set(mute.map((a) => a.name)),
      unset: mute.filter((a) => !a.model).map((a) => a.name),
      models: [...new Set(mute.map((a) => a.model ?? "").filter(Boolean))],
      tools: new Set(agents.filter((a) => untrusted.some((u) => u.agent === a.agentId)).map((a) => a.name)),
    }),
    [team, mute, agents, untrusted],
  );
}

const week = 7 * 24 * 3600_000;

/** Whether a room still lists somebody: who left is listed for a week, a former name of this browser isn't. */
export const listed = (a: RoomAgent, formerly: readonly string[], now: number): boolean =>
  a.status !== "offline" || (!formerly.includes(a.name) && now - Date.parse(a.lastSeen) < week);
