import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import type { TaskType } from "@/stores/taskDraft";
import { useTasks } from "@/stores/tasks";
import { useTarget, useTeam } from "@/stores/team";
import { isCoordinator, type Agent, type Candidate } from "@/topology";

export type Receiver = {
  /** The agent to request. "" leaves the choice to the hub. Undefined: nobody in the team could take it. */
  agent?: string;
  /** In short, for the menu. */
  hint: string;
  /** Why nobody could. */
  why?: string;
};

/** The agent that gets a task for the team at an added gateway: its coordinator, or else the first that can take it. */
export function atItsGateway(
  drawn: readonly Pick<Agent, "id" | "role">[],
  agents: readonly Candidate[],
  gateway: string,
  type: TaskType,
): Candidate | undefined {
  const able = (id: string) =>
    agents.find((a) => a.gateway === gateway && a.id === `${id}@${gateway}` && a.can.includes(type));
  const first = drawn.find((a) => isCoordinator(a.role) && able(a.id)) ?? drawn.find((a) => able(a.id));
  return first && able(first.id);
}

/** Who receives a task for the applied team: a coordinator, which passes on what it has no tools for. */
export function teamHint(t: TFunction, agents: readonly Candidate[], type: TaskType): string {
  const leads = agents.filter((a) => !a.gateway && a.may && isCoordinator(a.role)),
    able = leads.filter((a) => a.can.includes(type)),
    mute = leads.filter((a) => a.cause?.code === "no_provider"),
    names = (list: Candidate[]) => formatList(list.map((a) => a.name || a.id));
  if (able.length > 1) return t("tasks.to.receivesOne", { names: names(able) });
  if (able.length) return t("tasks.to.receives", { name: names(able) });
  return mute.length ? t("tasks.to.mute", { names: names(mute) }) : t("tasks.to.teamHint");
}

/** Who receives a task for the team that is open. */
export function useReceiver(type: TaskType): Receiver {
  const { t } = useTranslation();
  const target = useTarget(),
    drawn = useTeam((s) => s.topology.agents),
    agents = useTasks((s) => s.agents);
  if (target && target.dialect !== "local") {
    const to = atItsGateway(drawn, agents, target.name, type);
    return to
      ? { agent: to.id, hint: t("tasks.to.receivesAt", { name: to.name || to.id, gateway: target.name }) }
      : {
          hint: t("tasks.to.noneAt", { gateway: target.name }),
          why: agents.length ? t("tasks.to.nobodyAt", { gateway: target.name }) : undefined,
        };
  }
  return { agent: "", hint: teamHint(t, agents, type) };
}
