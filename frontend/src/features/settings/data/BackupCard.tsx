import { ArchiveRestore, Save } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { databaseActions } from "@/stores/database";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Backup, DatabaseSize } from "@/topology";
import { Button, ErrorState, toast } from "@/ui";
import { Card } from "../Card";
import { RestoreDialog } from "./RestoreDialog";
import { trouble } from "./trouble";

type Work = { what: "save" | "check"; stop: AbortController };
type Failure = { what: Work["what"]; error: ApiError };

/** Saves a copy of everything, and takes one back. Both can be broken off. */
export function BackupCard({ now }: { now?: DatabaseSize }) {
  const { t } = useTranslation();
  const [work, setWork] = useState<Work>();
  const [failure, setFailure] = useState<Failure>();
  const [checked, setChecked] = useState<{ name: string; backup: Backup }>();
  const running = useRef<AbortController>(undefined);
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async <T,>(what: Work["what"], job: (signal: AbortSignal) => Promise<T>, done: (v: T) => void) => {
    const stop = new AbortController();
    running.current = stop;
    setWork({ what, stop });
    setFailure(undefined);
    try {
      done(await job(stop.signal));
    } catch (e) {
      if (!stop.signal.aborted) setFailure({ what, error: asApiError(e) });
    }
    setWork(undefined);
  };
  const save = () =>
    void run("save", databaseActions.backup, (name) => {
      if (name) toast({ tone: "done", text: t("settings.data.saved", { name }), closeLabel: t("common.close") });
    });
  const check = (file: File) =>
    void run(
      "check",
      (signal) => databaseActions.check(file, signal),
      (backup) => setChecked({ name: file.name, backup }),
    );
  const close = () => {
    databaseActions.forget();
    setChecked(undefined);
  };
  return (
    <Card title={t("settings.data.backup")}>
      <div className="col gap-3 p-3">
        <p className="t2">{t("settings.data.backupWhy")}</p>
        <div className="row flex-wrap">
          <Button icon={Save} busy={work?.what === "save"} disabled={!!work} onClick={save}>
            {t("settings.data.save")}
          </Button>
          <Button
            icon={ArchiveRestore}
            busy={work?.what === "check"}
            disabled={!!work}
            onClick={() => chooser.current?.click()}
          >
            {t("settings.data.restore")}
          </Button>
          {work && (
            <>
              <span className="cap" role="status">
                {t(work.what === "save" ? "settings.data.saving" : "settings.data.checking")}
              </span>
              <Button size="sm" tone="quiet" onClick={() => work.stop.abort()}>
                {t("common.cancel")}
              </Button>
            </>
          )}
        </div>
        <input
          ref={chooser}
          type="file"
          accept=".db,.sqlite,.sqlite3"
          hidden
          aria-label={t("settings.data.restore")}
          onChange={(e) => {
            const file = e.target.files?.[0];
            e.target.value = "";
            if (file) check(file);
          }}
        />
        {failure && (
          <ErrorState title={t(failure.what === "save" ? "settings.data.saveFailed" : "settings.data.checkFailed")}>
            {trouble(t, failure.error)}
          </ErrorState>
        )}
      </div>
      {checked && <RestoreDialog {...checked} now={now} onClose={close} />}
    </Card>
  );
}
