import { CircleAlert, CirclePause, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { planActions, usePlan } from "@/stores/plans";
import type { PlanWhole } from "@/topology";
import { Banner, Button } from "@/ui";

/** How the work on the plan stands, and the way to pause, resume or cancel it. */
export function WorkBar({ whole }: { whole: PlanWhole }) {
  const { t } = useTranslation();
  const busy = usePlan((s) => s.busy), { work } = whole;
  if (!work || work.state === "cancelled" || (work.state === "ended" && whole.done === whole.tasks)) return null;
  const share = t("plan.share_", { done: whole.done, all: whole.tasks });
  const cancel = <Button size="sm" disabled={busy} onClick={() => void planActions.cancelWork()}>{t("common.cancel")}</Button>;
  if (work.state === "working") {
    return (
      <div className="banner" role="status" aria-label={t("plan.run.working")}>
        <LoaderCircle size={16} className="ico spin" aria-hidden />
        <span className="grow">{t("plan.run.working")} <span className="t2 num">{share}</span></span>
        <Button size="sm" disabled={busy} onClick={() => void planActions.pause()}>{t("plan.run.pause")}</Button>
        {cancel}
      </div>
    );
  }
  const spent = work.failure?.details?.reason === "token_budget";
  const failed = work.failure && work.failure.details?.reason !== "hub_restarted";
  const why = work.state === "ended" ? t("plan.run.ended") : !work.failure ? t("plan.run.paused") : spent ? t("plan.run.spent", { n: formatNumber(work.tokens) }) : failed ? t("plan.run.broke", { why: errorMeaning(t, work.failure) }) : t("plan.run.restarted");
  const more = spent ? work.tokens + (work.maxTokens ?? 0) : 0;
  return (
    <Banner tone={failed ? "failed" : "waiting"} icon={failed ? CircleAlert : CirclePause} actions={work.state === "paused" && <>
      <Button size="sm" busy={busy} onClick={() => void planActions.resume(more)}>{spent ? t("plan.run.resumeMore", { n: formatNumber(more) }) : t("plan.run.resume")}</Button>
      {cancel}
    </>}>{why} <span className="t2 num">{share}</span></Banner>
  );
}
