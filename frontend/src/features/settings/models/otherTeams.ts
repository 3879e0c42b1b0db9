import { useMemo } from "react";
import { useHub } from "@/stores/hub";
import { useTeam } from "@/stores/team";
import type { TeamSummary } from "@/topology";

/** The names of the teams on this computer, without the open one, whose agents name a model that `uses` accepts. */
export function otherTeams(
  teams: readonly TeamSummary[],
  open: string | undefined,
  local: (gateway: string) => boolean,
  uses: (model: string) => boolean,
): string[] {
  return teams.filter((d) => d.id !== open && local(d.gateway) && d.models.some(uses)).map((d) => d.name);
}

/** What otherTeams needs to know, as it is now. */
export function useOtherTeams(): (uses: (model: string) => boolean) => string[] {
  const teams = useHub((s) => s.teams),
    gateways = useHub((s) => s.gateways),
    open = useTeam((s) => s.id);
  return useMemo(() => {
    const here = new Set(gateways.filter((g) => g.dialect === "local").map((g) => g.name));
    return (uses) => otherTeams(teams, open, (g) => here.has(g), uses);
  }, [teams, gateways, open]);
}
