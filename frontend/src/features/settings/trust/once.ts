import type { TrustTeam } from "@/topology";

/** The team that the built-in gateway runs, among those that are listed. */
export const applied = "local";

/**
 * Lists each agent once: what the applied team is allowed counts for the saved team that it came from, too, where that
 * asks for the same.
 */
export function once(teams: readonly TrustTeam[]): TrustTeam[] {
  const runs = teams.find((t) => t.team === applied),
    running = new Set(runs?.agents.map((a) => `${a.agent}\n${a.hash}`));
  return teams
    .map((t) => {
      if (t.team !== runs?.from) return t;
      return { ...t, agents: t.agents.filter((a) => !running.has(`${a.agent}\n${a.hash}`)) };
    })
    .filter((t) => t.agents.length > 0 || t.former.length > 0);
}
