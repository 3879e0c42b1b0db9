import type { TrustTeam } from "@/topology";

/** The team that the built-in gateway runs, among those that are listed. */
export const applied = "local";

/**
 * Each agent once: what is allowed to the team that the built-in gateway runs holds for the saved team that it came from,
 * too, where it asks for the same.
 */
export function once(teams: readonly TrustTeam[]): TrustTeam[] {
  const runs = teams.find((t) => t.team === applied),
    running = new Set(runs?.agents.map((a) => `${a.agent}\n${a.hash}`));
  return teams
    .map((t) =>
      t.team === runs?.from ? { ...t, agents: t.agents.filter((a) => !running.has(`${a.agent}\n${a.hash}`)) } : t,
    )
    .filter((t) => t.agents.length > 0 || t.former.length > 0);
}
