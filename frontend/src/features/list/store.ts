import { create } from "zustand";
import { persist } from "zustand/middleware";
import { noFacets, type Column, type Facets, type Order } from "./rows";

type State = {
  order: Order;
  facets: Facets;
  sortBy: (by: Column) => void;
  filter: (f: Partial<Facets>) => void;
};

/** How the list stands; the order is remembered, a filter is not. */
export const useList = create<State>()(
  persist(
    (set) => ({
      order: { by: "name", down: false },
      facets: noFacets,
      sortBy: (by) =>
        set((s) => ({
          order: {
            by,
            down:
              s.order.by === by ? !s.order.down : by === "in" || by === "out" || by === "problems" || by === "tools",
          },
        })),
      filter: (f) => set((s) => ({ facets: { ...s.facets, ...f } })),
    }),
    { name: "agentflow.list", partialize: ({ order }) => ({ order }) },
  ),
);
