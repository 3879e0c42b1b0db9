import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatList } from "@/i18n/format";
import { databaseActions } from "@/stores/database";
import { asApiError, type ApiError } from "@/stores/faults";
import { useRead } from "@/stores/read";
import type { Swept } from "@/topology";
import { Button, Dialog, ErrorState, Field, Select, toast } from "@/ui";
import { Card } from "../Card";
import { trouble } from "./trouble";

const ages = [7, 30, 90, 180, 365] as const,
  numbers = [20, 50, 200, 1000] as const;
const parts = (t: TFunction, s: Swept) => ({
  what: formatList([
    t("settings.data.goVersions", { count: s.versions }),
    t("settings.data.goConfigs", { count: s.snapshots }),
    ...(s.files ? [t("settings.data.goFiles", { count: s.files })] : []),
  ]),
  bytes: formatBytes(s.bytes),
});

type Rule = { days: number; newest: number };

/** Removes old versions and kept configs; what would go is shown before. */
export function CleanUpCard({ onCleaned }: { onCleaned: () => void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState("90"),
    [newest, setNewest] = useState("50");
  const [asking, setAsking] = useState(false);
  const rule = { days: Number(days), newest: Number(newest) };
  const {
    data: goes,
    error,
    again,
  } = useRead({
    key: ["cleanUp", rule.days, rule.newest],
    read: (signal) => databaseActions.previewCleanUp(rule, signal),
  });
  const nothing = !goes || goes.versions + goes.snapshots + goes.files === 0;
  const done = (took: Swept) => {
    setAsking(false);
    again();
    onCleaned();
    toast({ tone: "done", text: t("settings.data.cleaned", parts(t, took)), closeLabel: t("common.close") });
  };
  return (
    <Card title={t("settings.data.clean")}>
      <div className="col gap-3 p-3">
        <p className="t2">{t("settings.data.cleanWhy")}</p>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          <div className="min-w-40 flex-1">
            <Field label={t("settings.data.older")}>
              {(ids) => (
                <Select
                  {...ids}
                  value={days}
                  onValue={setDays}
                  options={ages.map((n) => ({ value: String(n), label: t("settings.data.days", { count: n }) }))}
                />
              )}
            </Field>
          </div>
          <div className="min-w-52 flex-1">
            <Field label={t("settings.data.newest")}>
              {(ids) => (
                <Select
                  {...ids}
                  value={newest}
                  onValue={setNewest}
                  options={numbers.map((n) => ({ value: String(n), label: t("settings.data.newestN", { count: n }) }))}
                />
              )}
            </Field>
          </div>
        </div>
        {error ? (
          <ErrorState
            title={t("settings.data.previewFailed")}
            actions={
              <Button size="sm" onClick={again}>
                {t("common.retry")}
              </Button>
            }
          >
            {trouble(t, error)}
          </ErrorState>
        ) : (
          <div className="row min-h-8 flex-wrap">
            <p className="grow" role="status">
              {!goes
                ? t("common.loading")
                : nothing
                  ? t("settings.data.nothing")
                  : t("settings.data.goes", parts(t, goes))}
            </p>
            <Button tone={nothing ? undefined : "danger"} disabled={nothing} onClick={() => setAsking(true)}>
              {t("settings.data.cleanIt")}
            </Button>
          </div>
        )}
      </div>
      {asking && goes && <Ask rule={rule} goes={goes} onClose={() => setAsking(false)} onDone={done} />}
    </Card>
  );
}

function Ask({
  rule,
  goes,
  onClose,
  onDone,
}: {
  rule: Rule;
  goes: Swept;
  onClose: () => void;
  onDone: (took: Swept) => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const clean = () => {
    setBusy(true);
    databaseActions.cleanUp(rule).then(onDone, (e: unknown) => {
      setError(asApiError(e));
      setBusy(false);
    });
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      title={t("settings.data.cleanTitle")}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button tone="danger" busy={busy} onClick={clean}>
            {t("settings.data.cleanIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-2">
        <p>{t("settings.data.goes", parts(t, goes))}</p>
        <p>{t("settings.data.cleanForGood")}</p>
        {error && <ErrorState title={t("settings.data.cleanFailed")}>{trouble(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
