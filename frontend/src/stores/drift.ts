import { useEffect } from "react";
import { create } from "zustand";
import { hub } from "../api/hub";
import type { Drift } from "../topology";
import { useHub } from "./hub";
import { useTeam, useTarget } from "./team";

type State = {
  /** The team, the gateway and the two states that were compared. */
  of: string;
  drift?: Drift;
};

/** What the team's gateway runs beside what is drawn, asked for when its config is not the one that was read. */
const useKept = create<State>()(() => ({ of: "" }));

/** How many changes were made on the team's gateway since team and gateway were the same. */
export function useDrifted(): number {
  const of = useDriftKey();
  return useKept((s) => (s.of === of && of ? (s.drift?.drifted ?? 0) : 0));
}

/** Whether another team was applied to the gateway since. */
export function useReplaced(): boolean {
  const of = useDriftKey();
  return useKept((s) => s.of === of && !!of && !!s.drift?.replaced);
}

/** As useReplaced, when it is asked. */
export function isReplaced(): boolean {
  const { of, drift } = useKept.getState(),
    { id, base } = useTeam.getState();
  return !!drift?.replaced && !!base && of.startsWith(`${id} `) && of.includes(` ${base.hash} `);
}

function useDriftKey(): string {
  const id = useTeam((s) => (s.status === "ready" ? s.id : "")),
    read = useTeam((s) => s.base?.hash);
  const target = useTarget();
  const now = target?.configHash;
  // While an apply or a rollback of our own is on its way, the gateway differs for a moment.
  const ours = useHub((s) => Object.values(s.applies).some((a) => a.state === "running" && a.gateway === target?.name));
  return id && read && now && now !== read && !ours ? [id, target.name, read, now].join(" ") : "";
}

/** Asks once for each change that the gateway tells of. */
export function useFollowDrift(): void {
  const of = useDriftKey();
  useEffect(() => {
    if (!of || useKept.getState().of === of) return;
    let gone = false;
    const [id = ""] = of.split(" ");
    const later = setTimeout(() => {
      hub.drift(id).then(
        (drift) => {
          if (!gone) useKept.setState({ of, drift });
        },
        () => undefined,
      );
    }, 400);
    return () => {
      gone = true;
      clearTimeout(later);
    };
  }, [of]);
}

export const driftActions = {
  /** Rejects with ApiError. */
  read: (team: string, gateway?: string) => hub.drift(team, gateway),
  /** Leaves the team as it is; a review then shows everything that differs. */
  keepMine: async () => {
    await hub.keepMine(useTeam.getState().id);
    await useTeam.getState().reload();
  },
};
