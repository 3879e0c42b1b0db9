import { create } from "zustand";
import { hub } from "../api/hub";
import type { Model } from "../topology";

type Models = { models: Model[]; state: "none" | "loading" | "ready" | "failed"; load: () => Promise<void> };

/** The models that may be chosen; read when first needed and again after `load`. */
export const useModels = create<Models>()((set, get) => ({
  models: [],
  state: "none",
  load: async () => {
    if (get().state === "loading") return;
    set({ state: "loading" });
    try { set({ models: (await hub.models()).models, state: "ready" }); } catch { set({ state: "failed" }); }
  },
}));
