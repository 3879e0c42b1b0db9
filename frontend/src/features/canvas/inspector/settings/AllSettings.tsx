import { Braces, ListTree, Search } from "lucide-react";
import { useDeferredValue, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { formatWhen } from "@/i18n/format";
import { useAgentSettings } from "@/stores/agentSettings";
import { useTarget, useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import type { Agent, AgentSettings, Setting } from "@/topology";
import { Checkbox, EmptyState, ErrorState, Input, Segmented, Skeleton } from "@/ui";
import type { AgentNotes } from "../use";
import { setPlace, usePlace } from "./place";
import { RawSettings } from "./RawSettings";
import { General, isGroup, SettingPart, useLabel, visible, type Shown } from "./SettingRow";
import { ANY, configOf, flatten, formsOf } from "./tree";
import "./settings.css";

/** Every setting that the gateway offers for an agent, to search, set and reset, and their JSON. */
export function AllSettings({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    base = useTeam((s) => s.base?.topology.agents.find((a) => a.id === agent.id));
  const builtin = !!useTarget()?.builtin;
  const { data, error, again } = useAgentSettings(gateway);
  const { view, query: typed, only } = usePlace();
  const query = useDeferredValue(typed);
  useAsked();
  const shown = useMemo<Shown>(
    () => ({
      agent,
      own: configOf(agent),
      base: base && configOf(base),
      inherited: data?.defaults,
      problems: notes.problems,
      builtin,
      query: query.trim(),
      only,
    }),
    [agent, base, data, notes.problems, builtin, query, only],
  );
  const none = data?.state === "none";
  const raw = view === "raw" || none;
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
          {!none && (
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
        {data && <About data={data} builtin={builtin} />}
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
        <RawSettings key={agent.id} agent={agent} problems={notes.problems} />
      ) : (
        <Tree shown={shown} settings={data.settings} />
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
function About({ data, builtin }: { data: AgentSettings; builtin: boolean }) {
  const { t } = useTranslation();
  if (data.state === "none")
    return (
      <p className="cap">
        {t("agentSettings.none")} {data.error && errorMeaning(t, data.error)}
      </p>
    );
  const version = builtin
    ? t("agentSettings.ofBuiltin")
    : data.version
      ? t("agentSettings.ofVersion", { version: data.version })
      : t("agentSettings.ofGateway");
  return (
    <p className="cap">
      {t("agentSettings.about", { count: countable(data.settings), version })}
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
  const seen = settings.filter((s) => visible(shown, s, [s.key], labelOf(s, [s.key], shown.builtin)));
  if (!seen.length)
    return (
      <EmptyState
        icon={Search}
        title={t(shown.only && !shown.query ? "agentSettings.noneSet" : "agentSettings.noneFound")}
      >
        {t(shown.only && !shown.query ? "agentSettings.noneSetWhy" : "agentSettings.noneFoundWhy")}
      </EmptyState>
    );
  return (
    <div className="set-tree">
      <General shown={shown} settings={seen.filter((s) => !isGroup(s))} />
      {seen.filter(isGroup).map((s) => (
        <SettingPart key={s.key} shown={shown} setting={s} path={[s.key]} />
      ))}
    </div>
  );
}
