import { isRoute } from "@/flow";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import {
  allConnections,
  changeConnection,
  connectionKey,
  refusal,
  type ConnectionRef,
  type Kind,
  type Line,
  type Topology,
} from "@/topology";
import { pairName } from "./actions";
import { pickLine } from "./lane";

// What can be done with a connection that is there.

export const lineOf = (t: Topology, key: string): Line | undefined =>
  allConnections(t).find((c) => connectionKey(c) === key);

/** The connection that alone is chosen. */
function chosenLine(): Line | undefined {
  const { chosen } = useUi.getState(),
    [key] = chosen.connections;
  if (!key || chosen.connections.length + chosen.agents.length + chosen.notes.length + chosen.groups.length !== 1)
    return undefined;
  return lineOf(useTeam.getState().topology, key);
}

/** Whether a connection may become another one: nothing like it is there yet. */
export function mayBecome(t: Topology, c: ConnectionRef, next: ConnectionRef): boolean {
  return connectionKey(next) !== connectionKey(c) && !refusal(t, next, c);
}

/** Changes a connection's ends or kind as one step; it stays chosen. False when it may not be. */
export function changeLine(c: ConnectionRef, patch: Partial<ConnectionRef>): boolean {
  const next = { from: patch.from ?? c.from, kind: patch.kind ?? c.kind, to: patch.to ?? c.to };
  if (!mayBecome(useTeam.getState().topology, c, next)) return false;
  useTeam.getState().edit(`edit.connection|${pairName(next)}`, (d) => changeConnection(d, c, next));
  const { chosen, choose } = useUi.getState();
  if (chosen.connections.includes(connectionKey(c)))
    choose({
      ...chosen,
      connections: chosen.connections.map((k) => (k === connectionKey(c) ? connectionKey(next) : k)),
    });
  return true;
}

export const backwards = (c: ConnectionRef): ConnectionRef => ({ from: c.to, kind: c.kind, to: c.from });
export const reverse = (c: ConnectionRef) => changeLine(c, backwards(c));

export function relabel(key: string, label: string): void {
  const c = lineOf(useTeam.getState().topology, key);
  if (c && label !== (c.label ?? ""))
    useTeam.getState().edit(`edit.label|${pairName(c)}`, (d) => changeConnection(d, c, { label }));
}

export function setChosenKind(kind: Kind): boolean {
  const c = chosenLine();
  return !!c && changeLine(c, { kind });
}

export function reverseChosen(): boolean {
  const c = chosenLine();
  return !!c && reverse(c);
}

/** A click on a connection's label: selects it, or adds it to what is chosen or takes it away. */
export function chooseLine(key: string, more: boolean): void {
  if (isRoute(key)) {
    pickLine(key);
    return;
  }
  const { chosen, choose } = useUi.getState();
  if (!more) choose({ connections: [key] });
  else
    choose({
      ...chosen,
      connections: chosen.connections.includes(key)
        ? chosen.connections.filter((k) => k !== key)
        : [...chosen.connections, key],
    });
}
