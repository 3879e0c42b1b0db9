import type { PlanItem, PlanModel } from "@/stores/planTree";
import type { PlanOperation } from "@/topology";

/** Where a task is put: before or after another, or below it as its last child. */
export type Drop = { at: string; where: "before" | "after" | "below" };

/** True where `id` is `below` or hangs below it. */
function within(model: PlanModel, id: string, below: string): boolean {
  for (let at: string | undefined = id; at && at !== model.root; at = model.items.get(at)?.parent)
    if (at === below) return true;
  return false;
}

export const canDrop = (model: PlanModel, id: string, drop: Drop) => !within(model, drop.at, id);

/** The operations that put a task there. Below the root its phase is that of the task beside it. */
export function dropOperations(model: PlanModel, id: string, { at, where }: Drop): PlanOperation[] {
  const item = model.items.get(id),
    beside = model.items.get(at);
  if (!item || !beside || !canDrop(model, id, { at, where })) return [];
  const parent = where === "below" ? at : beside.parent;
  const move: PlanOperation = {
    op: "move",
    task_id: id,
    parent_id: parent,
    ...(where !== "below" && { position: { [where]: at } }),
  };
  const phase = beside.task.phase_name,
    joins = where !== "below" && parent === model.root && phase !== item.task.phase_name;
  return joins ? [move, { op: "update", task_id: id, phase_name: phase, milestone: beside.task.milestone }] : [move];
}

const siblings = (model: PlanModel, item: PlanItem) =>
  item.parent === model.root ? model.top : (model.items.get(item.parent)?.children ?? []);

/** One step by keyboard: up and down among those beside it, in below the one above, out beside its parent. */
export function stepOf(model: PlanModel, id: string, step: "up" | "down" | "in" | "out"): Drop | undefined {
  const item = model.items.get(id);
  if (!item) return undefined;
  const row = siblings(model, item),
    i = row.indexOf(id),
    above = row[i - 1],
    under = row[i + 1];
  if (step === "up") return above ? { at: above, where: "before" } : undefined;
  if (step === "down") return under ? { at: under, where: "after" } : undefined;
  if (step === "in") return above ? { at: above, where: "below" } : undefined;
  return item.parent === model.root ? undefined : { at: item.parent, where: "after" };
}
