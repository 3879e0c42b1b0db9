import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { formatDayHeading } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { fileHistory } from "@/stores/agentFiles";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { gatewayActions, useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import { useRead } from "@/stores/read";
import type { FileSnapshot, Snapshot } from "@/topology";
import { Button, ColorSquare, EmptyState, ErrorState, IconButton, Segmented, Select, Skeleton } from "@/ui";
import { groupByDay } from "./fold";
import { HistoryRow } from "./HistoryRow";
import { useHistoryPlace, type Show } from "./place";
import { itemsOf, linesOf, type FileItem, type Line } from "./timeline";
import type { ChosenSnapshot } from "./useChosen";
import { walkRows } from "./VersionList";
import { configCaption, fileCaption, fileTitle, keptIcon, snapshotTitle } from "./words";

const none: Snapshot[] = [],
  noFiles: FileSnapshot[] = [];

/** What was kept of a gateway: its configs and workspace files. It is read again when something was kept there. */
export function useSnapshots() {
  const own = useTeam((s) => s.gateway);
  const picked = useHistoryPlace((s) => s.gateway),
    setPicked = (to: string) => useHistoryPlace.setState({ gateway: to });
  const gateway = picked ?? own,
    show = useHistoryPlace((s) => s.show);
  const ended = useHub(
    (s) => Object.values(s.applies).filter((a) => a.gateway === gateway && a.state !== "running").length,
  );
  const head = useTeam((s) => s.updatedAt);
  const there = useGateways().find((g) => g.name === gateway);
  const configs = useRead({
    key: ["snapshots", gateway],
    on: [ended, head, there?.keptHash],
    when: !!gateway,
    read: () => gatewayActions.snapshots(gateway),
  });
  const files = useRead({
    key: ["fileSnapshots", gateway],
    on: [ended, there?.keptFile],
    when: !!gateway,
    read: () => fileHistory.list(gateway),
  });
  const snapshots = configs.data ?? none,
    kept = files.data ?? noFiles;
  const items = useMemo(() => itemsOf(snapshots, kept, show), [snapshots, kept, show]);
  return {
    gateway,
    pick: setPicked,
    show,
    snapshots,
    items,
    /** The latest text of each file. */ newest: useMemo(() => newestOf(kept), [kept]),
    error: show === "files" ? undefined : configs.error,
    filesError: show === "config" ? undefined : files.error,
    ready: (!!configs.data || !!configs.error) && (!!files.data || !!files.error),
    reload: () => {
      configs.again();
      files.again();
    },
  };
}

function newestOf(files: readonly FileSnapshot[]): ReadonlySet<string> {
  const of = new Map<string, string>();
  for (const f of files) if (!of.has(`${f.agent}/${f.name}`)) of.set(`${f.agent}/${f.name}`, f.id);
  return new Set(of.values());
}

type Props = { kept: ReturnType<typeof useSnapshots>; chosen: ChosenSnapshot };

export function SnapshotList({ kept, chosen }: Props) {
  const { t } = useTranslation();
  const gateways = useGateways();
  const days = useMemo(() => groupByDay(linesOf(kept.items), (k) => k.at), [kept.items]);
  const known = new Set(gateways.map((g) => g.name));
  const failed = kept.error ?? kept.filesError;
  return (
    <>
      <div className="head flex-wrap">
        <Segmented
          size="sm"
          label={t("history.file.show")}
          value={kept.show}
          onValue={(show: Show) => useHistoryPlace.setState({ show, snapshot: undefined })}
          options={(["all", "config", "files"] as const).map((value) => ({ value, label: t(`history.file.${value}`) }))}
        />
        <span className="grow" />
        {(gateways.length > 1 || !known.has(kept.gateway)) && (
          <Select
            size="sm"
            className="w-auto! max-w-44 phone:max-w-60"
            label={t("history.whichGateway")}
            value={kept.gateway}
            onValue={kept.pick}
            options={gateways.map((g) => ({
              value: g.name,
              label: gatewayName(t, g.name),
              icon: <ColorSquare color={g.color} />,
            }))}
          />
        )}
      </div>
      <div className="rows scroll" role="group" aria-label={t("history.kept")} onKeyDown={walkRows}>
        {!kept.ready && <Skeleton lines={5} label={t("common.loading")} />}
        {failed && (
          <div className="py-2">
            <ErrorState
              title={t(kept.error ? "history.keptFailed" : "history.file.failed")}
              actions={
                <Button size="sm" onClick={kept.reload}>
                  {t("common.retry")}
                </Button>
              }
            >
              {errorMeaning(t, failed)}
            </ErrorState>
          </div>
        )}
        {kept.ready && !failed && !days.length && (
          <EmptyState title={t(kept.show === "files" ? "history.file.none" : "history.nothingKept")}>
            {t(kept.show === "files" ? "history.file.noneWhy" : "history.nothingKeptWhy")}
          </EmptyState>
        )}
        {days.map((d) => (
          <div key={d.key} role="list" aria-label={formatDayHeading(d.at)}>
            <div className="label">{formatDayHeading(d.at)}</div>
            {d.items.map((line) => (
              <LineRows key={line.key} line={line} chosen={chosen} />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

function LineRows({ line, chosen }: { line: Line; chosen: ChosenSnapshot }) {
  const { t } = useTranslation();
  const teams = useTeams();
  if (line.kind === "files") return <FileRows files={line.files} chosen={chosen} />;
  const s = line.kept.snapshots[0];
  const icon = keptIcon(s.cause, !!s.losses?.length);
  return (
    <HistoryRow
      of={{ kind: "config", ...s }}
      chosen={chosen}
      icon={icon}
      iconClass={s.losses?.length ? "text-waiting" : undefined}
      title={snapshotTitle(t, s)}
      caption={configCaption(t, s, teams.find((x) => x.id === s.team)?.name, line.kept.snapshots.length)}
      current={line.kept.snapshots.some((x) => x.id === chosen.b?.id)}
      onShow={() => chosen.show(s.id)}
    />
  );
}

/** One file, or those that changed together, which can be unfolded. */
function FileRows({ files, chosen }: { files: FileItem[]; chosen: ChosenSnapshot }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const first = files[0];
  if (!first) return null;
  const many = files.length > 1,
    current = files.find((f) => f.id === chosen.b?.id);
  return (
    <>
      <FileRow
        file={first}
        chosen={chosen}
        title={many ? t("history.file.many", { count: files.length }) : undefined}
        current={open && many ? false : !!current}
        onShow={many ? () => setOpen(true) : undefined}
        fold={
          many ? (
            <IconButton
              size="sm"
              className="relative z-1"
              icon={open ? ChevronDown : ChevronRight}
              label={t(open ? "history.file.foldUp" : "history.file.unfold")}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            />
          ) : undefined
        }
      />
      {many &&
        open &&
        files.map((f) => <FileRow key={f.id} file={f} chosen={chosen} inner current={f.id === current?.id} />)}
    </>
  );
}

type RowProps = {
  file: FileItem;
  chosen: ChosenSnapshot;
  /** Of several files. */ title?: string;
  current: boolean;
  inner?: boolean;
  fold?: ReactNode;
  onShow?: () => void;
};

function FileRow({ file: f, chosen, title, current, inner, fold, onShow }: RowProps) {
  const { t } = useTranslation();
  return (
    <HistoryRow
      of={f}
      chosen={chosen}
      icon={keptIcon(f.cause)}
      iconClass={f.cause.startsWith("after_") ? "text-done" : undefined}
      title={title ?? fileTitle(t, f)}
      caption={fileCaption(t, f, { several: !!title })}
      current={current}
      inner={inner}
      fold={fold}
      onShow={() => {
        onShow?.();
        chosen.show(f.id);
      }}
    />
  );
}
