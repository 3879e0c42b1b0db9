import { providerOf } from "@/stores/providers";
import type { Agent, Provider } from "@/topology";

/** Whether somebody has set the provider up: the file or the environment has it. */
export const isSetUp = (p: Provider) => p.source === "file" || p.source === "environment";

/** How a team's agents answer: what the guide says of models. */
export type Answering = "Empty" | "None" | "Theirs" | "Why" | "Ready" | "Lack" | "Real" | "InUse";

/**
 * How the agents of a team answer, and the first model that no provider has. Providers are those of the built-in
 * gateway; undefined if they aren't loaded yet. Elsewhere, on another gateway, agents have that gateway's models.
 * `applied` are the agents as the gateway has them.
 */
export function answeringOf(
  agents: readonly Agent[],
  providers: readonly Provider[] | undefined,
  elsewhere = false,
  applied: readonly Agent[] = [],
): { how: Answering; model?: string } {
  if (elsewhere) return { how: "Theirs" };
  const models = agents.flatMap((a) => (a.model ? [a.model] : []));
  if (!models.length) return { how: agents.length ? "None" : "Empty" };
  const isDemo = (m: string) => m.startsWith("demo/"),
    lacks = providers && models.find((m) => !isDemo(m) && !providerOf(m, providers));
  if (lacks) return { how: "Lack", model: lacks };
  if (models.some(isDemo)) return { how: providers?.some(isSetUp) ? "Ready" : "Why" };
  const inUse = agents.every((a) => !a.model || applied.some((b) => b.id === a.id && b.model === a.model));
  return { how: inUse ? "InUse" : "Real" };
}
