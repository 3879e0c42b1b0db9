import { ArrowRight, ChevronLeft, File, GitCompare, Info } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { i18next } from "@/i18n";
import { formatDateTime } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { fileHistory } from "@/stores/agentFiles";
import { agentOn } from "@/stores/agentNames";
import { editFiles } from "@/stores/fileEdits";
import { useGateways } from "@/stores/gateways";
import { useRead } from "@/stores/read";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { useUi } from "@/stores/ui";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { attempt } from "@/stores/faults";
import { displayName, findAgent, type FilePair } from "@/topology";
import { Banner, Button, ErrorState, IconButton, Segmented, Skeleton, TextDiff, toast, useMedia } from "@/ui";
import type { FileItem } from "./timeline";
import type { ChosenSnapshot } from "./useChosen";
import { fileCaption, fileTitle } from "./words";

type Props = {
  chosen: ChosenSnapshot;
  file: FileItem;
  /** No later text of the file is known. */ newest: boolean;
  phone: boolean;
};

type Shown = FilePair & { of: string };

/** A workspace file as it was, beside the text before or another one, and the way back to it. */
export function FileView({ chosen, file: f, newest, phone }: Props) {
  const { t } = useTranslation();
  const team = useTeams().find((x) => x.id === f.teamId)?.name;
  const narrow = useMedia("(max-width: 1023px)");
  const [mode, setMode] = useState<"split" | "unified">();
  const { data, error, again } = useRead<Shown>({
    key: ["fileSnapshot", f.gateway, chosen.a, f.id],
    keep: true,
    read: () => fileHistory.compare(f.gateway, f.id, chosen.a).then((r) => ({ of: f.gateway, ...r })),
  });
  const shown = data?.of === f.gateway ? data : undefined;
  const textMode = mode ?? (narrow ? "unified" : "split");
  const a = shown?.a;
  return (
    <div className="col grow">
      <div className="compare-text">
        <div className="compare-bar cap">
          {phone && <IconButton size="sm" icon={ChevronLeft} label={t("history.backToList")} onClick={chosen.close} />}
          <File size={14} aria-hidden className="flex-none" />
          <span className="cut">{a && titleOf(a) !== titleOf(f) ? fileTitle(t, a) : fileTitle(t, f)}</span>
          {a && titleOf(a) !== titleOf(f) && (
            <>
              <ArrowRight size={12} aria-hidden className="flex-none" />
              <span className="cut">{fileTitle(t, f)}</span>
            </>
          )}
          <span className="grow" />
          {shown && !a && <span className="cut">{t("history.file.first")}</span>}
          {a && !phone && (
            <Segmented
              size="sm"
              label={t("review.view")}
              value={textMode}
              onValue={setMode}
              options={(["split", "unified"] as const).map((value) => ({ value, label: t(`review.text.${value}`) }))}
            />
          )}
        </div>
        {error ? (
          <div className="grid grow place-items-center p-3">
            <ErrorState
              title={t("compare.fileFailed")}
              actions={
                <Button size="sm" onClick={again}>
                  {t("common.retry")}
                </Button>
              }
            >
              {errorMeaning(t, error)}
            </ErrorState>
          </div>
        ) : shown ? (
          <Texts shown={shown} mode={textMode} />
        ) : (
          <div className="w-80 max-w-full p-3">
            <Skeleton lines={4} label={t("common.loading")} />
          </div>
        )}
      </div>
      <div className="flex-none border-t border-line px-3 py-2">
        <p className="cap">
          {[formatDateTime(f.at), fileCaption(t, f, { team })].join(t("history.dot"))}
          {f.hash && (
            <>
              {t("history.dot")}
              <span className="inline-block" title={f.hash}>
                {t("history.fact.hash")}{" "}
                <span className="mono" translate="no">
                  {f.hash.slice(0, 12)}
                </span>
              </span>
            </>
          )}
        </p>
      </div>
      <Restore chosen={chosen} file={f} text={shown?.b.id === f.id ? shown.b.content : undefined} newest={newest} />
    </div>
  );
}

const titleOf = (f: { agent: string; name: string }) => `${f.agent}/${f.name}`;

/** Why there is no text, or nothing. */
const lacking = (f: FilePair["b"]) =>
  f.missing ? "gone" : f.hasText ? undefined : f.binary ? ("binary" as const) : ("long" as const);

function Texts({ shown, mode }: { shown: FilePair; mode: "split" | "unified" }) {
  const { t } = useTranslation();
  const { a, b } = shown;
  const labels = useMemo(
    () => ({
      before: "A",
      after: "B",
      both: t("history.file.text", { file: b.name }),
      same: t("history.file.same"),
    }),
    [t, b.name],
  );
  const why = lacking(b),
    unknownA = !!a && !a.hasText && !a.missing;
  const note = why ? t(`history.file.${why}`) : unknownA ? t("history.file.noTextA") : undefined;
  const bare = why === "binary" || why === "long";
  // Without a text to compare with, the text stands alone.
  const before = a && !unknownA ? a.content : b.content;
  return (
    <>
      {note && <Banner>{note}</Banner>}
      {!bare && (
        <TextDiff
          before={before}
          after={b.content}
          language="text"
          mode={before === b.content ? "unified" : mode}
          labels={labels}
          loading={<Skeleton lines={4} label={t("common.loading")} />}
          failed={
            <div className="p-3">
              <ErrorState title={t("review.text.failed")} />
            </div>
          }
        />
      )}
    </>
  );
}

type RestoreProps = { chosen: ChosenSnapshot; file: FileItem; text?: string; newest: boolean };

/** Makes the text the draft's. Nothing is written to the gateway. */
function Restore({ chosen, file: f, text, newest }: RestoreProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const agent = useTeam((s) => findAgent(s.topology, f.agent)),
    target = useTeam((s) => s.gateway),
    applied = useTeam((s) => !!s.base && !!findAgent(s.base.topology, f.agent));
  const gateway = gatewayName(t, f.gateway);
  const online = useGateways().find((g) => g.name === f.gateway)?.state === "connected";
  const held = agent?.files?.[f.name],
    inDraft = target === f.gateway && !!held && held.content === text;
  const unapplied = useTeam(
    (s) => held?.content !== (s.base && findAgent(s.base.topology, f.agent)?.files?.[f.name]?.content),
  );
  const next = !inDraft ? undefined : unapplied ? "review" : newest ? undefined : "drift";
  const no =
    target !== f.gateway
      ? t("history.file.otherTeam", { gateway })
      : !agent
        ? t("history.file.noAgent", { agent: agentOn(f.gateway, f.agent) })
        : !f.hasText
          ? t("history.file.noText")
          : inDraft
            ? t(`history.file.inDraft.${next ?? "only"}`, { gateway })
            : !held && newest
              ? t("history.file.isNow")
              : !held && applied && !online
                ? t("history.file.offline", { gateway })
                : undefined;
  const restore = async () => {
    if (text === undefined || !agent) return;
    setBusy(true);
    await attempt("restore", () => restoreFile(f, text, displayName(agent)));
    setBusy(false);
  };
  return (
    <footer className="row min-h-12 flex-none flex-wrap gap-y-2 border-t border-line px-3 py-2">
      <span className="row cap min-w-56 flex-1" id="file-restore-why">
        <Info size={14} className="t3" aria-hidden />
        {no ?? t("history.file.restoreWhy")}
      </span>
      {next && (
        <Button icon={GitCompare} onClick={() => useUi.getState().go(next)}>
          {next === "review" ? t("canvas.review") : t("history.file.compareNow", { gateway })}
        </Button>
      )}
      <Button
        tone="main"
        disabled={!!no || text === undefined}
        busy={busy}
        aria-describedby="file-restore-why"
        onClick={() => void restore()}
      >
        {t(chosen.pinned ? "history.restoreB" : "history.restore")}
      </Button>
    </footer>
  );
}

async function restoreFile(f: FileItem, text: string, name: string): Promise<void> {
  const t = i18next.t;
  const trouble = await editFiles(
    f.name,
    (a) => a.id === f.agent,
    (a) => (a.id === f.agent ? { [f.name]: text } : {}),
    name,
  );
  const close = t("common.close");
  if (trouble) {
    const gateway = gatewayName(t, f.gateway);
    toast({
      tone: "failed",
      text: t(`workspace.block.${trouble.why}`, { gateway, file: f.name, name }),
      closeLabel: close,
    });
    return;
  }
  toast({
    tone: "done",
    text: t("history.file.restored", { what: t("history.fileOf", { file: f.name, agent: name }) }),
    closeLabel: close,
    action: { label: t("common.undo"), run: () => void attempt("undo", useTeam.getState().undo) },
    while: whileTeamUndoes(`edit.files|${name}`),
  });
}
