import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useAgentSettings } from "@/stores/agentSettings";
import { useTeam } from "@/stores/team";
import { useOpenProblems } from "@/stores/trust";
import type { Agent, Problem } from "@/topology";
import { setterOf, setterOfEveryone } from "./edit";
import type { Shown } from "./SettingRow";
import { configOf, type Json } from "./tree";

/** Whose settings are shown: their values, and how one is set. */
export type Own = Omit<Shown, "builtin" | "query" | "only">;

/** What every agent of the team inherits: as the team has it, else as the gateway was last seen with it. */
export function useInherited(): Json {
  const gateway = useTeam((s) => s.gateway),
    defaults = useTeam((s) => s.topology.defaults),
    known = useTeam((s) => !!(s.topology.defaults ?? s.base?.topology.defaults));
  const { data } = useAgentSettings(gateway);
  return known ? defaults : data?.defaults;
}

/** The settings of an agent. */
export function useOwn(agent: Agent, problems: readonly Problem[], viewOnly?: boolean): Own {
  const base = useTeam((s) => s.base?.topology.agents.find((a) => a.id === agent.id));
  const inherited = useInherited();
  return useMemo<Own>(
    () => ({
      agent: agent.id,
      set: setterOf(agent),
      own: configOf(agent),
      base: base && configOf(base),
      inherited,
      problems,
      viewOnly,
    }),
    [agent, base, inherited, problems, viewOnly],
  );
}

/** The settings that every agent inherits; undefined where the team was imported before they were read. */
export function useOwnOfEveryone(viewOnly?: boolean): Own | undefined {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    defaults = useTeam((s) => s.topology.defaults),
    base = useTeam((s) => s.base?.topology);
  const { data } = useAgentSettings(gateway);
  const all = useOpenProblems(),
    problems = useMemo(() => all.filter((p) => p.subject === "defaults"), [all]);
  const who = t("canvas.everyone.title");
  const own = useMemo<Own>(
    () => ({
      set: setterOfEveryone(who),
      own: defaults,
      base: base && (base.defaults ?? {}),
      inherited: undefined,
      problems,
      everyone: true,
      viewOnly,
    }),
    [who, defaults, base, problems, viewOnly],
  );
  const missing = !!base && !base.defaults && !defaults && !!data?.defaults && Object.keys(data.defaults).length > 0;
  return missing ? undefined : own;
}
