import { create } from "zustand";
import { persist } from "zustand/middleware";
import { matches } from "@/ui";

export const sorts = ["edited", "name", "agents", "gateway"] as const;
export type Sort = (typeof sorts)[number];
export const shelves = ["teams", "templates", "deleted"] as const;
export type ShelfName = (typeof shelves)[number];

type View = { shelf: ShelfName; sort: Sort; search: string };

/** What the library shows; the order is remembered. */
export const useView = create<View>()(
  persist((): View => ({ shelf: "teams", sort: "edited", search: "" }), {
    name: "agentflow.library",
    partialize: ({ sort }) => ({ sort }),
  }),
);

type Row = { id: string; name: string; gateway?: string; agents: number; updatedAt?: string };

const orders: Record<Sort, (a: Row, b: Row) => number> = {
  edited: (a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""),
  name: (a, b) => byName(a, b),
  agents: (a, b) => b.agents - a.agents,
  gateway: (a, b) => (a.gateway ?? "").localeCompare(b.gateway ?? ""),
};
const byName = (a: Row, b: Row) => a.name.localeCompare(b.name, undefined, { numeric: true });

/** What fits the search, in the order asked for; names decide between equals. */
export function arrange<T extends Row>(rows: readonly T[], search: string, sort: Sort): T[] {
  return rows
    .filter((r) => matches(`${r.name} ${r.gateway ?? ""}`, search))
    .sort((a, b) => orders[sort](a, b) || byName(a, b));
}
