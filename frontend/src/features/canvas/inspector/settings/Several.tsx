import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Agent, AgentSettings } from "@/topology";
import { TellSeveral } from "../TellSeveral";
import { SettingsForm } from "./AllSettings";
import { setterOfAll } from "./edit";
import { useInherited } from "./shown";
import { common, configOf } from "./tree";

const ofAgent = (d: AgentSettings) => d.settings;

/** The settings of several agents: what they share is shown, and a change is made to all of them in one undo step. */
export function SettingsOfSeveral({ agents }: { agents: readonly Agent[] }) {
  const { t } = useTranslation();
  const inherited = useInherited();
  const who = t("inspector.agents", { count: agents.length }),
    ids = agents.map((a) => a.id).join(",");
  const own = useMemo(() => {
    const each = agents.map(configOf);
    return {
      set: setterOfAll(ids.split(","), who),
      own: common(each),
      base: undefined,
      each,
      inherited,
      problems: [],
    };
  }, [agents, ids, who, inherited]);
  return (
    <>
      <TellSeveral agents={agents} />
      <SettingsForm own={own} settings={ofAgent} />
    </>
  );
}
