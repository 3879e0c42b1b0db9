import { KINDS, MUTUAL } from "../api/constants";
import { findAgent } from "./lookup";
import type { Agent, AgentID, Kind, Topology } from "./types";

export { KINDS };
export type KnownKind = (typeof KINDS)[number];
export type DrawnKind = KnownKind | "unknown";

/** How a kind is drawn; a kind we do not know is kept and drawn as unknown. */
export function drawnKind(kind: Kind): DrawnKind {
  return (KINDS as readonly string[]).includes(kind) ? (kind as KnownKind) : "unknown";
}

/** Whether a kind joins two agents alike; any other leads from its source to its target. */
export const isMutual = (kind: Kind): boolean => MUTUAL.includes(kind);

export type ConnectionRef = { from: AgentID; kind: Kind; to: AgentID };

/** Names one connection; the same as the id of its Change. */
export function connectionKey(c: ConnectionRef): string {
  return `connection:${c.from}:${c.kind}:${c.to}`;
}

export type Line = ConnectionRef & { label?: string };
const lines = new WeakMap<readonly Agent[], readonly Line[]>();

/** Every connection, in the order of the drawing. */
export function allConnections(t: Topology): readonly Line[] {
  let had = lines.get(t.agents);
  if (!had)
    lines.set(
      t.agents,
      (had = t.agents.flatMap((a) =>
        (a.connections ?? []).map((c) => ({ from: a.id, kind: c.type, to: c.targetId, label: c.label })),
      )),
    );
  return had;
}

/** Whether there is such a connection, `but` this one. */
export function hasConnection(t: Topology, c: ConnectionRef, but?: ConnectionRef): boolean {
  const has = (from: AgentID, to: AgentID) =>
    !!findAgent(t, from)?.connections?.some(
      (x) =>
        x.type === c.kind && x.targetId === to && !(but && from === but.from && x.type === but.kind && to === but.to),
    );
  return has(c.from, c.to) || (isMutual(c.kind) && has(c.to, c.from));
}

export type Refusal = "self" | "exists" | "missing";

/** Why a connection cannot be drawn, in place of `instead` if that is given, or null when it can. */
export function refusal(t: Topology, c: ConnectionRef, instead?: ConnectionRef): Refusal | null {
  if (c.from === c.to) return "self";
  if (!findAgent(t, c.from) || !findAgent(t, c.to)) return "missing";
  return hasConnection(t, c, instead) ? "exists" : null;
}

/** The kind a new connection gets: command, or the first that is still free between the two. */
export function freeKind(t: Topology, from: AgentID, to: AgentID): KnownKind | null {
  return KINDS.find((kind) => refusal(t, { from, kind, to }) === null) ?? null;
}
