import type { TFunction } from "i18next";

export type OpCounts = { added: number; removed: number; changed: number; moved: number };
export const ops = ["added", "removed", "changed", "moved"] as const;

/** A position that is added or removed with its agent isn't counted as a separate change. */
export function countOps(changes: readonly { op: (typeof ops)[number]; subject: string }[]): OpCounts {
  const n: OpCounts = { added: 0, removed: 0, changed: 0, moved: 0 };
  for (const c of changes) if (c.subject !== "layout" || c.op === "moved") n[c.op]++;
  return n;
}

/** "2 added, 1 changed"; "" when nothing changed. */
export const countsText = (t: TFunction, n: OpCounts): string =>
  ops
    .filter((op) => n[op] > 0)
    .map((op) => t(`counts.${op}`, { count: n[op] }))
    .join(t("list.comma"));
