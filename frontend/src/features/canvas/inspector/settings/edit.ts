import { useTeam } from "@/stores/team";
import { displayName, findAgent, updateAgents, type Agent, type Topology } from "@/topology";
import { isNumberField } from "./own";
import { pathText, withValue, type Json, type Path } from "./tree";

/** Sets one setting, or takes its value away. Typing in one setting is one undo step. */
export type SetSetting = (path: Path, value: Json, typing?: boolean) => void;

function edit(who: string, key: string, path: Path, typing: boolean, change: (d: Topology) => Topology): void {
  const text = pathText(path);
  useTeam
    .getState()
    .edit(`edit.setting|${who}: ${text}`, change, typing ? { typing: true, coalesce: `${key}:extra.${text}` } : {});
}

const withSetting = (d: Topology, id: string, path: Path, value: Json): Topology =>
  isNumberField(path)
    ? updateAgents(d, [id], { [path[0]]: value })
    : updateAgents(d, [id], { extra: withValue(findAgent(d, id)?.extra, path, value) });

/** Sets a setting of one agent. */
export const setterOf =
  (agent: Agent): SetSetting =>
  (path, value, typing = false) =>
    edit(displayName(agent), `agent:${agent.id}`, path, typing, (d) => withSetting(d, agent.id, path, value));

/** Sets a setting of several agents, in one undo step. */
export const setterOfAll =
  (ids: readonly string[], who: string): SetSetting =>
  (path, value, typing = false) =>
    edit(who, `many:${ids.join(",")}`, path, typing, (d) => ids.reduce((t, id) => withSetting(t, id, path, value), d));

/** Sets a setting that every agent inherits. */
export const setterOfEveryone =
  (who: string): SetSetting =>
  (path, value, typing = false) =>
    edit(who, "everyone", path, typing, (d) => ({ ...d, defaults: withValue(d.defaults, path, value) }));

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

/** Sets all that every agent inherits. */
export function setAllForEveryone(who: string, defaults: Record<string, unknown>): void {
  useTeam
    .getState()
    .edit(`edit.settings|${who}`, (d) => ({ ...d, defaults: Object.keys(defaults).length ? defaults : undefined }), {
      typing: true,
      coalesce: "everyone:extra",
    });
}
