import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning, fieldName } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { useRead } from "@/stores/read";
import { displayName, findAgent, type ExportFormat, type Topology } from "@/topology";
import { Button, Dialog, ErrorState, RadioGroup, Skeleton } from "@/ui";
import { exported, save } from "./actions";
import { closeDialog } from "./dialogs";
import { groupLosses, type LossGroup } from "./losses";

const formats: ExportFormat[] = ["agentflow", "openclaw-map", "openclaw-list", "openclaw-entries", "agents-yml"];

/** The team in another format; what that format cannot hold is said before anything is written. */
export function ExportDialog() {
  const { t } = useTranslation();
  const [format, setFormat] = useState<ExportFormat>("agentflow");
  const { data: got, error, again } = useRead({ key: ["export", format], read: () => exported(format) });
  const topology = useTeam((s) => s.topology);
  const [failed, setFailed] = useState<ApiError>();
  const write = () => {
    if (got)
      save(got.filename, got.text).then(
        (done) => {
          if (done) closeDialog();
        },
        (e: unknown) => setFailed(asApiError(e)),
      );
  };
  const groups = got ? groupLosses(got.losses) : [];
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o) closeDialog();
      }}
      title={t("teams.exportTitle")}
      width={520}
      footer={
        <>
          <Button onClick={closeDialog}>{t("common.cancel")}</Button>
          <Button tone="main" disabled={!got} onClick={write}>
            {got ? t("teams.saveAs", { name: got.filename }) : t("teams.saveIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-4 text-text">
        <RadioGroup
          label={t("teams.format")}
          value={format}
          onValue={setFormat}
          options={formats.map((f) => ({
            value: f,
            label: t(`teams.formats.${f}`),
            hint: t(`teams.formats.${f}-why`),
          }))}
        />
        <section aria-live="polite" className="rounded-[var(--r-2)] border border-line-2">
          <h3 className="border-b border-line bg-surface-2 px-3 py-1.5">{t("teams.losses")}</h3>
          {!got && !error && <Skeleton lines={2} label={t("common.loading")} />}
          {error && (
            <div className="p-2">
              <ErrorState
                title={t("fault.export")}
                actions={
                  <Button size="sm" onClick={again}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, error)}
              </ErrorState>
            </div>
          )}
          {got && !groups.length && <p className="t2 px-3 py-2">{t("teams.noLosses")}</p>}
          {groups.length > 0 && (
            <ul className="max-h-48 overflow-auto py-1">
              {groups.map((g) => (
                <LossRow key={`${g.reason}${g.field}${g.kind}`} group={g} topology={topology} />
              ))}
            </ul>
          )}
        </section>
        {failed && <ErrorState title={t("fault.export")}>{errorMeaning(t, failed)}</ErrorState>}
      </div>
    </Dialog>
  );
}

function LossRow({ group: g, topology }: { group: LossGroup; topology: Topology }) {
  const { t } = useTranslation();
  const name = (id = "") => {
    const a = findAgent(topology, id);
    return a ? displayName(a) : id;
  };
  const what = g.kind
    ? t("teams.lostKind", { kind: t(`kind.${g.kind}`, { defaultValue: g.kind }) })
    : g.field
      ? fieldName(t, g.field)
      : t("teams.wholeAgent");
  const shown = g.who.slice(0, 6).map((w) => (w.target ? `${name(w.agent)} → ${name(w.target)}` : name(w.agent)));
  const rest = g.who.length - shown.length;
  return (
    <li className="px-3 py-1">
      <b>{what}</b> <span className="t2">{t(`teams.lost.${g.reason}`)}</span>
      {shown.length > 0 && (
        <div className="cap">{formatList(rest > 0 ? [...shown, t("teams.andMore", { count: rest })] : shown)}</div>
      )}
    </li>
  );
}
