import { Download, PencilLine, RotateCcw, TriangleAlert, Upload, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { formatDayHeading } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { gatewayActions, useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import { useRead } from "@/stores/read";
import type { Snapshot } from "@/topology";
import { Button, ColorSquare, EmptyState, ErrorState, Select, Skeleton } from "@/ui";
import { foldSnapshots, groupByDay } from "./fold";
import { HistoryRow } from "./HistoryRow";
import { lostWords } from "./lost";
import { useHistoryPlace } from "./place";
import type { ChosenSnapshot } from "./useChosen";
import { walkRows } from "./VersionList";
import { snapshotTeam, snapshotTitle } from "./words";

const causeIcon: Record<string, LucideIcon> = {
  read: Download,
  before_apply: Upload,
  after_apply: Upload,
  before_rollback: RotateCcw,
  rollback_interrupted: TriangleAlert,
  elsewhere: PencilLine,
};

const none: Snapshot[] = [];

/** The configs of a gateway that were kept; read again when something was applied there. */
export function useSnapshots() {
  const own = useTeam((s) => s.gateway);
  const picked = useHistoryPlace((s) => s.gateway),
    setPicked = (to: string) => useHistoryPlace.setState({ gateway: to });
  const gateway = picked ?? own;
  const ended = useHub(
    (s) => Object.values(s.applies).filter((a) => a.gateway === gateway && a.state !== "running").length,
  );
  const head = useTeam((s) => s.updatedAt);
  const { data, error, again } = useRead({
    key: ["snapshots", gateway],
    on: [ended, head],
    when: !!gateway,
    read: () => gatewayActions.snapshots(gateway),
  });
  return { gateway, pick: setPicked, snapshots: data ?? none, error, ready: !!data || !!error, reload: again };
}

type Props = { kept: ReturnType<typeof useSnapshots>; chosen: ChosenSnapshot };

export function SnapshotList({ kept, chosen }: Props) {
  const { t } = useTranslation();
  const gateways = useGateways(),
    teams = useTeams();
  const days = groupByDay(foldSnapshots(kept.snapshots), (k) => k.snapshots[0].at);
  const known = new Set(gateways.map((g) => g.name));
  return (
    <>
      <div className="head">
        <b className="cut grow">{t("history.kept")}</b>
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
        {kept.error && (
          <div className="py-2">
            <ErrorState
              title={t("history.keptFailed")}
              actions={
                <Button size="sm" onClick={kept.reload}>
                  {t("common.retry")}
                </Button>
              }
            >
              {errorMeaning(t, kept.error)}
            </ErrorState>
          </div>
        )}
        {kept.ready && !kept.error && !days.length && (
          <EmptyState title={t("history.nothingKept")}>{t("history.nothingKeptWhy")}</EmptyState>
        )}
        {days.map((d) => (
          <div key={d.key} role="list" aria-label={formatDayHeading(d.at)}>
            <div className="label">{formatDayHeading(d.at)}</div>
            {d.items.map((k) => {
              const s = k.snapshots[0],
                team = teams.find((x) => x.id === s.team)?.name;
              const caption = [
                s.losses?.length
                  ? t("history.lostWhat", { lost: lostWords(t, s.losses) })
                  : t("counts.agents", { count: s.agents }),
                snapshotTeam(t, s, team),
                k.snapshots.length > 1 && t("history.times", { count: k.snapshots.length }),
              ]
                .filter(Boolean)
                .join(t("history.dot"));
              return (
                <HistoryRow
                  key={k.key}
                  of={s}
                  chosen={chosen}
                  icon={s.losses?.length ? TriangleAlert : (causeIcon[s.cause] ?? Download)}
                  iconClass={s.losses?.length ? "text-waiting" : undefined}
                  title={snapshotTitle(t, s)}
                  caption={caption}
                  current={k.snapshots.some((x) => x.id === chosen.b?.id)}
                  onShow={() => chosen.show(s.id)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </>
  );
}
