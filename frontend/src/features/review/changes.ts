import type { TFunction } from "i18next";
import {
  connectionKey,
  isOfEveryone,
  type AgentID,
  type Change,
  type Chosen,
  type Mark,
  type Op,
  type PreviewChange,
} from "@/topology";
import { EVERYONE_NODE } from "@/flow";
import { markOf } from "@/flow/changes";

export type GroupName = "agents" | "connections" | "routes" | "canvas";
export type ChangeGroup = { name: GroupName; changes: PreviewChange[] };

const groupOf: Record<Change["subject"], GroupName> = {
  team: "agents",
  agent: "agents",
  connection: "connections",
  layout: "canvas",
  group: "canvas",
  note: "canvas",
  binding: "routes",
  broadcast: "routes",
  defaults: "agents",
  messages: "connections",
};
const groupOrder: GroupName[] = ["agents", "connections", "routes", "canvas"];
const opOrder: Record<Op, number> = { added: 0, changed: 1, removed: 2, moved: 3 };

/** The same as a word. */
export const opOf = (c: Pick<Change, "op" | "subject">): Op => (c.subject === "layout" ? "moved" : c.op);
export const markOrder: readonly Mark[] = ["add", "chg", "del", "mov"];

/** Nothing of it reaches the gateway, not even by a workspace file. */
const stays = (c: PreviewChange) => c.impact === "local" && !c.file;

/** The changes without places that come or go with an agent, unless there is nothing else. */
function listed(changes: readonly PreviewChange[]): readonly PreviewChange[] {
  const whole = new Set(
    changes.filter((c) => c.subject === "agent" && (c.op === "added" || c.op === "removed")).map((c) => c.agent),
  );
  const own = changes.filter((c) => c.subject !== "layout" || (c.op === "moved" && !whole.has(c.agent)));
  return own.length ? own : changes;
}

/** The changes as the list shows them: agents, connections, what isn't sent; in each added, changed, removed, moved. */
export function groupChanges(changes: readonly PreviewChange[]): ChangeGroup[] {
  return groupOrder
    .map((name) => ({
      name,
      changes: listed(changes)
        .filter((c) => (stays(c) ? "canvas" : groupOf[c.subject]) === name)
        .sort((a, b) => opOrder[a.op] - opOrder[b.op]),
    }))
    .filter((g) => g.changes.length);
}

/** One list in the order of the groups, for stepping through. */
export const inOrder = (groups: readonly ChangeGroup[]): PreviewChange[] => groups.flatMap((g) => g.changes);

/** What the head counts, as the canvas does: what isn't sent has its own number, unless there is nothing else. */
export function countable(changes: readonly PreviewChange[]): readonly PreviewChange[] {
  const sent = changes.filter((c) => c.impact !== "local");
  return sent.length ? sent : listed(changes);
}

/** The number of changes in words, the same in the head and in the foot. */
export const countText = (t: TFunction, changes: readonly PreviewChange[]) =>
  t("review.count", { count: countable(changes).length });

/** The number of changes, and apart from it how many of them stay in AgentFlow. "" if none of them does. */
export function stayText(t: TFunction, changes: readonly PreviewChange[]): string {
  const local = countable(changes).some((c) => !stays(c)) ? listed(changes).filter(stays).length : 0;
  return local ? [countText(t, changes), t("choose.stay", { count: local })].join(t("list.comma")) : "";
}

export function countMarks(changes: readonly Change[]): { mark: Mark; n: number }[] {
  return markOrder.map((mark) => ({ mark, n: changes.filter((c) => markOf(c) === mark).length })).filter((x) => x.n);
}

/** The change after or before the one that is shown; stays at the ends. From nothing, the first or the last. */
export function step(order: readonly PreviewChange[], shown: string | undefined, by: 1 | -1): string | undefined {
  const at = order.findIndex((c) => c.id === shown);
  if (at < 0) return (by === 1 ? order[0] : order.at(-1))?.id;
  return order[Math.min(order.length - 1, Math.max(0, at + by))]?.id;
}

/** What a change selects on the canvas, and which agents it should bring into view. */
export function placeOnCanvas(c: Change | undefined): { chosen: Partial<Chosen>; agents: AgentID[] } {
  if (!c) return { chosen: {}, agents: [] };
  if (c.subject === "connection" && c.agent && c.target)
    return {
      chosen: { connections: [connectionKey({ from: c.agent, kind: c.kind ?? "", to: c.target })] },
      agents: [c.agent, c.target],
    };
  if (c.subject === "note" && c.item) return { chosen: { notes: [c.item] }, agents: [] };
  if (isOfEveryone(c)) return { chosen: { everyone: true }, agents: [EVERYONE_NODE] };
  return c.agent ? { chosen: { agents: [c.agent] }, agents: [c.agent] } : { chosen: {}, agents: [] };
}

/** Which change a click on the canvas means. */
export function changeAt(
  order: readonly PreviewChange[],
  thing: { agent?: string; connection?: string; everyone?: boolean },
): PreviewChange | undefined {
  if (thing.everyone) return order.find(isOfEveryone);
  if (thing.connection)
    return order.find(
      (c) => c.subject === "connection" && placeOnCanvas(c).chosen.connections?.[0] === thing.connection,
    );
  return (
    order.find((c) => c.subject === "agent" && c.agent === thing.agent) ?? order.find((c) => c.agent === thing.agent)
  );
}
