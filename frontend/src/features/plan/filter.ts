import type { PlanFilter, PlanItem } from "@/stores/planTree";
import { matches } from "@/ui";

/** What the filter lets through; nothing where it lets everything through. */
export function fitsOf({ words, standing }: PlanFilter): ((item: PlanItem) => boolean) | undefined {
  const query = words.trim();
  if (!query && !standing) return undefined;
  return ({ task, ...item }) =>
    (!standing || item.standing === standing) &&
    (!query ||
      task.id === query ||
      matches(`${task.title} ${task.description} ${task.phase_name} ${task.milestone}`, query)); // a part of an id, which nobody chose, is no find
}
