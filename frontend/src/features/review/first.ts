import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Preview, Topology } from "@/topology";

/** Agents of a gateway on which the team never was, and which the team doesn't have: they stay or go. */
export const othersOf = (p: Preview | undefined): readonly string[] => p?.merge?.others ?? [];

/** How many agents the team had when the preview was made: an apply adds to the live team. */
export const sizeOfTeam = (p: Preview): number =>
  p.merge?.merged.agents.filter((a) => !othersOf(p).includes(a.id)).length ?? 0;

/** The example that the program brought along is nobody's work. */
export const suggestsReplace = (p: Preview, team: Pick<Topology, "agents">): boolean =>
  !!p.merge?.example && othersOf(p).length > 0 && team.agents.length > 0;

/** Teams whose person chose to keep a gateway's agents, each with that gateway. The choice lasts beyond the apply. */
const useKept = create(persist(() => ({ pairs: [] as readonly string[] }), { name: "agentflow.review.kept" }));
const pairOf = (team: string, gateway: string | undefined) => `${team} ${gateway}`;

export const hasKept = (team: string, gateway: string | undefined): boolean =>
  useKept.getState().pairs.includes(pairOf(team, gateway));

export function rememberKept(team: string, gateway: string | undefined, on: boolean): void {
  const pair = pairOf(team, gateway);
  useKept.setState(({ pairs }) => {
    const others = pairs.filter((x) => x !== pair);
    return { pairs: on ? [...others.slice(-99), pair] : others };
  });
}
