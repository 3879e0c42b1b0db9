import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, type ApiError } from "@/stores/faults";
import { planLibrary, usePlan } from "@/stores/plans";
import type { PlanCall } from "@/topology";
import { Dialog, ErrorState, Skeleton } from "@/ui";

/** What the meta-agent was asked and what it answered, word for word. */
export function CallsDialog({ proposal, onClose }: { proposal: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [calls, setCalls] = useState<PlanCall[]>(), [error, setError] = useState<ApiError>();
  useEffect(() => {
    let here = true;
    planLibrary.calls(usePlan.getState().id, proposal).then((list) => { if (here) setCalls(list); }, (e) => { if (here) setError(asApiError(e)); });
    return () => { here = false; };
  }, [proposal]);
  return (
    <Dialog open onOpen={onClose} title={t("plan.calls")} width={720}>
      {error && <ErrorState title={t("plan.callsUnread")}>{errorMeaning(t, error)}</ErrorState>}
      {!calls && !error && <Skeleton lines={5} label={t("common.loading")} />}
      <ol className="plan-calls">
        {calls?.map((c, i) => (
          <li key={i}>
            <p className="cap num">{formatDateTime(c.at)} · {c.model} · {t("plan.took", { s: formatNumber(Math.round(c.took / 1e8) / 10) })} · {t("plan.tokens", { in: formatNumber(c.tokensIn), out: formatNumber(c.tokensOut) })}</p>
            {c.error && <p className="s-failed sc">{c.error}</p>}
            <details><summary>{t("plan.question")}</summary><pre tabIndex={0}>{c.system}{"\n"}{c.prompt}</pre></details>
            <pre tabIndex={0} aria-label={t("plan.answer")}>{c.answer || "—"}</pre>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
