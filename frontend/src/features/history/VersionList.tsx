import { ChevronDown, ChevronRight, Flag, ListFilter } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDayHeading } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useGateways } from "@/stores/gateways";
import type { Version } from "@/topology";
import {
  Button,
  ColorSquare,
  EmptyState,
  ErrorState,
  IconButton,
  Menu,
  Segmented,
  Skeleton,
  type MenuItem,
} from "@/ui";
import { foldVersions, groupByDay, newest, type Entry, type Filter } from "./fold";
import { HistoryRow } from "./HistoryRow";
import { Thumbnail } from "./Thumbnail";
import { RunsNow } from "./RunsNow";
import type { Chosen } from "./useChosen";
import type { useVersions } from "./useVersions";
import { causeIcons, entryCaption, entryTitle, versionCaption, versionTitle } from "./words";

type Props = {
  all: ReturnType<typeof useVersions>;
  chosen: Chosen;
  filter: Filter;
  onFilter: (f: Filter) => void;
  gateway: string;
  onGateway: (g: string) => void;
};

/** The versions by day, newest first; edits that followed each other folded into one line. */
export function VersionList({ all, chosen, filter, onFilter, gateway, onGateway }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const unsent = useTeam((s) => s.unsent);
  const days = groupByDay(foldVersions(all.versions), (e) => newest(e).at);
  const toggle = (key: string) =>
    setOpen((had) => {
      const next = new Set(had);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <>
      <div className="head">
        <Segmented
          size="sm"
          label={t("history.filter")}
          value={filter}
          onValue={onFilter}
          options={(["all", "applied", "named"] as const).map((value) => ({ value, label: t(`history.${value}`) }))}
        />
        <span className="grow" />
        <GatewayFilter value={gateway} onValue={onGateway} />
      </div>
      <div className="rows scroll" role="group" aria-label={t("history.list")} onKeyDown={walkRows}>
        <RunsNow />
        {!all.ready && !all.error && <Skeleton lines={7} label={t("common.loading")} />}
        {all.error && (
          <div className="py-2">
            <ErrorState
              title={t("history.failed")}
              actions={
                <Button size="sm" onClick={all.retry}>
                  {t("common.retry")}
                </Button>
              }
            >
              {errorMeaning(t, all.error)}
            </ErrorState>
          </div>
        )}
        {all.ready &&
          !days.length &&
          (gateway ? (
            <EmptyState
              title={t("compare.noneOf", { gateway: gatewayName(t, gateway) })}
              action={
                <Button size="sm" onClick={() => onGateway("")}>
                  {t("compare.everyGateway")}
                </Button>
              }
            >
              {t("compare.noneOfWhy")}
            </EmptyState>
          ) : (
            <EmptyState title={t(`history.empty.${filter}`)}>{t(`history.emptyWhy.${filter}`)}</EmptyState>
          ))}
        {days.map((d) => (
          <div key={d.key} role="list" aria-label={formatDayHeading(d.at)}>
            <div className="label">{formatDayHeading(d.at)}</div>
            {d.items.map((e) => (
              <EntryRows
                key={e.key}
                entry={e}
                chosen={chosen}
                unsent={unsent}
                open={open.has(e.key)}
                onToggle={() => toggle(e.key)}
              />
            ))}
          </div>
        ))}
        {all.more && <More loading={all.loading} onMore={all.loadMore} />}
      </div>
    </>
  );
}

/** Only what came from or went to one gateway; no choice where there is one only. */
function GatewayFilter({ value, onValue }: { value: string; onValue: (g: string) => void }) {
  const { t } = useTranslation();
  const gateways = useGateways();
  if (gateways.length < 2) return null;
  const items: MenuItem[] = [
    { label: t("compare.everyGateway"), checked: !value, onSelect: () => onValue("") },
    { kind: "separator" },
    ...gateways.map((g): MenuItem => ({
      label: gatewayName(t, g.name),
      lead: <ColorSquare color={g.color} />,
      checked: value === g.name,
      onSelect: () => onValue(g.name),
    })),
  ];
  return (
    <Menu
      align="end"
      items={items}
      trigger={
        <IconButton
          icon={ListFilter}
          size="sm"
          label={value ? t("compare.onlyGateway", { gateway: gatewayName(t, value) }) : t("compare.filterGateway")}
          pressed={!!value}
        />
      }
    />
  );
}

/** The next page comes as the end of the list comes into view. */
function More({ loading, onMore }: { loading: boolean; onMore: () => void }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null),
    more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    const seen = new IntersectionObserver(
      (e) => {
        if (e.some((x) => x.isIntersecting)) more.current();
      },
      { rootMargin: "600px" },
    );
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, [loading]);
  return (
    <div ref={box} className="p-2 text-center">
      <Button size="sm" busy={loading} onClick={onMore}>
        {t("history.more")}
      </Button>
    </div>
  );
}

/** Up and down walk the lines, as in any list. */
export function walkRows(e: KeyboardEvent<HTMLElement>): void {
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
  const rows = [...e.currentTarget.querySelectorAll<HTMLElement>("[data-row], button.lrow")];
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + (e.key === "ArrowDown" ? 1 : -1)];
  if (!next || !rows.includes(document.activeElement as HTMLElement)) return;
  e.preventDefault();
  next.focus();
  next.click();
}

type RowsProps = { entry: Entry; chosen: Chosen; unsent: number; open: boolean; onToggle: () => void };

function EntryRows({ entry, chosen, unsent, open, onToggle }: RowsProps) {
  const { t } = useTranslation();
  const v = newest(entry),
    many = entry.versions.length > 1;
  const inside = many && !open && entry.versions.some((x) => x.id === chosen.b?.id);
  return (
    <>
      <Row
        v={v}
        chosen={chosen}
        current={inside || (!open && v.id === chosen.b?.id) || (!many && v.id === chosen.b?.id)}
        title={entryTitle(t, entry, unsent)}
        caption={entryCaption(t, entry, unsent)}
        onShow={() => chosen.show(v.id)}
        waiting={unsent > 0 && v.cause !== "apply" && !v.name}
        fold={
          many ? (
            <IconButton
              size="sm"
              className="relative z-1"
              icon={open ? ChevronDown : ChevronRight}
              label={t(open ? "history.foldUp" : "history.unfold")}
              aria-expanded={open}
              onClick={onToggle}
            />
          ) : undefined
        }
      />
      {many &&
        open &&
        entry.versions.map((x) => (
          <Row
            key={x.id}
            v={x}
            inner
            chosen={chosen}
            current={x.id === chosen.b?.id}
            title={versionTitle(t, x)}
            caption={versionCaption(t, x)}
            onShow={() => chosen.show(x.id, true)}
          />
        ))}
    </>
  );
}

type RowProps = {
  v: Version;
  chosen: Chosen;
  current: boolean;
  title: string;
  caption: string;
  inner?: boolean;
  /** Its title says already that it stands now. */ waiting?: boolean;
  fold?: ReactNode;
  onShow: () => void;
};

function Row({ v, chosen, current, title, caption, inner, waiting, fold, onShow }: RowProps) {
  const { t } = useTranslation();
  return (
    <HistoryRow
      of={v}
      chosen={chosen}
      current={current}
      lead={<Thumbnail version={v} />}
      icon={v.name ? Flag : causeIcons[v.cause]}
      iconClass={v.cause === "apply" && !v.name ? "text-done" : undefined}
      title={title}
      caption={caption}
      strong={!!v.name || v.cause === "apply"}
      inner={inner}
      fold={fold}
      badge={v.current && !waiting && <span className="badge">{t("history.now")}</span>}
      onShow={onShow}
    />
  );
}
