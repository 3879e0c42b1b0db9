import { Download, PencilLine, RotateCcw, TriangleAlert, Upload, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { formatDayHeading, formatTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { gatewayActions, useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import { useRead } from "@/stores/read";
import type { Snapshot } from "@/topology";
import { Button, ColorSquare, EmptyState, ErrorState, ListRow, Select, Skeleton } from "@/ui";
import { foldSnapshots, groupByDay } from "./fold";
import { lostWords } from "./lost";
import { useHistoryPlace } from "./place";
import { walkRows } from "./VersionList";

export const causeIcon: Record<string, LucideIcon> = {
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

type Props = { kept: ReturnType<typeof useSnapshots>; chosen?: string; onChoose: (id: string) => void };

export function SnapshotList({ kept, chosen, onChoose }: Props) {
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
          <section key={d.key} aria-label={formatDayHeading(d.at)}>
            <div className="label">{formatDayHeading(d.at)}</div>
            {d.items.map((k) => {
              const s = k.snapshots[0],
                Icon = s.losses?.length ? TriangleAlert : (causeIcon[s.cause] ?? Download),
                team = teams.find((x) => x.id === s.team)?.name;
              const caption = [
                s.losses?.length
                  ? t("history.lostWhat", { lost: lostWords(t, s.losses) })
                  : t("counts.agents", { count: s.agents }),
                team,
                k.snapshots.length > 1 && t("history.times", { count: k.snapshots.length }),
              ]
                .filter(Boolean)
                .join(t("history.dot"));
              return (
                <ListRow
                  key={k.key}
                  lead={<Icon size={14} className={s.losses?.length ? "text-waiting" : "t3"} aria-hidden />}
                  title={t(`history.cause.${s.cause}`, { defaultValue: s.cause })}
                  caption={caption}
                  titleText={caption}
                  current={k.snapshots.some((x) => x.id === chosen)}
                  onClick={() => onChoose(s.id)}
                  end={
                    <time className="cap" dateTime={s.at}>
                      {formatTime(s.at)}
                    </time>
                  }
                />
              );
            })}
          </section>
        ))}
      </div>
    </>
  );
}
