import { ArrowRight, ChevronRight, Plus, RotateCcw, TriangleAlert } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import { countSet, type AgentID, type Problem, type Setting } from "@/topology";
import { Badge, Button, IconButton, Input, isEnter } from "@/ui";
import { Was } from "../TextField";
import type { SetSetting } from "./edit";
import { namedBy, NamedSetting } from "./NamedSetting";
import { goToOwn, isNumberField, ownField } from "./own";
import { openGroup, usePlace } from "./place";
import type { Placed, SectionName } from "./sections";
import { SettingControl } from "./SettingControl";
import {
  ANY,
  below,
  blockedBy,
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

/** What the rows of one agent, of several or of everyone have in common. */
export type Shown = {
  /** The agent, where it is one. */ agent?: AgentID;
  set: SetSetting;
  /** The values that the config has, and had when last read. Of several agents, those that all have. */ own: Json;
  base: Json;
  /** The values of each, where several agents are shown. */ each?: readonly Json[];
  /** What every agent inherits: it has no fields in other tabs. */ everyone?: boolean;
  inherited: Json;
  problems: readonly Problem[];
  /** The gateway inside AgentFlow: its settings have our own words. */ builtin: boolean;
  /** On a phone, values are only read. */ viewOnly?: boolean;
  query: string;
  only: boolean;
};

type Props = { shown: Shown; setting: Setting; path: Path };

/** Our word for a field of AgentFlow, else the gateway's, else the key in words. */
export function useLabel() {
  const { t } = useTranslation();
  return (s: Setting, path: Path, shown: Shown) => {
    const field = fieldOf(shown, path);
    if (field) return field.label(t);
    const known =
      shown.builtin || (!shown.everyone && isNumberField(path))
        ? t(`field.${pathText(path)}`, { defaultValue: "" })
        : "";
    return known || labelOf(s, path);
  };
}

/** The field that a setting has in another tab. What everyone inherits has none. */
export const fieldOf = (shown: Shown, path: Path) => (shown.everyone ? undefined : ownField(path));

const eachOf = (shown: Shown) => shown.each ?? [shown.own];

/** Whether the agents that are shown have different values. */
const differs = (shown: Shown, path: Path) =>
  new Set(shown.each?.map((v) => JSON.stringify(valueAt(v, path)))).size > 1;

/** Whether the setting, or one below it, is to be seen. */
export function visible(shown: Shown, s: Setting, path: Path, label: string): boolean {
  if (shown.each && fieldOf(shown, path)) return false; // it is set for several above, or for each alone
  if (shown.only && !eachOf(shown).some((v) => valueAt(v, path) !== undefined)) return false;
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
  const label = useLabel()(setting, path, shown);
  if (!visible(shown, setting, path, label)) return null;
  const alone = formsOf(setting).length > 0 || !!fieldOf(shown, path);
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

type SectionProps = { shown: Shown; name: SectionName; settings: readonly Placed[] };

/** Settings that people want often, by what they are for. */
export function Section({ shown, name, settings }: SectionProps) {
  const { t } = useTranslation();
  const there = settings.filter((s) => !shown.each || !fieldOf(shown, s.path));
  const set = there.reduce((n, s) => n + countSet(valueAt(shown.own, s.path)), 0);
  if (!there.length) return null;
  return (
    <Group shown={shown} path={[`section:${name}`]} label={t(`agentSettings.section.${name}`)} plain set={set}>
      {there.map((s) => (
        <SettingRow key={pathText(s.path)} shown={shown} setting={s.setting} path={s.path} />
      ))}
    </Group>
  );
}

type GroupProps = {
  shown: Shown;
  path: Path;
  label: string;
  help?: string;
  /** Its path isn't one of the config. */ plain?: boolean;
  /** It is open until somebody closes it. */ opened?: boolean;
  set: number;
  children: ReactNode;
};

export function Group({ shown, path, label, help, plain, opened = false, set, children }: GroupProps) {
  const { t } = useTranslation();
  const text = pathText(path);
  const stays = usePlace((s) => s.open[text] ?? opened);
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
        <span className="cap mono cut grow" title={plain ? undefined : text}>
          {plain ? "" : text}
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

/** The settings below one, and a field for a new entry where people name them. */
export function Below({ shown, setting, path }: Props) {
  const entry = entryOf(setting);
  return (
    <>
      {below(setting, path, shown.own, shown.inherited).map((b) => (
        <SettingPart key={pathText(b.path)} shown={shown} setting={b.setting} path={b.path} />
      ))}
      {entry && !shown.only && !shown.viewOnly && <AddEntry shown={shown} path={path} />}
    </>
  );
}

/** A new entry of a map whose keys the person names. */
function AddEntry({ shown, path }: { shown: Shown; path: Path }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const key = name.trim(),
    taken = eachOf(shown).some((v) => valueAt(v, [...path, key]) !== undefined);
  const blocked = eachOf(shown).some((v) => blockedBy(v, [...path, key]));
  const add = () => {
    if (!key || taken || blocked) return;
    shown.set([...path, key], {});
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

/** A setting with its control, its state and its explanation. */
export function SettingRow({ shown, setting, path }: Props) {
  const { t } = useTranslation();
  const id = useId(),
    label = useLabel()(setting, path, shown);
  const own = valueAt(shown.own, path),
    was = valueAt(shown.base, path),
    text = pathText(path);
  const field = fieldOf(shown, path),
    mixed = differs(shown, path),
    blocked = eachOf(shown)
      .map((v) => blockedBy(v, path))
      .find((b) => b !== undefined);
  const inherited = valueAt(shown.inherited, path) ?? undefined,
    changed = shown.base !== undefined && JSON.stringify(own) !== JSON.stringify(was);
  const inBelow = isObject(own) && hasGroup(setting) && !setting.kinds.includes("any");
  const value = inBelow ? undefined : own;
  const problem = shown.problems.find((p) => p.field === `extra.${path[0] ?? ""}` && p.params?.key === text);
  const kind = namedBy(path);
  const control = {
    setting,
    label,
    id,
    describedBy: `${id}-state`,
    value,
    inherited: setting.sensitive || mixed ? undefined : (inherited ?? setting.default),
    mixed,
    disabled: inBelow || !!blocked,
    changed,
    warn: !!problem,
    onValue: (v: Json, typing: boolean) => shown.set(path, v, typing),
  };
  const Row = shown.viewOnly ? "fieldset" : "div";
  return (
    <Row className="set-row" data-setting={text} disabled={shown.viewOnly}>
      <div className="set-line">
        <label htmlFor={field ? undefined : id} className="grow">
          {label}
        </label>
        {setting.reload && <Reload kind={setting.reload} />}
        {(own !== undefined || mixed) && !field && !shown.viewOnly && (
          <IconButton
            size="sm"
            icon={RotateCcw}
            label={t("agentSettings.reset", { name: label })}
            onClick={() => shown.set(path, undefined)}
          />
        )}
      </div>
      <span className="cap mono set-path">{text}</span>
      {field ? (
        <Button size="sm" tone="quiet" icon={ArrowRight} onClick={() => goToOwn(t, field)}>
          {t("agentSettings.goTo", { tab: t(field.tab === "general" ? "inspector.general" : `field.${field.tab}`) })}
        </Button>
      ) : kind ? (
        <NamedSetting {...control} kind={kind} agent={shown.agent} />
      ) : (
        <SettingControl {...control} />
      )}
      <span id={`${id}-state`} className="cap set-state">
        {field && own !== undefined && !inBelow ? (
          t("agentSettings.state.ownIs", { value: shortText(own) })
        ) : (
          <State
            setting={setting}
            own={own}
            inherited={inherited}
            inBelow={inBelow}
            blocked={blocked}
            mixed={mixed}
            everyone={shown.everyone}
          />
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
    </Row>
  );
}

function Reload({ kind }: { kind: string }) {
  const { t } = useTranslation();
  if (kind === "restart") return <Badge tone="chg">{t("agentSettings.restart")}</Badge>;
  return <Badge title={t("agentSettings.hotWhy")}>{t("agentSettings.hot")}</Badge>;
}

type StateProps = {
  setting: Setting;
  own: Json;
  inherited: Json;
  inBelow: boolean;
  blocked?: Path;
  mixed?: boolean;
  everyone?: boolean;
};

/** Where the value comes from that applies now. */
function State({ setting, own, inherited, inBelow, blocked, mixed, everyone }: StateProps) {
  const { t } = useTranslation();
  if (mixed) return t("agentSettings.state.differs");
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
  if (own !== undefined) return t(everyone ? "agentSettings.state.forAll" : "agentSettings.state.own");
  if (inherited !== undefined) return t("agentSettings.state.inherited", { value: shortText(inherited) });
  if (setting.default !== undefined) return t("agentSettings.state.default", { value: shortText(setting.default) });
  return t("agentSettings.state.none");
}
