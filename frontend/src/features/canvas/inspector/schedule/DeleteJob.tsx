import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { cronActs, type CronJob, type CronOf } from "@/stores/cron";
import { asApiError } from "@/stores/faults";
import { Button, Dialog, toast } from "@/ui";
import type { Failed } from "./useMeaning";

/** Asks before a job is deleted, which can't be undone. */
export function DeleteJob({
  job,
  cron,
  onClose,
  onFailed,
}: {
  job?: CronJob;
  cron: CronOf;
  onClose: () => void;
  onFailed: (f: Failed) => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const remove = async (job: CronJob) => {
    setBusy(true);
    try {
      await cronActs.remove(cron.gateway, job);
      toast({ tone: "done", text: t("schedule.deleted"), closeLabel: t("common.close") });
    } catch (e) {
      onFailed({ what: t("schedule.couldnt", { name: job.name }), error: asApiError(e) });
    }
    setBusy(false);
    cron.again();
    onClose();
  };
  return (
    <Dialog
      open={!!job}
      onOpen={(open) => !open && onClose()}
      title={t("schedule.deleteTitle", { name: job?.name ?? "" })}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button tone="danger" busy={busy} onClick={() => job && void remove(job)}>
            {t("schedule.deleteDo")}
          </Button>
        </>
      }
    >
      <p>{t("schedule.deleteWhy", { gateway: gatewayName(t, cron.gateway) })}</p>
    </Dialog>
  );
}
