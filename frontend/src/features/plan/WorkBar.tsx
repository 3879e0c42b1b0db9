import { CircleAlert, CircleCheck, CircleOff, CirclePause, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { TFunction } from "i18next";
import { formatCost, formatNumber, formatShort } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { expectedOf } from "@/stores/planTime";
import type { PlanModel } from "@/stores/planTree";
import { useHub } from "@/stores/hub";
import { planActions, usePlan } from "@/stores/plans";
import { atWork } from "@/stores/work";
import type { PlanWhole } from "@/topology";
import { Banner, Button } from "@/ui";
import { OrderButton } from "./OrderButton";
import { isLeaf } from "./words";

/** What the work has used so far, and what all of it is expected to. */
function costOf(t: TFunction, work: NonNullable<PlanWhole["work"]>, model: PlanModel): string[] {
  if (!work.tokens) return [];
  const usd = expectedOf(model, work.usd),
    tokens = expectedOf(model, work.tokens);
  return [
    t("plan.run.used", { n: formatShort(work.tokens) }),
    ...(work.usd > 0 ? [formatCost(work.usd)] : []),
    ...(work.unpriced ? [t("plan.run.unpriced")] : []),
    ...(usd
      ? [t("plan.run.expectUsd", { cost: formatCost(usd) })]
      : tokens
        ? [t("plan.run.expect", { n: formatShort(Math.round(tokens)) })]
        : []),
  ];
}

/** How the name ends under which the hub asks for a plan (planexec). */
const asksAs = (plan: string) => ` · ${plan.slice(-6)}`;

/** How the work on the plan stands, and the way to pause, resume or cancel it. */
export function WorkBar({ whole, model }: { whole: PlanWhole; model: PlanModel }) {
  const { t } = useTranslation();
  const busy = usePlan((s) => s.busy),
    question = useHub((s) => s.inbox.find((q) => q.agent.endsWith(asksAs(whole.id)))),
    { work } = whole;
  if (!work) return null;
  const cost = costOf(t, work, model),
    share = [t("plan.share_", { done: whole.done, all: whole.tasks }), ...cost].join(" · ");
  if (work.state === "ended" && whole.done === whole.tasks)
    return (
      <div className="banner" role="status">
        <CircleCheck size={16} className="ico text-done" aria-hidden />
        <span className="grow">
          {t("plan.run.complete")} <span className="t2 num">{cost.join(" · ")}</span>
        </span>
        <OrderButton order={work} />
      </div>
    );
  if (work.state === "canceled")
    return (
      <div className="banner" role="status">
        <CircleOff size={16} className="ico" aria-hidden />
        <span className="grow">
          {t("plan.run.canceled")} <span className="t2 num">{share}</span>
        </span>
        <OrderButton order={work} />
      </div>
    );
  const cancel = (
    <Button size="sm" disabled={busy} onClick={() => void planActions.cancelWork()}>
      {t("plan.run.cancel")}
    </Button>
  );
  const pause = (
    <Button size="sm" disabled={busy} onClick={() => void planActions.pause()}>
      {t("plan.run.pause")}
    </Button>
  );
  if (work.state === "working" && question) {
    return (
      <Banner
        tone="waiting"
        icon={CirclePause}
        actions={
          <>
            <Button size="sm" onClick={() => atWork.answer(question.id)}>
              {t("work.answer")}
            </Button>
            <OrderButton order={work} />
            {pause}
            {cancel}
          </>
        }
      >
        {t("plan.run.asks")} <span className="t2 num">{share}</span>
      </Banner>
    );
  }
  if (work.state === "working") {
    return (
      <div className="banner" role="status" aria-label={t("plan.run.working")}>
        <LoaderCircle size={16} className="ico spin" aria-hidden />
        <span className="grow">
          {t("plan.run.working")} <span className="t2 num">{share}</span>
        </span>
        <OrderButton order={work} />
        {pause}
        {cancel}
      </div>
    );
  }
  const reason = work.failure?.details?.reason,
    spent = reason === "token_budget",
    dear = reason === "usd_budget",
    free = reason === "untold" || reason === "unpriced";
  const failures = [...model.items.values()].filter((i) => i.standing === "failed" && isLeaf(i)).map((i) => i.id),
    left = work.state === "ended" && ![...model.items.values()].some((i) => i.standing === "failed");
  const failed = work.failure && reason !== "hub_restarted";
  const why = left
    ? t("plan.run.left")
    : work.state === "ended"
      ? t("plan.run.ended")
      : work.held
        ? t("plan.run.held")
        : !work.failure
          ? t("plan.run.paused")
          : spent
            ? t("plan.run.spent", { n: formatNumber(work.tokens) })
            : dear
              ? t("plan.run.spentUsd", { cost: formatCost(work.usd) })
              : reason === "untold"
                ? t("plan.run.untold")
                : reason === "unpriced"
                  ? t("plan.run.dearless")
                  : failed
                    ? t("plan.run.broke", { why: errorMeaning(t, work.failure) })
                    : t("plan.run.restarted");
  const more = work.tokens + (work.maxTokens ?? 0),
    moreUsd = Math.ceil((work.usd + (work.maxUsd ?? 0)) * 100) / 100;
  const budget = spent ? { maxTokens: more } : dear ? { maxUsd: moreUsd } : free ? { maxUsd: -1 } : {};
  return (
    <Banner
      tone={failed ? "failed" : left ? undefined : "waiting"}
      icon={failed ? CircleAlert : CirclePause}
      actions={
        work.state === "ended" ? (
          failures.length > 0 && (
            <Button size="sm" busy={busy} onClick={() => void planActions.retryTasks(failures)}>
              {t("plan.run.retryFailed", { count: failures.length })}
            </Button>
          )
        ) : (
          <>
            {!work.held && (
              <Button size="sm" busy={busy} onClick={() => void planActions.resume(budget)}>
                {free
                  ? t("plan.run.resumeFree")
                  : dear
                    ? t("plan.run.resumeUsd", { cost: formatCost(moreUsd) })
                    : spent
                      ? t("plan.run.resumeMore", { n: formatNumber(more) })
                      : t("plan.run.resume")}
              </Button>
            )}
            <OrderButton order={work} />
            {cancel}
          </>
        )
      }
    >
      {why} <span className="t2 num">{share}</span>
    </Banner>
  );
}
