import { useMemo } from "react";
import { trust } from "../api/trust";
import type { TrustStanding } from "../topology";
import { useHub } from "./hub";
import { useRead } from "./read";
import { waitingFor } from "./trust";

/** The agents of a team that may not use what they ask for yet, as it stands now. */
export function useUntrustedOf(team: string): TrustStanding[] {
  const told = useHub((s) => s.trust),
    saved = useHub((s) => s.teams.find((d) => d.id === team)?.head);
  const { data } = useRead({ key: ["trust", team], on: [told, saved], when: !!team, read: () => trust.team(team) });
  return useMemo(() => waitingFor(data), [data]);
}
