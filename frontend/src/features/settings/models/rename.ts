import { useTeam } from "@/stores/team";
import type { Agent, Topology } from "@/topology";

const uses = (model: string | undefined, provider: string) => !!model?.startsWith(`${provider}/`);

/** The agents that use a model of the provider, also as a fallback. */
export const usersOf = (agents: readonly Agent[], provider: string): Agent[] =>
  agents.filter((a) => uses(a.model, provider) || a.fallbacks?.some((m) => uses(m, provider)));

/** The team with the models of a provider under its new name. */
export function withRenamed(t: Topology, was: string, now: string): Topology {
  const users = new Set(usersOf(t.agents, was)),
    renamed = (m: string) => (uses(m, was) ? `${now}${m.slice(was.length)}` : m);
  return {
    ...t,
    agents: t.agents.map((a) =>
      users.has(a)
        ? {
            ...a,
            ...(a.model && { model: renamed(a.model) }),
            ...(a.fallbacks && { fallbacks: a.fallbacks.map(renamed) }),
          }
        : a,
    ),
  };
}

/** Gives the models of the open team the provider's new name, as one step that can be undone. */
export function renameInTeam(was: string, now: string): void {
  const { topology, status, edit } = useTeam.getState(),
    count = usersOf(topology.agents, was).length;
  if (status === "ready" && count) edit(`edit.models|${count}`, (d) => withRenamed(d, was, now));
}
