import { useTeam } from "@/stores/team";
import { putBinding, swapBindings, type Route } from "@/topology";

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
