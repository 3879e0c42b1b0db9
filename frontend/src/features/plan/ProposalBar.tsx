import { GitCompare, LoaderCircle, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { planActions, usePlan } from "@/stores/plans";
import type { PlanProposal, PlanWhole } from "@/topology";
import { announce, Banner, Button, ErrorState } from "@/ui";
import { CallsDialog } from "./CallsDialog";
import { countsOf } from "./counts";
import { whyFailed } from "./words";

/** The question that the planner is at: how far the answer has come, and the way to call it off. */
export function AskingBar({ asking }: { asking: NonNullable<PlanWhole["asking"]> }) {
  const { t } = useTranslation();
  return (
    <div className="banner" role="status" aria-label={t("plan.asking")}>
      <LoaderCircle size={16} className="ico spin" aria-hidden />
      <span className="grow">
        {asking.characters > 0
          ? t("plan.answers", { model: asking.model, n: formatNumber(asking.characters) })
          : t("plan.thinks", { model: asking.model })}
        {asking.tries > 0 && ` ${t("plan.again", { n: asking.tries + 1 })}`}
      </span>
      <Button size="sm" onClick={() => void planActions.cancel(asking.proposal)}>
        {t("common.cancel")}
      </Button>
    </div>
  );
}

/** A proposal as a whole, above the view that shows it task by task. */
export function ProposalBar({ proposal: p, at, all }: { proposal: PlanProposal; at: number; all: number }) {
  const { t } = useTranslation();
  const busy = usePlan((s) => s.busy),
    [calls, setCalls] = useState(false);
  const counts = countsOf(t, p.changes);
  const runs = p.touches?.filter((x) => x.runs) ?? [],
    ended = p.touches?.filter((x) => !x.runs) ?? [];
  const accept = async () => {
    if (await planActions.accept(p.id, runs.length > 0)) announce(t("plan.accepted"));
  };
  return (
    <section className="plan-proposal" aria-label={t("plan.proposal")}>
      <div className="plan-proposal-head">
        <GitCompare size={16} className="t2 flex-none mt-1" aria-hidden />
        <div className="col grow gap-0.5">
          <b>{p.patch?.payload.understanding || p.request || t("plan.proposal")}</b>
          <span className="cap num">
            {counts || t("plan.noChange")}
            {all > 1 && ` · ${t("plan.nth", { n: at, all })}`} · {t("plan.nothingYet")}
          </span>
        </div>
        <div className="row flex-none gap-2">
          {p.model && (
            <Button size="sm" tone="quiet" onClick={() => setCalls(true)}>
              {t("plan.calls")}
            </Button>
          )}
          <Button size="sm" busy={busy} onClick={() => void planActions.refuse(p.id)}>
            {t("plan.refuse")}
          </Button>
          <Button size="sm" tone="main" busy={busy} disabled={!!p.misfit} onClick={() => void accept()}>
            {t("plan.accept", { count: p.changes.length })}
          </Button>
        </div>
      </div>
      {runs.length > 0 && (
        <p className="plan-warn">
          <TriangleAlert size={14} aria-hidden />
          {t("plan.touchesRunning", { count: runs.length, titles: runs.map((x) => x.title).join(", ") })}
        </p>
      )}
      {ended.length > 0 && (
        <p className="plan-warn">
          <TriangleAlert size={14} aria-hidden />
          {t("plan.touchesEnded", { count: ended.length, titles: ended.map((x) => x.title).join(", ") })}
        </p>
      )}
      {(p.patch?.payload.potential_conflicts ?? []).map((c) => (
        <p key={c.file} className="plan-warn">
          <TriangleAlert size={14} aria-hidden />
          <span>
            <code className="mono">{c.file}</code> {c.warning}
          </span>
        </p>
      ))}
      {p.misfit && <ErrorState title={t("plan.misfit")}>{p.misfit.message}</ErrorState>}
      {calls && <CallsDialog proposal={p.id} onClose={() => setCalls(false)} />}
    </section>
  );
}

/** How the last request ended, where nothing came of it. */
export function EndedBar({
  proposal: p,
  onAgain,
  onEdit,
  onModels,
}: {
  proposal: PlanProposal;
  onAgain: () => Promise<unknown>;
  onEdit: () => void;
  onModels: () => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const again = () => {
    setBusy(true);
    void onAgain().finally(() => setBusy(false));
  };
  const [calls, setCalls] = useState(false);
  const failed = p.state === "failed";
  return (
    <>
      <Banner
        tone={failed ? "failed" : undefined}
        actions={
          <>
            {p.calls > 0 && (
              <Button size="sm" onClick={() => setCalls(true)}>
                {t("plan.calls")}
              </Button>
            )}
            {failed && (
              <Button size="sm" onClick={onModels}>
                {t("plan.models")}
              </Button>
            )}
            <Button size="sm" onClick={onEdit}>
              {t("plan.editRequest")}
            </Button>
            <Button size="sm" busy={busy} onClick={again}>
              {t("common.retry")}
            </Button>
          </>
        }
      >
        {failed
          ? whyFailed(t, p)
          : p.state === "canceled"
            ? t("plan.canceled")
            : t("plan.nothingNeeded", { text: p.patch?.payload.understanding ?? "" })}
      </Banner>
      {calls && <CallsDialog proposal={p.id} onClose={() => setCalls(false)} />}
    </>
  );
}
