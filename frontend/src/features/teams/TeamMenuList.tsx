import {
  ArrowLeft,
  BookmarkPlus,
  Check,
  ChevronRight,
  Copy,
  Download,
  File,
  FileArchive,
  FileClock,
  FilePlus2,
  FileUp,
  Image,
  LayoutGrid,
  Pencil,
  Save,
  Search,
  Send,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { Command } from "cmdk";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { KeyIn } from "@/i18n/textKeys";
import { formatWhen } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { useTeam, useTarget } from "@/stores/team";
import { isLive, useTeams } from "@/stores/teams";
import { useGateways } from "@/stores/gateways";
import { useRecent, useRecentFiles } from "@/stores/recent";
import { useUi } from "@/stores/ui";
import { Badge, ColorSquare, composing, cx, Kbd, keysOf, matches } from "@/ui";
import { duplicate, openFile, remove, sendTo, switchTo } from "./actions";
import { plainName } from "@/topology";
import { openDialog, setRenaming } from "./dialogs";
import { openRecent, saveFile, saveFileAs } from "./files";

const filter = (_: string, search: string, words: string[] = []) => (matches(words.join(" "), search) ? 1 : 0);

/** What the team's menu holds. */
export function TeamMenuList({ typed, close }: { /** Searched for at first. */ typed: string; close: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState<"teams" | "gateway" | "recent">("teams");
  const [search, setSearch] = useState(typed);
  const turn = (to: typeof page) => {
    setSearch("");
    setPage(to);
  };
  return (
    <Command
      key={page}
      label={t("teams.title")}
      filter={filter}
      loop
      onKeyDown={(e) => {
        e.stopPropagation();
        if (page !== "teams" && !composing(e) && (e.key === "ArrowLeft" || (e.key === "Backspace" && !search))) {
          e.preventDefault();
          turn("teams");
        }
      }}
    >
      <div className="row h-9 border-b border-line px-2.5">
        {page !== "teams" ? (
          <button type="button" className="ib ib--sm" aria-label={t("teams.backToList")} onClick={() => turn("teams")}>
            <ArrowLeft size={14} aria-hidden />
          </button>
        ) : (
          <Search size={14} className="t3" aria-hidden />
        )}
        <Command.Input
          autoFocus
          value={search}
          onValueChange={setSearch}
          className="grow h-full border-0 bg-transparent outline-0 placeholder:text-text-3"
          placeholder={t(
            page === "gateway" ? "teams.searchGateways" : page === "recent" ? "files.search" : "teams.search",
          )}
        />
      </div>
      <Command.List className="p-1" label={t("teams.title")}>
        <Command.Empty className="cap px-2 py-3">{t("teams.noMatch")}</Command.Empty>
        {page === "gateway" ? (
          <GatewayPage close={close} />
        ) : page === "recent" ? (
          <RecentPage close={close} />
        ) : (
          <TeamsPage close={close} search={search} turn={turn} />
        )}
      </Command.List>
    </Command>
  );
}

type RowProps = {
  value: string;
  words: string[];
  icon?: LucideIcon;
  lead?: ReactNode;
  danger?: boolean;
  end?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
};

function Row({ value, words, icon: Icon, lead, danger, end, children, onSelect }: RowProps) {
  return (
    <Command.Item
      value={value}
      keywords={words}
      onSelect={onSelect}
      className={cx("trow phone:min-h-11!", danger && "trow--danger")}
    >
      {lead ?? (Icon && <Icon size={16} aria-hidden />)}
      <span className="cut grow">{children}</span>
      {end}
    </Command.Item>
  );
}

/** The keys of the canvas work at once in the team that was chosen: not while the menu's button has the focus. */
function leaveButton(): void {
  const at = document.activeElement;
  if (at instanceof HTMLElement && at.matches("button[aria-haspopup=dialog]")) at.blur();
}

function TeamsPage({
  close,
  search,
  turn,
}: {
  close: () => void;
  search: string;
  turn: (to: "gateway" | "recent") => void;
}) {
  const { t } = useTranslation();
  const teams = useTeams(),
    id = useTeam((s) => s.id),
    ready = useTeam((s) => s.status === "ready"),
    gateway = useTeam((s) => s.gateway);
  const target = useTarget(),
    recent = useRecentFiles(),
    origin = useRecent((s) => s.origins[id]);
  const act = (run: () => unknown) => () => {
    close();
    void run();
  };
  const row = (key: KeyIn<"teams">, icon: LucideIcon, run: () => unknown, danger?: boolean) => {
    const label = t(`teams.${key}`);
    return (
      <Row value={`do:${key}`} words={[label]} icon={icon} danger={danger} onSelect={act(run)}>
        {label}
      </Row>
    );
  };
  return (
    <>
      <Command.Group heading={<span className="label pt-1!">{t("teams.title")}</span>}>
        {teams.map((d) => (
          <Row
            key={d.id}
            value={d.id}
            words={[d.name, d.gateway]}
            lead={
              d.id === id ? <Check size={16} aria-label={t("teams.current")} /> : <span className="w-4 flex-none" />
            }
            onSelect={act(async () => {
              await switchTo(d.id);
              leaveButton();
            })}
            end={
              <span className="row flex-none gap-1.5">
                {isLive(d, teams) && (
                  <Badge tone="add" title={t("library.liveWhy", { gateway: gatewayName(t, d.gateway) })}>
                    {t("library.live")}
                  </Badge>
                )}
                {d.changes > 0 && <Badge tone="chg">{t("counts.changes", { count: d.changes })}</Badge>}
                <span className="cap num">{t("counts.agents", { count: d.agents })}</span>
              </span>
            }
          >
            <span title={plainName(d.name)}>{plainName(d.name)}</span>
          </Row>
        ))}
        {!teams.length && !search && <p className="cap px-2 py-1">{t("teams.none")}</p>}
        {row("new", FilePlus2, () => openDialog("new"))}
        <Row
          value="do:all"
          words={[t("library.all")]}
          icon={LayoutGrid}
          onSelect={act(() => useUi.getState().go("teams"))}
        >
          {t("library.all")}
        </Row>
      </Command.Group>
      {ready && (
        <>
          <div className="hr" role="presentation" />
          <Command.Group>
            {row("rename", Pencil, () => setRenaming(true))}
            {row("duplicate", Copy, duplicate)}
            <Row
              value="do:template"
              words={[t("library.keep")]}
              icon={BookmarkPlus}
              onSelect={act(() => openDialog("template"))}
            >
              {t("library.keep")}
            </Row>
            <Row
              value="do:gateway"
              words={[t("teams.gateway"), gateway, gatewayName(t, gateway)]}
              icon={Send}
              onSelect={() => turn("gateway")}
              end={
                <span className="row cap flex-none gap-1.5">
                  <ColorSquare color={target?.color ?? 1} />
                  <span className="cut max-w-32">{gatewayName(t, gateway)}</span>
                  <ChevronRight size={14} aria-hidden />
                </span>
              }
            >
              {t("teams.gateway")}
            </Row>
          </Command.Group>
        </>
      )}
      <div className="hr" role="presentation" />
      <Command.Group>
        {row("import", Download, () => openDialog("import"))}
        {row("openFile", File, () => openFile())}
        {recent.length > 0 && (
          <Row
            value="do:recent"
            words={[t("files.recent")]}
            icon={FileClock}
            onSelect={() => turn("recent")}
            end={<ChevronRight size={14} className="t3" aria-hidden />}
          >
            {t("files.recent")}
          </Row>
        )}
        {ready && origin && (
          <Row
            value="do:save"
            words={[t("files.saveTo", { name: origin.name })]}
            icon={Save}
            onSelect={act(saveFile)}
            end={<Kbd keys={keysOf("save")} />}
          >
            {t("files.saveTo", { name: origin.name })}
          </Row>
        )}
        {ready && row("saveFile", Save, saveFileAs)}
        {ready && row("export", FileUp, () => openDialog("export"))}
        {ready && row("picture", Image, () => openDialog("picture"))}
        {ready && row("bundle", FileArchive, () => openDialog("bundle"))}
      </Command.Group>
      {ready && (
        <>
          <div className="hr" role="presentation" />
          {row("delete", Trash2, remove, true)}
        </>
      )}
    </>
  );
}

function GatewayPage({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const gateways = useGateways(),
    current = useTeam((s) => s.gateway);
  return (
    <Command.Group heading={<span className="label pt-1!">{t("teams.gatewayTitle")}</span>}>
      {gateways.map((g) => (
        <Row
          key={g.name}
          value={g.name}
          words={[g.name, gatewayName(t, g.name), g.url]}
          lead={
            g.name === current ? (
              <Check size={16} aria-label={t("teams.current")} />
            ) : (
              <span className="w-4 flex-none" />
            )
          }
          onSelect={() => {
            close();
            if (g.name !== current) void sendTo(g.name);
          }}
          end={<span className="cap">{t(`status.gateway.${g.state}`)}</span>}
        >
          <span className="row">
            <ColorSquare color={g.color} />
            {gatewayName(t, g.name)}
          </span>
        </Row>
      ))}
    </Command.Group>
  );
}

function RecentPage({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const files = useRecentFiles();
  return (
    <Command.Group heading={<span className="label pt-1!">{t("files.title")}</span>}>
      {files.map((f) => (
        <Row
          key={f.id}
          value={f.id}
          words={[f.name, f.folder]}
          icon={File}
          onSelect={() => {
            close();
            void openRecent(f);
          }}
          end={
            <time className="cap flex-none" dateTime={f.at}>
              {formatWhen(f.at)}
            </time>
          }
        >
          <span title={f.folder ? `${f.folder}/${f.name}` : f.name}>{f.name}</span>
          {f.folder && <span className="cap ml-2">{f.folder}</span>}
        </Row>
      ))}
    </Command.Group>
  );
}
