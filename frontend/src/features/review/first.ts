import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Conflict, Preview, Topology } from "@/topology";
import { joins } from "./conflicts";

/** Agents of a gateway on which the team never was, and which the team doesn't have: they stay or go. */
export const othersOf = (p: Preview | undefined): readonly string[] => p?.merge?.others ?? [];

/** Agents of the gateway that have the ID of another agent of the team's, of which one or both stay. */
export const sameIds = (p: Preview): Conflict[] =>
  (p.merge?.conflicts ?? []).filter((c) => c.reason === "both_added" && c.subject === "agent" && !c.field);

/** Agents of the gateway that join the team. */
export const joining = (p: Preview): readonly string[] => [
  ...othersOf(p),
  ...sameIds(p).flatMap((c) => (joins(c) && c.agent) || []),
];

/** How many agents the team had when the preview was made: an apply adds to the live team. */
export const sizeOfTeam = (p: Preview): number =>
  p.merge?.merged.agents.filter((a) => !joining(p).includes(a.id)).length ?? 0;

/** Agents of the gateway that have an ID of the team's: an apply gives them its settings, whatever is chosen. */
export const changedBy = (p: Preview): readonly string[] => [
  ...new Set(
    p.changes
      .filter((c) => c.subject === "agent" && c.op === "changed" && !c.leftOut && (c.impact !== "local" || c.file))
      .flatMap((c) => c.agent ?? [])
      .filter((id) => !sameIds(p).some((c) => c.agent === id && !c.choice)),
  ),
];

/** Of those that have another agent's ID, the ones about which nothing is decided yet. */
export const undecidedIds = (p: Preview): readonly string[] =>
  sameIds(p).flatMap((c) => (c.choice ? [] : (c.agent ?? [])));

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
