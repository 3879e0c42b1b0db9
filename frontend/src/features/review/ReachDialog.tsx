import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RollbackChanges } from "@/flow/RollbackChanges";
import { RollbackJobs } from "@/flow/RollbackJobs";
import { gatewayName } from "@/i18n/gateway";
import { applyActions } from "@/stores/applies";
import { useTeam } from "@/stores/team";
import { liveTeam, useTeams } from "@/stores/teams";
import { asApiError, attempt, type ApiError } from "@/stores/faults";
import { stopAskingReach, useReach, type Asked } from "@/stores/reach";
import { useRead } from "@/stores/read";
import { useUi } from "@/stores/ui";
import type { Preview } from "@/topology";
import { Button, Dialog, ErrorState, Skeleton } from "@/ui";
import { failureOf } from "./applies";
import { failureText, failureTitle } from "./failures";
import { recreatedText, restartText } from "./words";
import { rollBackTo } from "./undo";
import "./review.css";

/** Undo or redo has come to an apply: there as well, or in the team alone. */
export function ReachDialog() {
  const asked = useReach((s) => s.asked);
  if (!asked) return null;
  return asked.what === "redo" ? <RedoApply asked={asked} /> : <UndoApply asked={asked} />;
}

/** What going back would do there, as it is now. */
const useRollback = ({ step }: Asked) =>
  useRead({
    key: ["rollback", step.gateway, step.snapshotId],
    read: () => applyActions.previewRollback(step.gateway, step.snapshotId),
  });

function UndoApply({ asked }: { asked: Asked }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { data: preview, error, again } = useRollback(asked);
  const [refused, setRefused] = useState<ApiError>();
  const gateway = gatewayName(t, asked.step.gateway),
    deletes = preview?.deletions.length ?? 0,
    live = liveTeam(useTeams(), asked.step.gateway),
    id = useTeam((s) => s.id),
    other = asked.what === "undo" && live && live.id !== id ? live.name : undefined;
  const impossible = preview?.deletions.some((d) => !d.possible),
    rollback = asked.what === "rollback";
  const there = async () => {
    if (!preview) return;
    setBusy(true);
    try {
      await rollBackTo(asked.step, preview, asked.follows);
      stopAskingReach();
    } catch (e) {
      setRefused(asApiError(e));
      setBusy(false);
      again();
    }
  };
  const here = () => {
    stopAskingReach();
    void attempt("undo", useTeam.getState().undo);
  };
  const wrong = refused ?? error;
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) stopAskingReach();
      }}
      title={t(rollback ? "reach.againTitle" : "reach.undoTitle", { gateway })}
      width={520}
      footer={
        <>
          <Button disabled={busy} onClick={stopAskingReach}>
            {t("common.cancel")}
          </Button>
          {!rollback && (
            <Button tone={other ? "main" : undefined} disabled={busy} onClick={here}>
              {t("reach.undoHere")}
            </Button>
          )}
          <Button
            tone={deletes || other ? "danger" : "main"}
            busy={busy}
            disabled={!preview || impossible}
            onClick={() => void there()}
          >
            {t(`reach.${rollback ? "again" : "undo"}${deletes ? "AndDelete" : "There"}`, { count: deletes })}
          </Button>
        </>
      }
    >
      <p>
        {other
          ? t("reach.undoOther", { gateway, name: other })
          : t(rollback ? "reach.againWhy" : "reach.undoWhy", { gateway })}
      </p>
      {wrong && (
        <ErrorState title={failureTitle(t, failureOf(wrong), "rollback")}>
          {failureText(t, failureOf(wrong), wrong, "preview")}
        </ErrorState>
      )}
      {!preview && !error && <Skeleton lines={3} label={t("review.loading")} />}
      {preview && <WhatChanges preview={preview} />}
    </Dialog>
  );
}

function WhatChanges({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    base = useTeam((s) => s.base);
  const recreated = recreatedText(t, p.restart);
  return (
    <>
      <RollbackChanges preview={p} draft={topology} applied={base?.topology} />
      <RollbackJobs preview={p} />
      {p.deletions.length > 0 && <p className="cap">{t("reach.filesStay")}</p>}
      {recreated && (
        <div>
          <p>{recreated}</p>
          <p className="cap">{t("review.recreatedWhy")}</p>
        </div>
      )}
      <p className="cap">{restartText(t, p.restart)}</p>
    </>
  );
}

function RedoApply({ asked }: { asked: Asked }) {
  const { t } = useTranslation();
  const gateway = gatewayName(t, asked.step.gateway);
  const here = () => {
    stopAskingReach();
    void attempt("redo", useTeam.getState().redo);
  };
  const review = () => {
    stopAskingReach();
    useUi.getState().go("review");
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o) stopAskingReach();
      }}
      title={t("reach.redoTitle", { gateway })}
      width={480}
      footer={
        <>
          <Button onClick={stopAskingReach}>{t("common.cancel")}</Button>
          <Button onClick={here}>{t("reach.redoHere")}</Button>
          <Button tone="main" onClick={review}>
            {t("reach.redoThere")}
          </Button>
        </>
      }
    >
      <p>{t("reach.redoWhy", { gateway })}</p>
    </Dialog>
  );
}
