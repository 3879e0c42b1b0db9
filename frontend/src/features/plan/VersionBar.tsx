import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { leaveVersion, showVersion, usePlanHistory } from "@/stores/planHistory";
import { planActions, usePlan } from "@/stores/plans";
import type { PlanWhole } from "@/topology";
import { announce, Button, ErrorState, Skeleton } from "@/ui";
import { countsOf } from "./counts";
import { titleOf, whoOf } from "./history";

/** Above a version that is looked at: what restoring it would change, and the way to do so. */
export function VersionBar({ whole }: { whole: PlanWhole }) {
  const { t } = useTranslation();
  const busy = usePlan((s) => s.busy),
    { shown: v, unread, number } = usePlanHistory();
  const restore = async () => {
    if (v && (await planActions.restore(v.number))) {
      leaveVersion();
      announce(t("plan.history.restored"));
    }
  };
  return (
    <section className="plan-proposal" aria-label={t("plan.history.version", { n: number })}>
      <div className="plan-proposal-head">
        <History size={16} className="t2 flex-none mt-1" aria-hidden />
        <div className="col grow gap-0.5">
          {v ? (
            <>
              <b>{titleOf(t, v)}</b>
              <span className="cap num">
                {whoOf(t, v, whole.proposals)} · {formatWhen(v.at)}
                {" · "}
                {v.changes.length
                  ? t("plan.history.would", { counts: countsOf(t, v.changes) })
                  : t("plan.history.same")}
              </span>
            </>
          ) : (
            !unread && <Skeleton lines={1} label={t("common.loading")} />
          )}
        </div>
        <div className="row flex-none gap-2">
          <Button size="sm" onClick={leaveVersion}>
            {t("plan.history.back")}
          </Button>
          <Button size="sm" tone="main" busy={busy} disabled={!v?.changes.length} onClick={() => void restore()}>
            {t("plan.history.restore")}
          </Button>
        </div>
      </div>
      {unread && (
        <ErrorState
          title={t("plan.history.versionUnread")}
          actions={
            <Button size="sm" onClick={() => void showVersion(number)}>
              {t("common.retry")}
            </Button>
          }
        >
          {errorMeaning(t, unread)}
        </ErrorState>
      )}
    </section>
  );
}
