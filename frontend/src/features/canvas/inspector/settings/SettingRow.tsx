import { ArrowRight, ChevronRight, Plus, RotateCcw, TriangleAlert } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import type { Agent, Problem, Setting } from "@/topology";
import { Badge, Button, IconButton, Input, isEnter } from "@/ui";
import { Was } from "../TextField";
import { setSetting } from "./edit";
import { goToOwn, isNumberField, ownField } from "./own";
import { openGroup, usePlace } from "./place";
import { SettingControl } from "./SettingControl";
import {
  ANY,
  below,
  blockedBy,
  countSet,
  entryOf,
  finds,
  formsOf,
  hasGroup,
  isObject,
  labelOf,
  pathText,
  REDACTED,
  shortText,
  valueAt,
  type Json,
  type Path,
} from "./tree";

/** What the rows of one agent have in common. */
export type Shown = {
  agent: Agent;
  /** The agent's values as its config has them, and as it had them when last read. */ own: Json;
  base: Json;
  inherited: Json;
  problems: readonly Problem[];
  /** The gateway inside AgentFlow: its settings have our own words. */ builtin: boolean;
  query: string;
  only: boolean;
};

type Props = { shown: Shown; setting: Setting; path: Path };

/** Our word for a field of AgentFlow, else the gateway's, else the key in words. */
export function useLabel() {
  const { t } = useTranslation();
  return (s: Setting, path: Path, builtin: boolean) => {
    const field = ownField(path);
    if (field) return field.label(t);
    const known = builtin || isNumberField(path) ? t(`field.${pathText(path)}`, { defaultValue: "" }) : "";
    return known || labelOf(s, path);
  };
}

/** Whether the setting, or one below it, is to be seen. */
export function visible(shown: Shown, s: Setting, path: Path, label: string): boolean {
  if (shown.only && valueAt(shown.own, path) === undefined) return false;
  if (!shown.query || finds(shown.query, s, path, label)) return true;
  const inMap = (x: Setting, at: Path): boolean =>
    (x.settings ?? []).some((c) => finds(shown.query, c, [...at, c.key]) || inMap(c, [...at, c.key]));
  return inMap(s, path);
}

/** Whether the setting has to be seen for itself: also where only its JSON can set what was found. */
function foundItself(shown: Shown, s: Setting, path: Path, label: string): boolean {
  if (!shown.query || finds(shown.query, s, path, label)) return true;
  const each = s.settings?.find((c) => c.key === ANY);
  return !!each && visible({ ...shown, only: false }, each, [...path, ANY], labelOf(each, [...path, ANY]));
}

/** A setting with its control, and the settings below it. */
export function SettingPart({ shown, setting, path }: Props) {
  const label = useLabel()(setting, path, shown.builtin);
  if (!visible(shown, setting, path, label)) return null;
  const alone = formsOf(setting).length > 0 || !!ownField(path);
  const row = alone && foundItself(shown, setting, path, label) && (
    <SettingRow shown={shown} setting={setting} path={path} />
  );
  if (!isGroup(setting)) return row;
  return (
    <Group
      shown={shown}
      path={path}
      label={label}
      help={row || shown.query ? undefined : setting.help}
      set={countSet(valueAt(shown.own, path))}
    >
      {row}
      <Below shown={shown} setting={setting} path={path} />
    </Group>
  );
}

/** Whether there are settings below one, to open and to close. */
export const isGroup = (s: Setting) => !!s.settings?.length && (hasGroup(s) || !!entryOf(s));

/** The settings that belong to no group. */
export function General({ shown, settings }: { shown: Shown; settings: Setting[] }) {
  const { t } = useTranslation();
  const set = settings.reduce((n, s) => n + countSet(valueAt(shown.own, [s.key])), 0);
  if (!settings.length) return null;
  return (
    <Group shown={shown} path={[]} label={t("agentSettings.general")} set={set}>
      {settings.map((s) => (
        <SettingPart key={s.key} shown={shown} setting={s} path={[s.key]} />
      ))}
    </Group>
  );
}

type GroupProps = { shown: Shown; path: Path; label: string; help?: string; set: number; children: ReactNode };

function Group({ shown, path, label, help, set, children }: GroupProps) {
  const { t } = useTranslation();
  const text = pathText(path);
  const stays = usePlace((s) => s.open[text] ?? false);
  const found = !!shown.query || shown.only;
  const [shut, setShut] = useState<string>();
  const now = `${shown.query}|${shown.only}`;
  const open = found ? shut !== now : stays;
  return (
    <section className="set-group" data-depth={Math.min(path.length, 4)}>
      <button
        type="button"
        className="set-head"
        aria-expanded={open}
        onClick={() => (found ? setShut(open ? now : undefined) : openGroup(text, !open))}
      >
        <ChevronRight size={14} aria-hidden className={open ? "rotate-90" : undefined} />
        <span className="cut">{label}</span>
        <span className="cap mono cut grow" title={text}>
          {text}
        </span>
        {set > 0 && <Badge>{t("agentSettings.count", { count: set })}</Badge>}
      </button>
      {open && (
        <div className="set-body">
          {help && <p className="cap">{help}</p>}
          {children}
        </div>
      )}
    </section>
  );
}

function Below({ shown, setting, path }: Props) {
  const entry = entryOf(setting);
  return (
    <>
      {below(setting, path, shown.own, shown.inherited).map((b) => (
        <SettingPart key={pathText(b.path)} shown={shown} setting={b.setting} path={b.path} />
      ))}
      {entry && !shown.only && <AddEntry shown={shown} path={path} />}
    </>
  );
}

/** A new entry of a map whose keys the person names. */
function AddEntry({ shown, path }: { shown: Shown; path: Path }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const key = name.trim(),
    taken = valueAt(shown.own, [...path, key]) !== undefined;
  const blocked = !!blockedBy(shown.own, [...path, key]);
  const add = () => {
    if (!key || taken || blocked) return;
    setSetting(shown.agent, [...path, key], {});
    openGroup(pathText([...path, key]), true);
    setName("");
  };
  return (
    <div className="row">
      <span className="grow">
        <Input
          size="sm"
          mono
          value={name}
          aria-label={t("agentSettings.entryName", { name: pathText(path) })}
          placeholder={t("agentSettings.entryKey")}
          onText={setName}
          onKeyDown={(e) => {
            if (isEnter(e)) add();
          }}
        />
      </span>
      <Button size="sm" icon={Plus} disabled={!key || taken || blocked} onClick={add}>
        {t("agentSettings.addEntry")}
      </Button>
    </div>
  );
}

function SettingRow({ shown, setting, path }: Props) {
  const { t } = useTranslation();
  const id = useId(),
    label = useLabel()(setting, path, shown.builtin);
  const own = valueAt(shown.own, path),
    was = valueAt(shown.base, path),
    text = pathText(path);
  const field = ownField(path),
    blocked = blockedBy(shown.own, path);
  const inherited = valueAt(shown.inherited, path) ?? undefined,
    changed = shown.base !== undefined && JSON.stringify(own) !== JSON.stringify(was);
  const inBelow = isObject(own) && hasGroup(setting) && !setting.kinds.includes("any");
  const value = inBelow ? undefined : own;
  const problem = shown.problems.find((p) => p.field === `extra.${path[0] ?? ""}` && p.params?.key === text);
  return (
    <div className="set-row" data-setting={text}>
      <div className="set-line">
        <label htmlFor={field ? undefined : id} className="grow">
          {label}
        </label>
        {setting.reload && <Reload kind={setting.reload} />}
        {own !== undefined && !field && (
          <IconButton
            size="sm"
            icon={RotateCcw}
            label={t("agentSettings.reset", { name: label })}
            onClick={() => setSetting(shown.agent, path, undefined)}
          />
        )}
      </div>
      <span className="cap mono set-path">{text}</span>
      {field ? (
        <Button size="sm" tone="quiet" icon={ArrowRight} onClick={() => goToOwn(t, field)}>
          {t("agentSettings.goTo", { tab: t(field.tab === "general" ? "inspector.general" : `field.${field.tab}`) })}
        </Button>
      ) : (
        <SettingControl
          setting={setting}
          label={label}
          id={id}
          describedBy={`${id}-state`}
          value={value}
          inherited={setting.sensitive ? undefined : (inherited ?? setting.default)}
          disabled={inBelow || !!blocked}
          changed={changed}
          warn={!!problem}
          onValue={(v, typing) => setSetting(shown.agent, path, v, typing)}
        />
      )}
      <span id={`${id}-state`} className="cap set-state">
        {field && own !== undefined && !inBelow ? (
          t("agentSettings.state.ownIs", { value: shortText(own) })
        ) : (
          <State setting={setting} own={own} inherited={inherited} inBelow={inBelow} blocked={blocked} />
        )}
        {changed && !setting.sensitive && <Was value={was} />}
      </span>
      {problem && (
        <span className="hint hint--warn">
          <TriangleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
          {problemMessage(t, problem)} {problemRemedy(t, problem)}
        </span>
      )}
      {setting.help && <p className="cap">{setting.help}</p>}
    </div>
  );
}

function Reload({ kind }: { kind: string }) {
  const { t } = useTranslation();
  if (kind === "restart") return <Badge tone="chg">{t("agentSettings.restart")}</Badge>;
  return <Badge title={t("agentSettings.hotWhy")}>{t("agentSettings.hot")}</Badge>;
}

type StateProps = { setting: Setting; own: Json; inherited: Json; inBelow: boolean; blocked?: Path };

/** Where the value comes from that applies now. */
function State({ setting, own, inherited, inBelow, blocked }: StateProps) {
  const { t } = useTranslation();
  if (blocked) return t("agentSettings.state.blocked", { path: pathText(blocked) });
  if (inBelow) return t("agentSettings.state.below");
  if (setting.sensitive) {
    const v = own ?? inherited;
    if (v === undefined) return t("agentSettings.state.none");
    return t(
      v === REDACTED
        ? "agentSettings.storedThere"
        : own === undefined
          ? "agentSettings.state.inheritedSecret"
          : "agentSettings.state.own",
    );
  }
  if (own !== undefined) return t("agentSettings.state.own");
  if (inherited !== undefined) return t("agentSettings.state.inherited", { value: shortText(inherited) });
  if (setting.default !== undefined) return t("agentSettings.state.default", { value: shortText(setting.default) });
  return t("agentSettings.state.none");
}
