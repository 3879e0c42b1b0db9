import { LoaderCircle } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatDateTime, formatNumber } from "@/i18n/format";
import { databaseActions } from "@/stores/database";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Backup, DatabaseSize } from "@/topology";
import { Button, Dialog, ErrorState } from "@/ui";
import { trouble } from "./trouble";

type Props = { name: string; backup: Backup; now?: DatabaseSize; onClose: () => void };
type State = { busy?: boolean; error?: ApiError; /** What was here before, when it is done. */ aside?: string };

/** Shows what is in a backup that was checked, beside what is here, and asks before it takes its place. */
export function RestoreDialog({ name, backup, now, onClose }: Props) {
  const { t } = useTranslation();
  const [{ busy, error, aside }, setState] = useState<State>({});
  const reload = () => location.reload(); // everything that is shown is of the database before
  const restore = () => {
    setState({ busy: true });
    databaseActions.restore().then(
      (kept) => setState({ aside: kept }),
      (e: unknown) => setState({ error: asApiError(e) }),
    );
  };
  if (aside) {
    return (
      <Dialog
        open
        onOpen={reload}
        title={t("settings.data.backup")}
        footer={
          <Button tone="main" autoFocus onClick={reload}>
            {t("settings.data.open")}
          </Button>
        }
      >
        <p className="break-words select-text">{t("settings.data.restored", { name: aside })}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={480}
      title={t("settings.data.restoreTitle")}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("settings.data.keep")}
          </Button>
          <Button tone="danger" busy={busy} onClick={restore}>
            {t("settings.data.restoreIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-3">
        <p className="mono break-all text-text" translate="no">
          {name}
        </p>
        <table className="w-full border-collapse text-left text-text">
          <thead className="t3 text-12">
            <tr>
              <th className="font-[400]">
                <span className="sr-only">{t("settings.data.kind")}</span>
              </th>
              <th className="w-28 pb-1 text-right font-[400]">{t("settings.data.inIt")}</th>
              <th className="w-28 pb-1 text-right font-[400]">{t("settings.data.now")}</th>
            </tr>
          </thead>
          <tbody>
            {backup.parts.map((p) => (
              <tr key={p.kind} className="border-t border-line">
                <th scope="row" className="py-1 font-[400]">
                  {t(`settings.data.kinds.${p.kind}`)}
                </th>
                <td className="num text-right">{formatNumber(p.count)}</td>
                <td className="num t2 text-right">
                  {formatNumber(now?.parts.find((x) => x.kind === p.kind)?.count ?? 0)}
                </td>
              </tr>
            ))}
            <tr className="border-t border-line">
              <th scope="row" className="py-1 font-[400]">
                {t("settings.data.sizes")}
              </th>
              <td className="num text-right">{formatBytes(backup.bytes)}</td>
              <td className="num t2 text-right">{now && formatBytes(now.bytes)}</td>
            </tr>
            {backup.last && (
              <tr className="border-t border-line">
                <th scope="row" className="py-1 font-[400]">
                  {t("settings.data.last")}
                </th>
                <td className="num text-right whitespace-nowrap" colSpan={2}>
                  {formatDateTime(backup.last)}
                </td>
              </tr>
            )}
          </tbody>
        </table>
        <p>{t("settings.data.restoreWhy")}</p>
        <p>
          {t("settings.data.restoreCalm", {
            permissions: formatNumber(backup.waits.permissions),
            agents: formatNumber(backup.waits.agents),
            tasks: formatNumber(backup.waits.tasks),
            plans: formatNumber(backup.waits.plans),
          })}
        </p>
        <div aria-live="polite">
          {busy && (
            <p className="row">
              <LoaderCircle size={14} className="spin" aria-hidden />
              {t("settings.data.restoring")}
            </p>
          )}
          {error && <ErrorState title={t("settings.data.restoreFailed")}>{trouble(t, error)}</ErrorState>}
        </div>
      </div>
    </Dialog>
  );
}
