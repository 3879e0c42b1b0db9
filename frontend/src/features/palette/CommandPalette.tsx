import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { composing, cx, Dialog, Kbd, Segmented, useMedia } from "@/ui";
import { kinds, useItems, type PaletteCommand, type PaletteItem, type PaletteThing, type Ways } from "./items";
import { hits, rank, type Group } from "./rank";
import { useRecent } from "./recent";

type Props = {
  commands: readonly PaletteCommand[];
  ways: Ways;
  /** Read when the palette opens. */ useThings: () => readonly PaletteThing[];
};

/** Finds what there is and runs what can be done. */
export function CommandPalette(props: Props) {
  const { t } = useTranslation();
  const open = useUi((s) => s.palette),
    toggle = useUi((s) => s.toggle);
  const chosen = useRef<(() => unknown) | undefined>(undefined);
  const run = (item: PaletteItem) => {
    useRecent.getState().used(item.id);
    chosen.current = item.run;
    toggle("palette", false);
  };
  return (
    <Dialog
      open={open}
      onOpen={(on) => toggle("palette", on)}
      title={t("canvas.find")}
      top
      hideTitle
      width={600}
      onClosed={() => {
        const act = chosen.current;
        chosen.current = undefined;
        act?.();
      }}
    >
      <Inside {...props} onRun={run} />
    </Dialog>
  );
}

const scopes = ["all", "agent", "team", "command"] as const;
type Scope = (typeof scopes)[number];
/** Before anything is typed: recently used items, then a few of each kind. */
const atFirst = ["agent", "team", "command"];
/** The most rows of one kind. Further ones are only counted. */
const atMost = 200;

function Inside({ commands, ways, useThings, onRun }: Props & { onRun: (item: PaletteItem) => void }) {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const [text, setText] = useState(() => useUi.getState().paletteText);
  useEffect(() => {
    useUi.setState({ paletteText: "" });
  }, []);
  const [scope, setScope] = useState<Scope>("all");
  const items = useItems(commands, ways, useThings());
  /** The kind of which all is shown. */
  const [whole, setWhole] = useState<string>();
  const recent = useRecent((s) => s.ids);
  const onlyCommands = text.startsWith(">");
  const query = (onlyCommands ? text.slice(1) : text).trim();
  const within: Scope = onlyCommands ? "command" : scope;
  const groups = useMemo((): (Omit<Group<PaletteItem>, "kind"> & { kind: PaletteItem["kind"] | "recent" })[] => {
    const inScope =
      within === "all"
        ? query
          ? items
          : items.filter((i) => atFirst.includes(i.kind))
        : items.filter((i) => i.kind === within);
    const most = (few: number) => (kind: string) => (within === "all" && kind !== whole ? few : atMost);
    if (query || within !== "all") return rank(inScope, query, { recent, limit: most(8), order: kinds });
    const byId = new Map(items.map((i) => [i.id, i]));
    const used = recent.flatMap((id) => byId.get(id) ?? []).slice(0, 5),
      seen = new Set(used.map((i) => i.id));
    const rest = rank(
      inScope.filter((i) => !seen.has(i.id)),
      "",
      { order: kinds, limit: (kind) => (kind === "command" ? 60 : most(5)(kind)) },
    );
    return used.length ? [{ kind: "recent", items: used, total: used.length }, ...rest] : rest;
  }, [items, query, recent, within, whole]);
  const first = groups.flatMap((g) => g.items).find((i) => !i.off)?.id ?? "";
  const [at, setAt] = useState({ for: "", value: "" });
  const key = `${within}\n${text}`;
  return (
    <Command
      label={t("canvas.find")}
      shouldFilter={false}
      loop
      className="flex min-h-0 flex-col overflow-hidden! p-0! text-text!"
      value={at.for === key ? at.value : first}
      onValueChange={(value) => setAt({ for: key, value })}
      onKeyDown={(e) => {
        if (e.key !== "Tab" || composing(e) || onlyCommands) return;
        e.preventDefault();
        setScope(scopes[(scopes.indexOf(scope) + (e.shiftKey ? scopes.length - 1 : 1)) % scopes.length] ?? "all");
      }}
    >
      <div className="row h-11 flex-none border-b border-line px-3.5">
        <Search size={16} className="t3" aria-hidden />
        <Command.Input
          autoFocus
          value={text}
          onValueChange={(next) => {
            setText(next);
            setWhole(undefined);
          }}
          placeholder={t("palette.placeholder")}
          className="h-full min-w-0 grow border-0 bg-transparent text-16 outline-0 placeholder:text-text-3"
        />
        {!phone && (
          <Segmented
            size="sm"
            label={t("palette.scope")}
            value={within}
            onValue={setScope}
            disabled={onlyCommands}
            options={scopes.map((value) => ({ value, label: t(`palette.in.${value}`) }))}
          />
        )}
      </div>
      {!groups.length && (
        <p className="cap px-3.5 py-4" role="status">
          {t("palette.nothing", { query })}
        </p>
      )}
      <Command.List
        label={t("canvas.find")}
        className="min-h-0 overflow-auto px-1.5 pt-1 pb-2 empty:p-0"
        style={{ maxHeight: "min(440px, 60vh)" }}
      >
        {groups.map((g) => (
          <Command.Group key={g.kind} heading={<span className="label pt-2!">{t(`palette.kind.${g.kind}`)}</span>}>
            {g.items.map((i) => (
              <Command.Item
                key={i.id}
                value={i.id}
                disabled={!!i.off}
                onSelect={() => onRun(i)}
                className={cx("trow group", phone && "min-h-11!", i.off && "t3")}
              >
                {i.lead()}
                <span className="cut">
                  <Found title={i.title} query={query} />
                </span>
                {i.caption && <span className="cap cut">{i.caption()}</span>}
                <span className="grow" />
                {i.kind === "agent" && !phone ? (
                  <span className="cap hidden items-center gap-2 group-aria-selected:inline-flex">
                    {i.end}
                    <Kbd keys="Enter" />
                  </span>
                ) : (
                  i.end && i.kind !== "agent" && <span className="cap flex-none">{i.end}</span>
                )}
                {i.keys && !phone && <Kbd keys={i.keys} />}
              </Command.Item>
            ))}
            {g.total > g.items.length &&
              (g.kind === whole || within !== "all" ? (
                <p className="cap px-2 py-1">{t("palette.moreNarrow", { count: g.total - g.items.length })}</p>
              ) : (
                <Command.Item
                  value={`more:${g.kind}`}
                  onMouseDown={(e) => e.preventDefault()}
                  onSelect={() => {
                    setWhole(g.kind);
                    setAt({ for: key, value: g.items.at(-1)?.id ?? "" });
                  }}
                  className={phone ? "trow t2 min-h-11!" : "trow t2"}
                >
                  {t("palette.more", { count: g.total - g.items.length })}
                </Command.Item>
              ))}
          </Command.Group>
        ))}
      </Command.List>
      {!phone && (
        <footer className="cap row flex-none gap-4 border-t border-line bg-surface-2 px-3.5 py-2">
          <span className="row gap-1">
            <Kbd keys="↑" />
            <Kbd keys="↓" />
            {t("palette.choose")}
          </span>
          <span className="row gap-1">
            <Kbd keys="Tab" />
            {t("palette.nextKind")}
          </span>
          <span className="row gap-1">
            <Kbd keys=">" />
            {t("palette.commandsOnly")}
          </span>
          <span className="row gap-1">
            <Kbd keys="Escape" />
            {t("palette.close")}
          </span>
        </footer>
      )}
    </Command>
  );
}

/** A title with what was typed in bold. */
function Found({ title, query }: { title: string; query: string }) {
  const found = hits(title, query);
  if (!found.length) return title;
  return (
    <>
      {found.map(([from, to], i) => (
        <span key={from}>
          {title.slice(found[i - 1]?.[1] ?? 0, from)}
          <b>{title.slice(from, to)}</b>
        </span>
      ))}
      {title.slice(found.at(-1)?.[1])}
    </>
  );
}
