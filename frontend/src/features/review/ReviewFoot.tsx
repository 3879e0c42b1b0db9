import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { applyActions } from "@/stores/applies";
import { useTargetGone } from "@/stores/targetGone";
import { useUi } from "@/stores/ui";
import { displayName, findAgent, type AgentID, type Apply, type Preview } from "@/topology";
import { Button, keysOf } from "@/ui";
import { ended, plannedSteps, shownSteps } from "./applies";
import { stayText } from "./changes";
import { choosable, holdingUp } from "./choose";
import { takenIn } from "./conflicts";
import { ApplyNow, ApplySteps } from "./ApplySteps";
import { OutcomeActions } from "./Outcome";
import { hasAgreed, mayApply, openConflicts, sendApply, useReview, type ReviewState } from "./store";
import { fewNames, restartText } from "./words";

/** Along the bottom: where the apply stands, and the buttons for it. */
export function ReviewFoot({ preview, apply }: { preview?: Preview; apply?: Apply }) {
  return (
    <footer className="review-foot">
      {ended(apply) ? (
        <OutcomeActions apply={apply} />
      ) : apply ? (
        <Running apply={apply} deletes={!!preview?.deletions.some((d) => d.byGateway)} />
      ) : (
        preview && <Ready preview={preview} />
      )}
    </footer>
  );
}

function Running({ apply: a, deletes }: { apply: Apply; deletes: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="col grow min-w-0">
        <ApplySteps steps={shownSteps(a.steps, deletes)} />
        <span aria-live="polite">
          <ApplyNow apply={a} />
        </span>
      </div>
      <Button onClick={() => useUi.getState().go("canvas")}>{t("apply.goOn")}</Button>
      <Button
        disabled={!a.cancellable}
        title={a.cancellable ? undefined : t("apply.tooLate")}
        onClick={() => void attempt("cancelApply", () => applyActions.cancel(a.id))}
      >
        {t("common.cancel")}
      </Button>
    </>
  );
}

function Ready({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const s = useReview();
  const gone = useTargetGone(),
    may = mayApply(s) && !gone,
    waits = s.refreshing || s.sending;
  const asked = choosable(p.changes).length,
    left = asked - p.sent,
    taken = p.stale ? takenIn(p).length : 0;
  const allows = Object.keys(s.allowing).length > 0;
  const label = allows
    ? p.sent
      ? t("trust.review.apply", { count: p.sent })
      : t("trust.review.applyPlain")
    : p.sent
      ? t("apply.apply", { count: p.sent })
      : taken
        ? t("apply.takeIn", { count: taken })
        : t("apply.applyPlain");
  const why = whyNot(t, s, p);
  return (
    <>
      {p.readOnly ? null : p.sends || p.stale || left > 0 ? (
        <ApplySteps steps={plannedSteps(p)} />
      ) : (
        <span className="t2">{t("review.onlyHere")}</span>
      )}
      <span className="grow" />
      {why ? (
        <span className="cap" id="review-why">
          {why}
        </span>
      ) : asked > 0 && !p.sent && !p.stale ? (
        <span className="cap">{t("choose.none")}</span>
      ) : (
        asked > 0 && <Total preview={p} left={left} />
      )}
      <Button onClick={() => useUi.getState().go("canvas")}>{t("review.keepTeam")}</Button>
      {(p.sends || p.stale || left > 0) && (
        <Button
          tone="main"
          keys={keysOf("apply")}
          busy={waits}
          disabled={!may}
          aria-describedby={why ? "review-why" : undefined}
          onClick={() => void sendApply()}
        >
          {p.readOnly ? t("review.readOnly.save") : label}
        </Button>
      )}
    </>
  );
}

/** Why the apply can't start yet, and what would help. */
function whyNot(t: TFunction, s: ReviewState, p: Preview): string {
  const errors = p.problems.filter((x) => x.severity === "error").length,
    open = openConflicts(s).length;
  if (s.unseen) return t("review.why.unseen");
  if (open) return t("review.why.conflicts", { count: open });
  const deletes = p.deletions.some((d) => !d.possible)
    ? t("review.why.impossible")
    : p.deletions.length && !hasAgreed(s)
      ? t("review.why.deletions")
      : "";
  if (!errors) return deletes;
  const fix = t("review.why.errors", { count: errors }),
    without = deletes ? [] : holdingUp(p.changes, p.problems, s.leaveOut),
    named = (id: AgentID) => displayName((s.drawn && findAgent(s.drawn.after, id)) ?? { id });
  if (!without.length) return fix;
  const names =
    without.length > fewNames
      ? t("review.firstChoice.someAgents", { count: without.length })
      : formatList(without.map(named));
  return t("common.sentences", { a: fix, b: t("review.why.without", { names }) });
}

/** How many changes aren't selected, what the apply costs, and how many changes are never sent. */
function Total({ preview: p, left }: { preview: Preview; left: number }) {
  const { t } = useTranslation();
  const chosen = p.changes.filter((c) => !c.leftOut);
  return (
    <span className="cap num review-total" data-total>
      {[left > 0 && t("choose.left", { count: left }), restartText(t, p.restart), p.sent > 0 && stayText(t, chosen)]
        .filter(Boolean)
        .join(t("history.dot"))}
    </span>
  );
}
