import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useAgentSettings } from "@/stores/agentSettings";
import { useTeam } from "@/stores/team";
import { countSet, displayName, findAgent, type Agent, type ConnectionRef } from "@/topology";
import { useAgentNotes } from "../use";
import { delegation, type Placed } from "./sections";
import { useOwn, useOwnOfEveryone, type Own } from "./shown";
import { Below, Group, SettingPart, SettingRow, type Shown } from "./SettingRow";
import { formsOf, hasGroup, isObject, pathText, valueAt } from "./tree";
import "./settings.css";

/**
 * The settings of subagents that count for a Delegate connection: how its first agent delegates, with which model the
 * other one runs then, and the limits of everyone. The gateway keeps them with the agents, so each counts for several
 * connections.
 */
export function Delegation({ connection: c, viewOnly }: { connection: ConnectionRef; viewOnly?: boolean }) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    from = useTeam((s) => findAgent(s.topology, c.from)),
    to = useTeam((s) => findAgent(s.topology, c.to));
  const { data } = useAgentSettings(gateway);
  const parts = data && delegation(data.settings, data.everyone);
  if (!parts) return null;
  return (
    <section className="border-t border-line" aria-label={t("agentSettings.section.subagents")}>
      {from && <OfAgent agent={from} end="from" settings={parts.from} viewOnly={viewOnly} />}
      {to && <OfAgent agent={to} end="to" other={from} settings={parts.to} viewOnly={viewOnly} />}
      <OfEveryone settings={parts.everyone} viewOnly={viewOnly} />
    </section>
  );
}

type Part = { settings: readonly Placed[]; viewOnly?: boolean };

function OfAgent({ agent, end, other, ...p }: Part & { agent: Agent; end: "from" | "to"; other?: Agent }) {
  const { t } = useTranslation();
  const { problems } = useAgentNotes(agent.id),
    own = useOwn(agent, problems, p.viewOnly),
    name = displayName(agent);
  return (
    <Settings
      {...p}
      own={own}
      name={end}
      opened
      label={t(`agentSettings.delegation.${end}`, { name })}
      help={[t(`agentSettings.delegation.${end}Why`, { name }), other && thinksFirst(t, other)]
        .filter(Boolean)
        .join(" ")}
    />
  );
}

/** Says that the delegating agent's own thinking level counts before the one of the agent that it delegates to. */
const thinksFirst = (t: TFunction, from: Agent) =>
  valueAt(from.extra, ["subagents", "thinking"]) !== undefined &&
  t("agentSettings.delegation.thinksFirst", { name: displayName(from) });

function OfEveryone(p: Part) {
  const { t } = useTranslation();
  const own = useOwnOfEveryone(p.viewOnly);
  if (!own) return null;
  return (
    <Settings
      {...p}
      own={own}
      name="everyone"
      label={t("canvas.everyone.title")}
      help={t("agentSettings.delegation.everyoneWhy")}
    />
  );
}

type SettingsProps = Part & { own: Own; name: string; label: string; help: string; opened?: boolean };

function Settings({ own, settings, name, label, help, opened }: SettingsProps) {
  const shown: Shown = { ...own, builtin: false, query: "", only: false };
  if (!settings.length) return null;
  return (
    <Group
      shown={shown}
      path={[`delegation:${name}`]}
      plain
      opened={opened}
      label={label}
      help={help}
      set={settings.reduce((n, s) => n + countSet(valueAt(own.own, s.path)), 0)}
    >
      {settings.map((s) =>
        formsOf(s.setting).length ? (
          <div key={pathText(s.path)} className="col gap-4">
            <SettingRow shown={shown} {...s} />
            {hasGroup(s.setting) && isObject(valueAt(own.own, s.path)) && <Below shown={shown} {...s} />}
          </div>
        ) : (
          <SettingPart key={pathText(s.path)} shown={shown} {...s} />
        ),
      )}
    </Group>
  );
}
