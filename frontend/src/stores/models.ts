import { useMemo } from "react";
import { create } from "zustand";
import { hub } from "../api/hub";
import type { Gateway, Model } from "../topology";
import { useTeam } from "./team";
import { onHub, useHub } from "./hub";

type Models = { models: Model[]; state: "none" | "loading" | "ready" | "failed"; load: () => Promise<void> };

/** What was asked for while an answer was on its way, which may not hold it. */
let again = false;

/** The models that can be chosen. They are read when first needed, after `load`, and when a gateway or a provider changes. */
export const useModels = create<Models>()((set, get) => ({
  models: [],
  state: "none",
  load: async () => {
    if (get().state === "loading") {
      again = true;
      return;
    }
    set({ state: "loading" });
    do {
      again = false;
      try {
        set({ models: (await hub.models()).models, state: again ? "loading" : "ready" });
      } catch {
        set({ state: again ? "loading" : "failed" });
      }
    } while (again);
  },
}));

/** What decides which models the gateways offer. */
const offers = (gateways: readonly Gateway[]) =>
  JSON.stringify(gateways.map((g) => [g.name, g.url, g.state, g.rulesAt]));

/** Reads the models again when a gateway came, went or connected: each offers its own. Nothing is read before somebody needs it. */
export function followModels(): () => void {
  let last: string | undefined;
  return onHub({
    notify: ({ gateways }) => {
      if (!gateways) return;
      const now = offers(gateways),
        moved = last !== undefined && last !== now;
      last = now;
      if (moved && useModels.getState().state !== "none") void useModels.getState().load();
    },
  });
}

/** The models that an agent of the gateway can be given: its own, sorted by provider. */
export const modelsOf = (models: readonly Model[], gateway: string): Model[] =>
  models
    .filter((m) => !gateway || !m.gateway || m.gateway === gateway)
    .sort((a, b) => a.provider.localeCompare(b.provider));

/** The provider whose model answers without being one. */
const demo = "demo";

/**
 * The model that a new agent of the open team starts with. The built-in gateway has no default model, so it is the one that
 * most agents of the team use, else the only one there is, where the demo doesn't count beside a real one. Undefined means
 * that the person chooses, or, on other gateways, that the gateway's own default applies.
 */
export function modelForNew(): string | undefined {
  const { gateway, topology } = useTeam.getState(),
    own = modelsOf(useModels.getState().models, gateway);
  if (!useHub.getState().gateways.some((g) => g.name === gateway && g.dialect === "local")) return undefined;
  const uses = new Map(own.map((m) => [m.id, 0]));
  for (const { model } of topology.agents) {
    const before = uses.get(model ?? "");
    if (model && before !== undefined) uses.set(model, before + 1);
  }
  const [most] = [...uses].sort((a, b) => b[1] - a[1]);
  if (most && most[1] > 0) return most[0];
  const real = own.filter((m) => m.provider !== demo),
    offered = real.length > 0 ? real : own;
  return offered.length === 1 ? offered[0]?.id : undefined;
}

/** The models for the agents of the open team. */
export function useOwnModels(): Model[] {
  const models = useModels((s) => s.models),
    gateway = useTeam((s) => s.gateway);
  return useMemo(() => modelsOf(models, gateway), [models, gateway]);
}
