import type { TFunction } from "i18next";
import type { PlanChange } from "@/topology";

/** How many tasks are new, changed, moved and removed. */
export function countsOf(t: TFunction, changes: readonly PlanChange[]): string {
  const n = { add: 0, del: 0, chg: 0, mov: 0 };
  for (const c of changes) n[c.added ? "add" : c.removed ? "del" : c.fields?.length ? "chg" : "mov"]++;
  return (["add", "chg", "mov", "del"] as const)
    .filter((k) => n[k] > 0)
    .map((k) => t(`plan.counts.${k}`, { count: n[k] }))
    .join(" · ");
}
