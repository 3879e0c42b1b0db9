import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PlanPicture } from "@/stores/planGraph";
import { refusalOf, type Link } from "@/stores/planNeeds";
import type { PlanModel } from "@/stores/planTree";
import { planActions } from "@/stores/plans";
import { announce, toast } from "@/ui";
import { short } from "../words";
import { idle, useHands } from "./store";

export type Linking = {
  /** Has one task wait for another, or says why it cannot. */
  add: (link: Link) => void;
  remove: (link: Link) => void;
  /** A line was dropped. If the task can't have it, a toast gives the reason. */
  onEnd: (e: MouseEvent | TouchEvent) => void;
};

/** Dependencies by hand; each is one step of undo. */
export function useLinking(model: PlanModel, picture: PlanPicture, still: boolean): Linking {
  const { t } = useTranslation();
  return useMemo(() => {
    const titles = ({ from, to }: Link) => ({
      from: short(model.items.get(from)?.task.title ?? ""),
      to: short(model.items.get(to)?.task.title ?? ""),
    });
    const set = (to: string, dependencies: string[], said: string) => {
      void planActions.edit([{ op: "update", task_id: to, dependencies }], said).then((done) => {
        if (done) announce(said);
      });
    };
    const add = (link: Link) => {
      idle();
      if (still) return;
      const why = refusalOf(model, link),
        words = titles(link);
      if (why) {
        if (why !== "self")
          toast({ tone: "info", text: t(`plan.graph.refused.${why}`, words), closeLabel: t("common.close") });
        return;
      }
      set(link.to, [...(model.items.get(link.to)?.task.dependencies ?? []), link.from], t("plan.graph.added", words));
    };
    const remove = (link: Link) => {
      idle();
      if (!still)
        set(
          link.to,
          (model.items.get(link.to)?.task.dependencies ?? []).filter((d) => d !== link.from),
          t("plan.graph.removed", titles(link)),
        );
    };
    const onEnd = (e: MouseEvent | TouchEvent) => {
      const from = useHands.getState().from,
        at = "changedTouches" in e ? e.changedTouches[0] : e;
      const to =
        at &&
        document.elementFromPoint(at.clientX, at.clientY)?.closest<HTMLElement>(".react-flow__node-task")?.dataset.id;
      if (!from) return; // it was taken
      if (to && picture.places.has(to)) add({ from, to });
      else idle();
    };
    return { add, remove, onEnd };
  }, [model, picture, still, t]);
}
