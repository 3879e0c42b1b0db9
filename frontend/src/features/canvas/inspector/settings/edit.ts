import { useTeam } from "@/stores/team";
import { displayName, findAgent, updateAgents, type Agent } from "@/topology";
import { isNumberField } from "./own";
import { pathText, withValue, type Json, type Path } from "./tree";

/** Sets one setting of an agent, or takes its value away. Typing in one setting is one undo step. */
export function setSetting(agent: Agent, path: Path, value: Json, typing = false): void {
  const text = pathText(path);
  useTeam.getState().edit(
    `edit.setting|${displayName(agent)}: ${text}`,
    (d) => {
      if (isNumberField(path)) return updateAgents(d, [agent.id], { [path[0]]: value });
      const extra = withValue(findAgent(d, agent.id)?.extra, path, value);
      return updateAgents(d, [agent.id], { extra });
    },
    typing ? { typing: true, coalesce: `agent:${agent.id}:extra.${text}` } : {},
  );
}

/** Sets all settings of an agent that have no field of their own. */
export function setAll(agent: Agent, extra: Record<string, unknown>): void {
  useTeam
    .getState()
    .edit(
      `edit.settings|${displayName(agent)}`,
      (d) => updateAgents(d, [agent.id], { extra: Object.keys(extra).length ? extra : undefined }),
      { typing: true, coalesce: `agent:${agent.id}:extra` },
    );
}
