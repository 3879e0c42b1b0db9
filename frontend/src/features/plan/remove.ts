import type { TFunction } from "i18next";
import type { PlanItem } from "@/stores/planTree";
import { planActions, usePlan } from "@/stores/plans";
import { toast } from "@/ui";
import { short } from "./words";

/** For as long as the next undo of the open plan takes back its last edit. */
function whilePlanUndoes() {
  const undone = () => usePlan.getState().whole?.undoLabel,
    was = usePlan.getState().whole;
  return {
    holds: () => usePlan.getState().whole?.id === was?.id && undone() === was?.undoLabel,
    subscribe: usePlan.subscribe,
  };
}

/** Deletes a task, with the way back in a toast. What hangs below it goes with it only if asked to. */
export function removeTask(t: TFunction, item: PlanItem, cascade = false): void {
  const title = short(item.task.title);
  void planActions.edit([{ op: "delete", task_id: item.id, cascade }], t("plan.did.delete", { title })).then((done) => {
    if (done)
      toast({
        tone: "info",
        text: t("plan.deleted", { title }),
        closeLabel: t("common.close"),
        action: { label: t("common.undo"), run: () => void planActions.undo() },
        while: whilePlanUndoes(),
      });
  });
}
