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
import { useDrawing, useTarget } from "@/stores/drawing";
import { useDrawings } from "@/stores/drawings";
import { useGateways } from "@/stores/gateways";
import { useRecent, useRecentFiles } from "@/stores/recent";
import { useUi } from "@/stores/ui";
import { Badge, ColourSquare, composing, cx, Kbd, keysOf, matches } from "@/ui";
import { duplicate, openFile, remove, sendTo, switchTo } from "./actions";
import { plainName } from "@/topology";
import { openDialog, setRenaming } from "./dialogs";
import { openRecent, saveFile, saveFileAs } from "./files";

const filter = (_: string, search: string, words: string[] = []) => (matches(words.join(" "), search) ? 1 : 0);

/** What the drawing's menu holds. */
export function DrawingMenuList({ typed, close }: { /** Searched for at first. */ typed: string; close: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState<"drawings" | "gateway" | "recent">("drawings");
  const [search, setSearch] = useState(typed);
  const turn = (to: typeof page) => {
    setSearch("");
    setPage(to);
  };
  return (
    <Command
      key={page}
      label={t("drawings.title")}
      filter={filter}
      loop
      onKeyDown={(e) => {
        e.stopPropagation();
        if (page !== "drawings" && !composing(e) && (e.key === "ArrowLeft" || (e.key === "Backspace" && !search))) {
          e.preventDefault();
          turn("drawings");
        }
      }}
    >
      <div className="row h-9 border-b border-line px-2.5">
        {page !== "drawings" ? (
          <button
            type="button"
            className="ib ib--sm"
            aria-label={t("drawings.backToList")}
            onClick={() => turn("drawings")}
          >
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
            page === "gateway" ? "drawings.searchGateways" : page === "recent" ? "files.search" : "drawings.search",
          )}
        />
      </div>
      <Command.List className="p-1">
        <Command.Empty className="cap px-2 py-3">{t("drawings.noMatch")}</Command.Empty>
        {page === "gateway" ? (
          <GatewayPage close={close} />
        ) : page === "recent" ? (
          <RecentPage close={close} />
        ) : (
          <DrawingsPage close={close} search={search} turn={turn} />
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

function DrawingsPage({
  close,
  search,
  turn,
}: {
  close: () => void;
  search: string;
  turn: (to: "gateway" | "recent") => void;
}) {
  const { t } = useTranslation();
  const drawings = useDrawings(),
    id = useDrawing((s) => s.id),
    ready = useDrawing((s) => s.status === "ready"),
    gateway = useDrawing((s) => s.gateway);
  const target = useTarget(),
    recent = useRecentFiles(),
    origin = useRecent((s) => s.origins[id]);
  const act = (run: () => unknown) => () => {
    close();
    void run();
  };
  const row = (key: KeyIn<"drawings">, icon: LucideIcon, run: () => unknown, danger?: boolean) => {
    const label = t(`drawings.${key}`);
    return (
      <Row value={`do:${key}`} words={[label]} icon={icon} danger={danger} onSelect={act(run)}>
        {label}
      </Row>
    );
  };
  return (
    <>
      <Command.Group heading={<span className="label pt-1!">{t("drawings.title")}</span>}>
        {drawings.map((d) => (
          <Row
            key={d.id}
            value={d.id}
            words={[d.name, d.gateway]}
            lead={
              d.id === id ? <Check size={16} aria-label={t("drawings.current")} /> : <span className="w-4 flex-none" />
            }
            onSelect={act(() => switchTo(d.id))}
            end={
              <span className="row flex-none gap-1.5">
                {d.changes > 0 && <Badge tone="chg">{t("counts.changes", { count: d.changes })}</Badge>}
                <span className="cap num">{t("counts.agents", { count: d.agents })}</span>
              </span>
            }
          >
            <span title={plainName(d.name)}>{plainName(d.name)}</span>
          </Row>
        ))}
        {!drawings.length && !search && <p className="cap px-2 py-1">{t("drawings.none")}</p>}
        {row("new", FilePlus2, () => openDialog("new"))}
        <Row
          value="do:all"
          words={[t("library.all")]}
          icon={LayoutGrid}
          onSelect={act(() => useUi.getState().go("drawings"))}
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
              words={[t("drawings.gateway"), gateway, gatewayName(t, gateway)]}
              icon={Send}
              onSelect={() => turn("gateway")}
              end={
                <span className="row cap flex-none gap-1.5">
                  <ColourSquare colour={target?.color ?? 1} />
                  <span className="cut max-w-32">{gatewayName(t, gateway)}</span>
                  <ChevronRight size={14} aria-hidden />
                </span>
              }
            >
              {t("drawings.gateway")}
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
    current = useDrawing((s) => s.gateway);
  return (
    <Command.Group heading={<span className="label pt-1!">{t("drawings.gatewayTitle")}</span>}>
      {gateways.map((g) => (
        <Row
          key={g.name}
          value={g.name}
          words={[g.name, gatewayName(t, g.name), g.url]}
          lead={
            g.name === current ? (
              <Check size={16} aria-label={t("drawings.current")} />
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
            <ColourSquare colour={g.color} />
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
