import type { TeamData } from "@/stores/team";
import { changeConnection, findAgent, updateAgents, type Agent, type Collision, type Topology } from "@/topology";

export const keyOf = (c: Collision) => `${c.version} ${c.id}`;

/** What a collision is about is as a whole no longer there: another window deleted it. */
export const isGone = (c: Collision) => !c.field && (c.mine ?? null) === null && (c.theirs ?? null) !== null;

type Seen = Pick<TeamData, "id" | "status" | "updatedAt" | "busy" | "topology" | "collisions">;

/**
 * The only chosen agent, if another window deleted it. Edits in this window show before the hub has them, and an undo
 * in this window is still busy. A collision about the agent has its own notice.
 */
export function deletedElsewhere(now: Seen, was: Seen, [id, ...others]: readonly string[]): Agent | undefined {
  if (!id || others.length || now.topology === was.topology || now.updatedAt === was.updatedAt || now.busy) return;
  if (now.id !== was.id || now.status !== "ready" || was.status !== "ready" || findAgent(now.topology, id)) return;
  return now.collisions.some((c) => isGone(c) && c.agent === id) ? undefined : findAgent(was.topology, id);
}

/** One value of a team: how it is read, and the edit that sets it. */
type Place = { read: (t: Topology) => unknown; set: (t: Topology, value: unknown) => Topology };

/** The value that a collision is about; nothing where that is more than one. */
function placeOf(c: Collision): Place | undefined {
  const { agent: id, field } = c;
  if (c.subject === "agent" && id && field && !field.includes("."))
    return {
      read: (t) => (findAgent(t, id) as Record<string, unknown> | undefined)?.[field],
      set: (t, value) => updateAgents(t, [id], { [field]: value ?? undefined }),
    };
  if (c.subject === "team" && field === "name")
    return { read: (t) => t.name, set: (t, value) => ({ ...t, name: typeof value === "string" ? value : "" }) };
  if (c.subject === "connection" && id && c.target && field === "label") {
    const at = { from: id, kind: c.kind ?? "", to: c.target };
    return {
      read: (t) => findAgent(t, id)?.connections?.find((x) => x.type === at.kind && x.targetId === at.to)?.label,
      set: (t, value) => changeConnection(t, at, { label: typeof value === "string" ? value : "" }),
    };
  }
  return undefined;
}

/** Says whether the other window's value is the current one; nothing where a collision is about more than one value. */
export function standsYet(c: Collision): ((t: Topology) => boolean) | undefined {
  const place = placeOf(c);
  return place && ((t) => JSON.stringify(place.read(t) || null) === JSON.stringify(c.mine || null));
}

/** The edit that makes this window's value stand again; nothing where that is more than one value. */
export function takingBack(c: Collision): ((t: Topology) => Topology) | undefined {
  const place = placeOf(c);
  return place && ((t) => place.set(t, c.theirs));
}
