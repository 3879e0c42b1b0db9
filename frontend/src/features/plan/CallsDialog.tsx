import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatDateTime, formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, type ApiError } from "@/stores/faults";
import { planLibrary, usePlan } from "@/stores/plans";
import type { PlanCall } from "@/topology";
import { Dialog, ErrorState, Skeleton } from "@/ui";

type Props = { proposal?: string; task?: string; onClose: () => void };

/** What the planner was asked for a proposal or about a task, and what it answered, word for word. */
export function CallsDialog({ proposal, task, onClose }: Props) {
  const { t } = useTranslation();
  const [calls, setCalls] = useState<PlanCall[]>(),
    [error, setError] = useState<ApiError>();
  useEffect(() => {
    let here = true;
    planLibrary.calls(usePlan.getState().id, { proposal, task }).then(
      (list) => {
        if (here) setCalls(list);
      },
      (e) => {
        if (here) setError(asApiError(e));
      },
    );
    return () => {
      here = false;
    };
  }, [proposal, task]);
  const titleOf = (id: string) => usePlan.getState().whole?.plan.tasks.find((x) => x.id === id)?.title || id;
  const factsOf = (c: PlanCall) =>
    [
      formatDateTime(c.at),
      c.model,
      t("plan.took", { s: formatNumber(Math.round(c.took / 1e8) / 10) }),
      t("plan.tokens", { in: formatNumber(c.tokensIn), out: formatNumber(c.tokensOut) }),
      c.priced ? formatCost(c.costUsd) : t("plan.callNoPrice"),
    ].join(" · ");
  return (
    <Dialog open onOpen={onClose} title={t("plan.calls")} width={720}>
      {error && <ErrorState title={t("plan.callsUnread")}>{errorMeaning(t, error)}</ErrorState>}
      {!calls && !error && <Skeleton lines={5} label={t("common.loading")} />}
      {calls?.length === 0 && <p className="t2 m-0">{t("plan.noCalls")}</p>}
      <ol className="plan-calls">
        {calls?.map((c, i) => (
          <li key={i}>
            <h3 className="plan-call">
              {t(`plan.protocol.${c.protocol}`, { defaultValue: c.protocol })}
              {c.task && <span className="t2"> {t("plan.callTask", { title: titleOf(c.task) })}</span>}
            </h3>
            <p className="cap num">{factsOf(c)}</p>
            {c.error && <p className="s-failed sc">{c.error}</p>}
            <details>
              <summary>{t("plan.question")}</summary>
              <pre tabIndex={0}>
                {c.system}
                {"\n"}
                {c.prompt}
              </pre>
            </details>
            <pre tabIndex={0} aria-label={t("plan.answer")}>
              {c.answer || "—"}
            </pre>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
