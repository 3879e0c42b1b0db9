import { BookmarkPlus, Copy, FilePlus2, Pencil, SearchX, Trash2, Waypoints } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { useTeam } from "@/stores/team";
import { isLive, useTeams } from "@/stores/teams";
import { useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import type { TeamSummary } from "@/topology";
import { Badge, Button, ColorSquare, EmptyState, keysOf, Skeleton, Sketch } from "@/ui";
import { copyTeam, removeTeam, renameTeam, switchTo } from "../actions";
import { openDialog } from "../dialogs";
import { Card } from "./Card";
import { Grid } from "./Grid";
import { useSketch } from "@/stores/useSketch";
import { arrange, useView } from "./view";

/** All teams, each with its picture. */
export function TeamShelf() {
  const { t } = useTranslation();
  const known = useHub((s) => s.known),
    all = useTeams(),
    gateways = useGateways(),
    open = useTeam((s) => s.id);
  const search = useView((s) => s.search),
    sort = useView((s) => s.sort);
  const [renaming, setRenaming] = useState<string>();
  if (!known) return <Skeleton lines={4} label={t("common.loading")} />;
  if (!all.length)
    return (
      <EmptyState
        icon={FilePlus2}
        title={t("teams.none")}
        action={
          <Button tone="main" onClick={() => openDialog("new")}>
            {t("library.new")}
          </Button>
        }
      >
        {t("library.noneWhy")}
      </EmptyState>
    );
  const rows = arrange(all, search, sort);
  if (!rows.length)
    return (
      <EmptyState
        icon={SearchX}
        title={t("teams.noMatch")}
        action={<Button onClick={() => useView.setState({ search: "" })}>{t("library.clear")}</Button>}
      />
    );
  const lines = (d: TeamSummary) => [
    <span key="n" className="cut num">
      {t("counts.agents", { count: d.agents })} · {t("counts.connections", { count: d.connections })}
    </span>,
    <span key="w" className="row min-w-0 grow">
      <ColorSquare color={gateways.find((g) => g.name === d.gateway)?.color ?? 1} />
      <span className="cut grow">{gatewayName(t, d.gateway)}</span>
      <time
        className="flex-none"
        dateTime={d.updatedAt}
        title={t("library.edited", { when: formatWhen(d.updatedAt, true) })}
      >
        {formatWhen(d.updatedAt)}
      </time>
    </span>,
  ];
  const actsOf = (d: TeamSummary) => ({
    rename: () => setRenaming(d.id),
    remove: () => void removeTeam(d.id, d.name),
    copy: () => void copyTeam(d.id, d.name),
  });
  return (
    <Grid
      rows={rows}
      label={t("teams.title")}
      actsOf={actsOf}
      card={(d, first) => {
        const keys = actsOf(d);
        return (
          <Card
            key={d.id}
            id={d.id}
            name={d.name}
            first={first}
            current={d.id === open}
            picture={<Thumb id={d.id} head={d.head} at={d.updatedAt} empty={!d.agents} />}
            lines={lines(d)}
            openLabel={t("library.open", { name: d.name })}
            mark={
              <>
                {d.id === open && <span className="cap flex-none text-accent-text!">{t("palette.openNow")}</span>}
                {isLive(d, all) && (
                  <Badge tone="add" title={t("library.liveWhy", { gateway: gatewayName(t, d.gateway) })}>
                    {t("library.live")}
                  </Badge>
                )}
                {d.changes > 0 && <Badge tone="chg">{t("counts.changes", { count: d.changes })}</Badge>}
              </>
            }
            onOpen={() => void switchTo(d.id)}
            onRename={(name) => void renameTeam(d.id, name)}
            renaming={renaming === d.id}
            setRenaming={(on) => setRenaming(on ? d.id : undefined)}
            items={[
              {
                label: t("common.open"),
                icon: Waypoints,
                keys: keysOf("openTeam"),
                onSelect: () => void switchTo(d.id),
              },
              {
                label: t("teams.rename"),
                icon: Pencil,
                keys: keysOf("renameTeam"),
                takesFocus: true,
                onSelect: keys.rename,
              },
              { label: t("teams.duplicate"), icon: Copy, keys: keysOf("duplicateTeam"), onSelect: keys.copy },
              {
                label: t("library.keep"),
                icon: BookmarkPlus,
                onSelect: () =>
                  void switchTo(d.id).then((ok) => {
                    if (ok) openDialog("template");
                  }),
              },
              { kind: "separator" },
              {
                label: t("teams.delete"),
                icon: Trash2,
                keys: keysOf("deleteTeam"),
                danger: true,
                onSelect: keys.remove,
              },
            ]}
          />
        );
      }}
    />
  );
}

/** A team's picture, once it comes into view. */
export function Thumb({ id, head, at, empty }: { id: string; head: string; at: string; empty: boolean }) {
  const { t } = useTranslation();
  const ref = useRef<HTMLSpanElement>(null);
  const svg = useSketch(ref, id, head, at);
  return (
    <span ref={ref} className="flex h-full w-full items-center justify-center overflow-hidden">
      {empty ? (
        <span className="cap">{t("library.nobody")}</span>
      ) : svg ? (
        <Sketch svg={svg} />
      ) : svg === undefined ? (
        <span className="skel h-full w-full" />
      ) : (
        <Waypoints size={20} className="t3" aria-hidden />
      )}
    </span>
  );
}
