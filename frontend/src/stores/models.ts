import { useMemo } from "react";
import { create } from "zustand";
import { hub } from "../api/hub";
import type { Gateway, Model } from "../topology";
import { useDrawing } from "./drawing";
import { onHub, useHub } from "./hub";

type Models = { models: Model[]; state: "none" | "loading" | "ready" | "failed"; load: () => Promise<void> };

/** What was asked for while an answer was on its way, which may not hold it. */
let again = false;

/** The models that can be chosen. They are read when first needed, after `load`, and when a gateway or a provider changes. */
export const useModels = create<Models>()((set, get) => ({
  models: [],
  state: "none",
  load: async () => {
    if (get().state === "loading") { again = true; return; }
    set({ state: "loading" });
    do {
      again = false;
      try { set({ models: (await hub.models()).models, state: again ? "loading" : "ready" }); } catch { set({ state: again ? "loading" : "failed" }); }
    } while (again);
  },
}));

/** What decides which models the gateways offer. */
const offers = (gateways: readonly Gateway[]) => JSON.stringify(gateways.map((g) => [g.name, g.url, g.state, g.rulesAt]));

/** Reads the models again when a gateway came, went or connected: each offers its own. Nothing is read before somebody needs it. */
export function followModels(): () => void {
  let last: string | undefined;
  return onHub({
    notify: ({ gateways }) => {
      if (!gateways) return;
      const now = offers(gateways), moved = last !== undefined && last !== now;
      last = now;
      if (moved && useModels.getState().state !== "none") void useModels.getState().load();
    },
  });
}

/** The models that an agent of the gateway can be given: its own, sorted by provider. */
export const modelsOf = (models: readonly Model[], gateway: string): Model[] =>
  models.filter((m) => !gateway || !m.gateway || m.gateway === gateway).sort((a, b) => a.provider.localeCompare(b.provider));

/**
 * The model that a new agent of the open drawing begins with. The built-in gateway has no default, so it is the only one there is;
 * where there are several, the person chooses. Elsewhere the gateway's own default holds for whoever names none.
 */
export function modelForNew(): string | undefined {
  const { gateway } = useDrawing.getState(), own = modelsOf(useModels.getState().models, gateway);
  return own.length === 1 && useHub.getState().gateways.some((g) => g.name === gateway && g.dialect === "local") ? own[0]?.id : undefined;
}

/** The models for the agents of the open drawing. */
export function useOwnModels(): Model[] {
  const models = useModels((s) => s.models), gateway = useDrawing((s) => s.gateway);
  return useMemo(() => modelsOf(models, gateway), [models, gateway]);
}
