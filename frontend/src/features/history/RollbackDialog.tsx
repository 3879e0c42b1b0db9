import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { formatDateTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { applyActions } from "@/stores/applies";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { useUi } from "@/stores/ui";
import type { Snapshot } from "@/topology";
import { Button, Checkbox, Dialog, ErrorState } from "@/ui";

/** Asks, because it changes the gateway. `onStarted` follows it where no team does. */
export function RollbackDialog({
  snapshot: s,
  onClose,
  onStarted,
}: {
  snapshot: Snapshot;
  onClose: () => void;
  onStarted: (apply: string) => void;
}) {
  const { t } = useTranslation();
  const team = useTeam((d) => d.id),
    name = useTeam((d) => d.name),
    own = useTeam((d) => d.gateway === s.gateway && d.status === "ready");
  const [follow, setFollow] = useState(own);
  const [deletes, setDeletes] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async () => {
    setBusy(true);
    try {
      if (follow && !(await useTeam.getState().flush())) throw useTeam.getState().save.error ?? new Error("not saved");
      const a = await applyActions.rollback(s.gateway, {
        snapshotId: s.id,
        team: follow ? team : undefined,
        deleteAgents: deletes,
      });
      onClose();
      if (follow) useUi.getState().go("review");
      else onStarted(a.id);
    } catch (e) {
      setError(asApiError(e));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) onClose();
      }}
      title={t("history.rollbackTitle", { gateway: gatewayName(t, s.gateway) })}
      width={480}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("history.keepGateway")}
          </Button>
          <Button tone="danger" busy={busy} onClick={() => void run()}>
            {t("history.rollbackIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-3">
        <p>
          {t("history.rollbackWhat", {
            gateway: gatewayName(t, s.gateway),
            when: formatDateTime(s.at),
            agents: t("counts.agents", { count: s.agents }),
          })}
        </p>
        <p>{t("history.rollbackBack")}</p>
        <div className="col gap-2 text-text">
          {own && (
            <Checkbox
              label={t("history.follow", { name })}
              hint={t("history.followHint")}
              checked={follow}
              onChecked={setFollow}
            />
          )}
          <Checkbox
            label={t("history.deletes")}
            hint={t("history.deletesHint")}
            checked={deletes}
            onChecked={setDeletes}
          />
        </div>
        {error && <ErrorState title={t("history.rollbackFailed")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
