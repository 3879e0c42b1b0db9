import { Braces, ListTree, Search } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { formatWhen } from "@/i18n/format";
import { useAgentSettings } from "@/stores/agentSettings";
import { useTarget, useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import type { Agent, AgentSettings, Setting } from "@/topology";
import { Checkbox, EmptyState, ErrorState, Input, Segmented, Skeleton } from "@/ui";
import type { AgentNotes } from "../use";
import { setAll } from "./edit";
import { setPlace, usePlace } from "./place";
import { RawSettings } from "./RawSettings";
import { inSections } from "./sections";
import { General, isGroup, Section, SettingPart, useLabel, visible, type Shown } from "./SettingRow";
import { useOwn, type Own } from "./shown";
import { ANY, flatten, formsOf } from "./tree";
import "./settings.css";

/** Every setting that the gateway offers for an agent, to search, set and reset, and their JSON. */
export function AllSettings({ agent, notes, viewOnly }: { agent: Agent; notes: AgentNotes; viewOnly?: boolean }) {
  const own = useOwn(agent, notes.problems, viewOnly);
  useAsked();
  return (
    <SettingsForm
      own={own}
      settings={ofAgent}
      raw={
        <RawSettings
          key={agent.id}
          id={agent.id}
          values={agent.extra}
          problems={notes.problems}
          viewOnly={viewOnly}
          onValues={(values) => setAll(agent, values)}
        />
      }
    />
  );
}

const ofAgent = (d: AgentSettings) => d.settings;

type FormProps = {
  own: Own;
  settings: (d: AgentSettings) => Setting[];
  /** Their JSON; without it there is only the list. */ raw?: ReactNode;
};

/** A list of settings to search, set and reset, and their JSON. */
export function SettingsForm({ own, settings: of, raw: json }: FormProps) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway);
  const builtin = !!useTarget()?.builtin;
  const { data, error, again } = useAgentSettings(gateway);
  const { view, query: typed, only } = usePlace();
  const query = useDeferredValue(typed);
  const shown = useMemo<Shown>(() => ({ ...own, builtin, query: query.trim(), only }), [own, builtin, query, only]);
  const settings = data && of(data),
    none = data?.state === "none" || !settings?.length;
  const raw = !!json && (view === "raw" || none);
  return (
    <div className="set">
      <div className="set-tools">
        {!raw && (
          <Input
            icon={Search}
            type="search"
            value={typed}
            aria-label={t("agentSettings.search")}
            placeholder={t("agentSettings.search")}
            onText={(query) => setPlace({ query })}
          />
        )}
        <div className="row flex-wrap gap-y-2">
          {!raw && <Checkbox label={t("agentSettings.only")} checked={only} onChecked={(only) => setPlace({ only })} />}
          <span className="grow" />
          {json && !none && (
            <Segmented
              size="sm"
              label={t("agentSettings.view")}
              value={view}
              options={[
                { value: "tree", label: t("agentSettings.tree"), icon: <ListTree size={14} aria-hidden /> },
                { value: "raw", label: t("agentSettings.raw"), icon: <Braces size={14} aria-hidden /> },
              ]}
              onValue={(view) => setPlace({ view })}
            />
          )}
        </div>
        {data && <About data={data} settings={settings ?? []} builtin={builtin} json={!!json} />}
      </div>
      {error && !data ? (
        <ErrorState
          title={t("agentSettings.failed")}
          actions={
            <button type="button" className="link" onClick={again}>
              {t("common.retry")}
            </button>
          }
        >
          {errorMeaning(t, error)}
        </ErrorState>
      ) : !data ? (
        <Skeleton lines={8} label={t("agentSettings.loading")} />
      ) : raw ? (
        <fieldset disabled={own.viewOnly}>{json}</fieldset>
      ) : (
        !none && <Tree shown={shown} settings={settings} />
      )}
    </div>
  );
}

/** A problem of a setting leads to the setting. */
function useAsked() {
  const ask = useUi((s) => s.focusField);
  useEffect(() => {
    if (!ask?.field.startsWith("extra.")) return;
    setPlace({ view: "tree", query: ask.field.slice("extra.".length), only: false });
    useUi.getState().fieldFocused();
  }, [ask]);
}

/** From which gateway the settings are, and since when that is known. */
function About({
  data,
  settings,
  builtin,
  json,
}: {
  data: AgentSettings;
  settings: Setting[];
  builtin: boolean;
  json: boolean;
}) {
  const { t } = useTranslation();
  if (data.state === "none" || !settings.length)
    return (
      <p className="cap">
        {t(json ? "agentSettings.none" : "agentSettings.noneAtAll")} {data.error && errorMeaning(t, data.error)}
      </p>
    );
  const version = builtin
    ? t("agentSettings.ofBuiltin")
    : data.version
      ? t("agentSettings.ofVersion", { version: data.version })
      : t("agentSettings.ofGateway");
  return (
    <p className="cap">
      {t("agentSettings.about", { count: countable(settings), version })}
      {data.state === "kept" && data.at && <> {t("agentSettings.kept", { when: formatWhen(data.at, true) })}</>}
      {data.truncated && <> {t("agentSettings.truncated")}</>}
    </p>
  );
}

/** The number of settings that can have a value: groups only hold others. */
const countable = (settings: Setting[]) =>
  flatten(settings).filter((s) => formsOf(s.setting).length > 0 && s.setting.key !== ANY).length;

function Tree({ shown, settings }: { shown: Shown; settings: Setting[] }) {
  const { t } = useTranslation();
  const labelOf = useLabel();
  const narrowed = !!shown.query || shown.only;
  const parts = useMemo(() => inSections(settings), [settings]);
  const listed = narrowed ? settings : parts.rest;
  const seen = listed.filter((s) => visible(shown, s, [s.key], labelOf(s, [s.key], shown)));
  if (!seen.length && (narrowed || !parts.sections.length))
    return (
      <EmptyState
        icon={Search}
        title={t(shown.only && !shown.query ? "agentSettings.noneSet" : "agentSettings.noneFound")}
      >
        {t(
          !shown.only || shown.query
            ? "agentSettings.noneFoundWhy"
            : shown.everyone
              ? "everyone.noneSet"
              : "agentSettings.noneSetWhy",
        )}
      </EmptyState>
    );
  return (
    <div className="set-tree">
      {!narrowed && parts.sections.map((s) => <Section key={s.name} shown={shown} {...s} />)}
      {!narrowed && seen.length > 0 && parts.sections.length > 0 && (
        <h3 className="set-rest">{t("agentSettings.rest")}</h3>
      )}
      <General shown={shown} settings={seen.filter((s) => !isGroup(s))} />
      {seen.filter(isGroup).map((s) => (
        <SettingPart key={s.key} shown={shown} setting={s} path={[s.key]} />
      ))}
    </div>
  );
}
