import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning, fieldName } from "@/i18n/problem";
import { useDrawing } from "@/stores/drawing";
import { asApiError, type ApiError } from "@/stores/faults";
import { displayName, findAgent, type Exported, type ExportFormat, type Topology } from "@/topology";
import { Button, Dialog, ErrorState, RadioGroup, Skeleton } from "@/ui";
import { exported, save } from "./actions";
import { closeDialog } from "./dialogs";
import { groupLosses, type LossGroup } from "./losses";

const formats: ExportFormat[] = ["agentflow", "openclaw-map", "openclaw-list", "openclaw-entries", "agents-yml"];

/** The drawing in another format; what that format cannot hold is said before anything is written. */
export function ExportDialog() {
  const { t } = useTranslation();
  const [format, setFormat] = useState<ExportFormat>("agentflow");
  const [file, setFile] = useState<{ format: ExportFormat; got?: Exported; error?: ApiError }>();
  const [round, setRound] = useState(0);
  const topology = useDrawing((s) => s.topology);
  useEffect(() => {
    let gone = false;
    exported(format).then(
      (got) => {
        if (!gone) setFile({ format, got });
      },
      (e: unknown) => {
        if (!gone) setFile({ format, error: asApiError(e) });
      },
    );
    return () => {
      gone = true;
    };
  }, [format, round]);
  const now = file?.format === format ? file : undefined;
  const [failed, setFailed] = useState<ApiError>();
  const write = () => {
    if (now?.got)
      save(now.got.filename, now.got.text).then(
        (done) => {
          if (done) closeDialog();
        },
        (e: unknown) => setFailed(asApiError(e)),
      );
  };
  const groups = now?.got ? groupLosses(now.got.losses) : [];
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o) closeDialog();
      }}
      title={t("drawings.exportTitle")}
      width={520}
      footer={
        <>
          <Button onClick={closeDialog}>{t("common.cancel")}</Button>
          <Button tone="main" disabled={!now?.got} onClick={write}>
            {now?.got ? t("drawings.saveAs", { name: now.got.filename }) : t("drawings.saveIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-4 text-text">
        <RadioGroup
          label={t("drawings.format")}
          value={format}
          onValue={setFormat}
          options={formats.map((f) => ({
            value: f,
            label: t(`drawings.formats.${f}`),
            hint: t(`drawings.formats.${f}-why`),
          }))}
        />
        <section aria-live="polite" className="rounded-[var(--r-2)] border border-line-2">
          <h3 className="border-b border-line bg-surface-2 px-3 py-1.5">{t("drawings.losses")}</h3>
          {!now && <Skeleton lines={2} label={t("common.loading")} />}
          {now?.error && (
            <div className="p-2">
              <ErrorState
                title={t("fault.export")}
                actions={
                  <Button size="sm" onClick={() => setRound(round + 1)}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, now.error)}
              </ErrorState>
            </div>
          )}
          {now?.got && !groups.length && <p className="t2 px-3 py-2">{t("drawings.noLosses")}</p>}
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
    ? t("drawings.lostKind", { kind: t(`kind.${g.kind}`, { defaultValue: g.kind }) })
    : g.field
      ? fieldName(t, g.field)
      : t("drawings.wholeAgent");
  const shown = g.who.slice(0, 6).map((w) => (w.target ? `${name(w.agent)} → ${name(w.target)}` : name(w.agent)));
  const rest = g.who.length - shown.length;
  return (
    <li className="px-3 py-1">
      <b>{what}</b> <span className="t2">{t(`drawings.lost.${g.reason}`)}</span>
      {shown.length > 0 && (
        <div className="cap">{formatList(rest > 0 ? [...shown, t("drawings.andMore", { count: rest })] : shown)}</div>
      )}
    </li>
  );
}
