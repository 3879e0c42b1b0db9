import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { RollbackJobs } from "@/flow/RollbackJobs";
import { applyActions, useApply, whileNewest } from "@/stores/applies";
import { useTeam } from "@/stores/team";
import { showTeam } from "@/stores/teams";
import { gatewayName } from "@/i18n/gateway";
import { attempt } from "@/stores/faults";
import { useRead } from "@/stores/read";
import { useUi } from "@/stores/ui";
import { displayName, findAgent, type Apply } from "@/topology";
import { Button, Dialog, toast } from "@/ui";
import { ended, failureOf } from "./applies";
import { failureNotice } from "./failures";
import { doneText } from "./doneText";
import { follow } from "./follow";
import { followChange, putAway, useReview } from "./store";
import { askBeforeDeleting, stopAsking, undoApply } from "./undo";

/** Opens the review of the team that was applied. */
async function show({ team }: Apply): Promise<void> {
  if (team && team !== useTeam.getState().id) await showTeam(team);
  useUi.getState().go("review");
}

/** Tells how an apply ended wherever the person is, and asks before an undo deletes agents. */
export function ApplyNotices() {
  const { t } = useTranslation();
  const apply = useApply(useReview((s) => s.watching));
  const screen = useUi((s) => s.screen);
  // The end of an apply may come by the stream before the hub has answered which apply it is.
  const sending = useReview((s) => s.sending);
  const told = useRef("");
  useEffect(follow, []);
  useEffect(followChange, []);
  useEffect(() => {
    if (sending || !ended(apply) || askBeforeDeleting(apply) || told.current === apply.id) return;
    if (screen === "review") return; // the screen shows this apply
    told.current = apply.id;
    // It goes when the next apply begins: what was undone no longer offers its undo.
    const elsewhere = apply.team !== useTeam.getState().id;
    const common = { closeLabel: t("common.close"), while: whileNewest(apply) },
      why = failureOf(apply.error, apply);
    if (apply.state === "done") {
      putAway();
      const undo =
        apply.kind === "apply" && apply.snapshotId && apply.sent > 0
          ? { label: t("apply.undo"), run: () => void attempt("undoApply", () => undoApply(apply)) }
          : undefined;
      toast({ ...common, tone: "done", text: doneText(t, apply), action: undo, for: 12_000 });
    } else if (apply.state === "canceled") {
      putAway();
      toast({ ...common, text: t("apply.canceled") });
    } else {
      toast({
        ...common,
        tone: "failed",
        text: elsewhere
          ? t("apply.at", { gateway: gatewayName(t, apply.gateway), what: failureNotice(t, why, apply) })
          : failureNotice(t, why, apply),
        action: { label: t("apply.show"), run: () => void attempt("open", () => show(apply)) },
      });
    }
  }, [apply, screen, sending, t]);
  return <AskDeletion />;
}

function AskDeletion() {
  const { t } = useTranslation();
  const asking = useReview((s) => s.asking),
    topology = useTeam((s) => s.topology);
  const { gateway = "", snapshotId = "" } = asking?.apply ?? {};
  const { data: preview, error } = useRead({
    key: ["rollback", gateway, snapshotId],
    when: !!asking,
    read: () => applyActions.previewRollback(gateway, snapshotId),
  });
  if (!asking) return null;
  const names = asking.agents.map((id) => displayName(findAgent(topology, id) ?? { id }));
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open) stopAsking();
      }}
      title={t("apply.undoDeletes", { count: names.length })}
      footer={
        <>
          <Button onClick={stopAsking}>{t("common.cancel")}</Button>
          <Button
            tone="danger"
            disabled={!preview && !error}
            onClick={() => void attempt("undoApply", () => undoApply(asking.apply, true))}
          >
            {t("apply.undoAndDelete")}
          </Button>
        </>
      }
    >
      <p>{t("apply.undoDeletesWhy")}</p>
      <ul className="pt-2">
        {names.map((n, i) => (
          <li key={asking.agents[i]}>
            <b className="text-text">{n}</b> <span className="cap mono">{asking.agents[i]}</span>
          </li>
        ))}
      </ul>
      {preview?.deletions.some((d) => d.byGateway) && <p className="pt-2">{t("history.sessionsGo")}</p>}
      {preview && <RollbackJobs preview={preview} />}
    </Dialog>
  );
}
