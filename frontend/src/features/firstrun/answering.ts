import { providerOf } from "@/stores/providers";
import type { Agent, Provider } from "@/topology";

/** How a team's agents answer: what the guide says of models. */
export type Answering = "Empty" | "None" | "Theirs" | "Why" | "Lack" | "Real" | "InUse";

/**
 * How the agents of a team answer, and the first model that no provider has. Providers are those of the built-in
 * gateway; undefined if another gateway has its own, or if they aren't loaded yet. Elsewhere, an agent without a model
 * has the gateway's. `applied` are the agents as the gateway has them.
 */
export function answeringOf(
  agents: readonly Agent[],
  providers: readonly Provider[] | undefined,
  elsewhere = false,
  applied: readonly Agent[] = [],
): { how: Answering; model?: string } {
  const models = agents.flatMap((a) => (a.model ? [a.model] : []));
  if (!models.length) return { how: !agents.length ? "Empty" : elsewhere ? "Theirs" : "None" };
  if (models.some((m) => m.startsWith("demo/"))) return { how: "Why" };
  const lacks = providers && models.find((m) => !providerOf(m, providers));
  if (lacks) return { how: "Lack", model: lacks };
  const inUse = agents.every((a) => !a.model || applied.some((b) => b.id === a.id && b.model === a.model));
  return { how: inUse ? "InUse" : "Real" };
}
