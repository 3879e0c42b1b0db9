import { useTeam } from "@/stores/team";
import {
  dropBroadcast,
  putBinding,
  putBroadcast,
  putStrategy,
  swapBindings,
  type AgentID,
  type BroadcastGroup,
  type Route,
} from "@/topology";
import { castKey, type CastPlace } from "./form";

// The edits of bindings: each is one step of undo. Those of a binding that isn't in the draft any more return false.

const edit = (label: string, ...rest: [Parameters<ReturnType<typeof useTeam.getState>["edit"]>[1]]) =>
  useTeam.getState().edit(`edit.binding${label}`, ...rest);

/** Whether the draft still has the binding where the hub saw it. */
const there = (rule: Route) =>
  JSON.stringify(useTeam.getState().topology.bindings?.[rule.at]) === JSON.stringify(rule.raw);

export const addBinding = (binding: unknown) => edit("Add", (t) => putBinding(t, undefined, binding));

export function changeBinding(rule: Route, binding: unknown): boolean {
  if (!there(rule)) return false;
  edit("Change", (t) => putBinding(t, rule.at, binding));
  return true;
}

/** Removes bindings in one step: all of them, or none. */
export function removeBindings(rules: readonly Route[]): boolean {
  if (!rules.length || !rules.every(there)) return false;
  const last = [...rules].sort((a, b) => b.at - a.at);
  edit("Remove", (t) => last.reduce((left, rule) => putBinding(left, rule.at, undefined), t));
  return true;
}

export function swap(rule: Route, other: Route): void {
  if (there(rule) && there(other)) edit("Move", (t) => swapBindings(t, rule.at, other.at));
}

// The edits of broadcast groups. Those of a group that isn't in the draft any more return false.

const stays = (group: BroadcastGroup) =>
  JSON.stringify(useTeam.getState().topology.broadcast?.[group.key]) === JSON.stringify(group.raw);

/** Adds a group, or changes the one that was. */
export function saveBroadcast(was: BroadcastGroup | undefined, place: CastPlace, cast: AgentID[]): boolean {
  if (was && !stays(was)) return false;
  const key = castKey(place, was?.key);
  useTeam
    .getState()
    .edit(was ? "edit.broadcastChange" : "edit.broadcastAdd", (t) => putBroadcast(t, was?.key, key, cast));
  return true;
}

export function removeBroadcast(group: BroadcastGroup): boolean {
  if (!stays(group)) return false;
  useTeam.getState().edit("edit.broadcastRemove", (t) => dropBroadcast(t, group.key));
  return true;
}

/** Changes the agents of a group; a group that has none left goes. */
export function castInto(group: BroadcastGroup, cast: AgentID[]): boolean {
  if (!cast.length) return removeBroadcast(group);
  if (!stays(group)) return false;
  useTeam.getState().edit("edit.broadcastChange", (t) => putBroadcast(t, group.key, group.key, cast));
  return true;
}

export const setStrategy = (strategy: "parallel" | "sequential") =>
  useTeam.getState().edit("edit.broadcastStrategy", (t) => putStrategy(t, strategy));
