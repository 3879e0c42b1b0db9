import { create } from "zustand";
import { persist } from "zustand/middleware";

const most = 12;

/** What was found or run lately, the last first. Ids only. */
export const useRecent = create<{ ids: string[]; used: (id: string) => void }>()(
  persist(
    (set) => ({ ids: [], used: (id) => set((s) => ({ ids: [id, ...s.ids.filter((x) => x !== id)].slice(0, most) })) }),
    { name: "agentflow.palette", partialize: ({ ids }) => ({ ids }) },
  ),
);
