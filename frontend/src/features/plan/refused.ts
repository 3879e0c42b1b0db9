import type { TFunction } from "i18next";
import type { PlanItem, Standing } from "@/stores/planTree";
import type { PlanProgress } from "@/topology";
import { toast } from "@/ui";
import { isByHand, short } from "./words";

export type Refusal = "still" | "failed" | "run" | "end";

/** Why a person can't give a task a status; undefined where they can. Without a status, there is no further one. */
export function statusRefusal(
  { standing }: Pick<PlanItem, "standing">,
  to: Standing | undefined,
  { still, progress }: { still: boolean; progress?: PlanProgress },
): Refusal | undefined {
  if (still) return "still";
  if (standing === "failed") return "failed";
  if (progress || !isByHand(standing)) return "run";
  return to ? undefined : "end";
}

/** Says why a key did nothing to a task. */
export function tellRefusal(t: TFunction, why: Refusal, item: PlanItem): void {
  toast({
    id: "refused",
    text: t(`plan.refused.${why}`, { title: short(item.task.title) || t("plan.untitled") }),
    closeLabel: t("common.close"),
    for: 4000,
  });
}
