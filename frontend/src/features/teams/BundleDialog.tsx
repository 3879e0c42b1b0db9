import { FileArchive, FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "@/i18n/format";
import { errorMeaning, fieldName } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { teamActions } from "@/stores/teams";
import { asApiError, type ApiError } from "@/stores/faults";
import { useRead } from "@/stores/read";
import { displayName, findAgent, type BundleLoss } from "@/topology";
import { Button, Dialog, ErrorState, Skeleton, Switch } from "@/ui";
import { save } from "./actions";
import { closeDialog } from "./dialogs";

/** Saves the team as one file to share. Shows before what the file contains and what it leaves out. */
export function BundleDialog() {
  const { t, i18n } = useTranslation();
  const id = useTeam((s) => s.id),
    flush = useTeam((s) => s.flush);
  const [versions, setVersions] = useState(true);
  const [failed, setFailed] = useState<ApiError>();
  const lng = i18n.language === "ja" ? "ja" : "en";
  const {
    data: packed,
    error,
    again,
  } = useRead({
    key: ["bundle", id, versions, lng],
    read: () => flush().then(() => teamActions.pack([id], versions, lng)),
  });
  const write = () => {
    if (packed)
      save(packed.filename, teamActions.fromBase64(packed.data, "application/zip")).then(
        (done) => {
          if (done) closeDialog();
        },
        (e: unknown) => setFailed(asApiError(e)),
      );
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o) closeDialog();
      }}
      title={t("bundle.title")}
      width={520}
      footer={
        <>
          <Button onClick={closeDialog}>{t("common.cancel")}</Button>
          <Button tone="main" disabled={!packed} onClick={write}>
            {packed ? t("teams.saveAs", { name: packed.filename }) : t("teams.saveIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-4 text-text">
        <p className="t2">{t("bundle.what")}</p>
        <Switch
          label={t("bundle.versions")}
          hint={t("bundle.versionsWhy")}
          checked={versions}
          onChecked={setVersions}
        />
        <section aria-live="polite" className="rounded-[var(--r-2)] border border-line-2">
          <h3 className="border-b border-line bg-surface-2 px-3 py-1.5">{t("bundle.left")}</h3>
          {!packed && !error && <Skeleton lines={2} label={t("common.loading")} />}
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
          {packed &&
            (packed.losses.length ? (
              <ul className="max-h-40 overflow-auto py-1">
                {packed.losses.map((l, i) => (
                  <LossRow key={i} loss={l} />
                ))}
              </ul>
            ) : (
              <p className="t2 px-3 py-2">{t("bundle.nothing")}</p>
            ))}
        </section>
        {packed && (
          <details className="rounded-[var(--r-2)] border border-line-2">
            <summary className="cursor-pointer px-3 py-1.5">
              {t("bundle.files", { count: packed.files.length })}
            </summary>
            <ul className="max-h-40 overflow-auto border-t border-line py-1">
              {packed.files.map((f) => (
                <li key={f.path} className="row px-3 py-0.5">
                  {f.path.endsWith(".md") ? (
                    <FileText size={14} className="t3" aria-hidden />
                  ) : (
                    <FileArchive size={14} className="t3" aria-hidden />
                  )}
                  <span className="mono cut grow" translate="no" title={f.path}>
                    {f.path}
                  </span>
                  <span className="cap num">{formatBytes(f.size)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        {failed && <ErrorState title={t("fault.export")}>{errorMeaning(t, failed)}</ErrorState>}
      </div>
    </Dialog>
  );
}

function LossRow({ loss: l }: { loss: BundleLoss }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  const a = l.agent ? findAgent(topology, l.agent) : undefined;
  const who = [a ? displayName(a) : (l.agent ?? l.item), l.version && t("bundle.inVersion", { name: l.version })]
    .filter(Boolean)
    .join(" · ");
  return (
    <li className="px-3 py-1">
      <b>{fieldName(t, l.field ?? "")}</b>{" "}
      <span className="t2">{t(`bundle.why.${l.reason === "secret" ? "secret" : "other"}`)}</span>
      {who && <div className="cap">{who}</div>}
    </li>
  );
}
