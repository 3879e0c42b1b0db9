import { useMemo } from "react";
import { trust } from "../api/trust";
import type { TrustStanding } from "../topology";
import { useHub } from "./hub";
import { useRead } from "./read";
import { waitingFor } from "./trust";

/** The agents of a team that may not use what they ask for yet, as it stands now. */
export function useUntrustedOf(team: string, when = true): TrustStanding[] {
  const told = useHub((s) => s.trust),
    saved = useHub((s) => s.teams.find((d) => d.id === team)?.head);
  const { data } = useRead({
    key: ["trust", team],
    on: [told, saved],
    when: when && !!team,
    read: () => trust.team(team),
  });
  return useMemo(() => (when ? waitingFor(data) : []), [data, when]);
}

/** The team that the built-in gateway runs, as requests about permissions call it. */
export const appliedTeam = "local";

/** An agent of the applied team that waits for a permission, with the first task that waits for the agent. */
export type Blocked = { agent: string; name: string; task?: string };

/** The agents that wait for a permission of the person, those with a task first. */
export function blockedOf(
  untrusted: readonly TrustStanding[],
  work: readonly { agent: string; state: string; task: string }[],
): Blocked[] {
  const waiting = new Map(work.filter((w) => w.state === "waiting").map((w) => [w.agent, w.task]));
  return untrusted
    .map((u): Blocked => ({ agent: u.agent, name: u.name || u.agent, task: waiting.get(u.agent) }))
    .sort((a, b) => Number(!!b.task) - Number(!!a.task));
}

/** See blockedOf. Without all, it asks the hub only while a task waits for an agent. */
export function useBlocked(all = false): Blocked[] {
  const work = useHub((s) => s.work.agents),
    any = work.some((w) => w.state === "waiting"),
    untrusted = useUntrustedOf(appliedTeam, all || any);
  return useMemo(() => blockedOf(untrusted, work), [untrusted, work]);
}
