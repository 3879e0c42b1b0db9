import { ArrowRight, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Link } from "@/stores/planNeeds";
import type { PlanModel } from "@/stores/planTree";
import type { Critical } from "@/stores/planTime";
import { IconButton, Kbd, keysOf } from "@/ui";
import { useMinutes } from "../minutes";
import { useHands } from "./store";

/** What is being done with the keys, or the dependency that is chosen and the way to remove it. */
export function LinkBar({
  model,
  still,
  onRemove,
}: {
  model: PlanModel;
  still: boolean;
  onRemove: (link: Link) => void;
}) {
  const { t } = useTranslation();
  const { from, aimed, byKeys, targets, link } = useHands();
  const name = (id: string) => model.items.get(id)?.task.title ?? "";
  if (from) {
    if (!byKeys && !aimed) return null;
    const may = !aimed || aimed === from || !!targets?.has(aimed);
    return (
      <div className="float plan-linkbar" role="status">
        <b className="cut">{name(from)}</b>
        <ArrowRight size={14} className="flex-none" aria-hidden />
        <b className="cut">{aimed && aimed !== from ? name(aimed) : "…"}</b>
        <span className="cap">{may ? t(byKeys ? "plan.graph.pick" : "plan.graph.drop") : t("plan.graph.may")}</span>
        {byKeys && <Kbd keys={keysOf("closeIt")} />}
      </div>
    );
  }
  if (!link) return null;
  return (
    <div
      className="float plan-linkbar"
      data-linkbar
      role="group"
      aria-label={t("plan.graph.line", { from: name(link.from), to: name(link.to) })}
    >
      <b className="cut">{name(link.from)}</b>
      <ArrowRight size={14} className="flex-none" aria-hidden />
      <b className="cut">{name(link.to)}</b>
      {!still && (
        <IconButton
          icon={Trash2}
          size="sm"
          label={t("plan.graph.remove")}
          keys={keysOf("removeTask")}
          onClick={() => onRemove(link)}
        />
      )}
    </div>
  );
}

/** What the marks mean, and how long the longest chain is. */
export function GraphNote({ model, critical }: { model: PlanModel; critical: Critical }) {
  const { t } = useTranslation();
  const minutes = useMinutes();
  if (critical.tasks.size < 2 && !model.blocker) return null;
  return (
    <div className="float plan-graph-note cap">
      {critical.tasks.size > 1 && (
        <span className="row gap-1.5">
          <i className="plan-key plan-key--critical" aria-hidden />
          {t("plan.graph.criticalOf", { time: minutes(critical.minutes) })}
        </span>
      )}
      {model.blocker && (
        <span className="row gap-1.5">
          <i className="plan-key plan-key--blocker" aria-hidden />
          {t("plan.graph.blocker")}
        </span>
      )}
    </div>
  );
}
