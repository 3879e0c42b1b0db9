import { isObject } from "./bindings";
import type { AgentID, Topology } from "./types";

// Broadcast groups: agents that all answer one conversation. They stay the JSON of the gateway's config.

export type BroadcastGroup = {
  /** Its key in the config. */ key: string;
  channel: string;
  /** ID of the conversation. */ peer: string;
  agents: AgentID[];
  raw: unknown;
};

/** The key that isn't a group: in which order the agents of a group answer. */
const strategyKey = "strategy";
/** The channel of groups that name none. */
const whatsapp = "whatsapp";
const qualified = /^([a-z][a-z0-9_-]*):(.+)$/i;

const listOf = (group: unknown): unknown[] | undefined => {
  const list = isObject(group) ? group.agents : group;
  return Array.isArray(list) ? list : undefined;
};
const withList = (group: unknown, list: unknown[]): unknown => (isObject(group) ? { ...group, agents: list } : list);

/** The agents of a group; none of what isn't one. */
export const castOf = (group: unknown): AgentID[] =>
  (listOf(group) ?? []).filter((id): id is string => typeof id === "string");

/** The channel and the conversation of a group's key. */
export function placeOfKey(key: string): { channel: string; peer: string } {
  const [, channel, peer] = qualified.exec(key) ?? [];
  return channel && peer ? { channel, peer } : { channel: whatsapp, peer: key };
}

/** The key of a conversation. WhatsApp's go without the channel, which every gateway understands. */
export function broadcastKey(channel: string, peer: string, was?: string): string {
  const bare = channel === whatsapp && !qualified.test(peer) && !(was && qualified.test(was));
  return bare ? peer : `${channel}:${peer}`;
}

/** The groups of the draft, by channel. */
export function broadcastGroups(t: Topology): BroadcastGroup[] {
  const groups = Object.entries(t.broadcast ?? {}).flatMap(([key, raw]): BroadcastGroup[] => {
    const agents = key === strategyKey ? [] : castOf(raw);
    return agents.length ? [{ key, ...placeOfKey(key), agents, raw }] : [];
  });
  return groups.sort((a, b) => (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0));
}

export const broadcastStrategy = (t: Topology): "parallel" | "sequential" =>
  t.broadcast?.[strategyKey] === "sequential" ? "sequential" : "parallel";

const withBroadcast = (t: Topology, broadcast: Record<string, unknown>): Topology => ({
  ...t,
  broadcast: Object.keys(broadcast).length ? broadcast : undefined,
});

/** Sets in which order the agents of a group answer. At the same time is what gateways do anyway. */
export function putStrategy(t: Topology, strategy: "parallel" | "sequential"): Topology {
  const { [strategyKey]: was, ...rest } = t.broadcast ?? {};
  return strategy === "parallel" && was === undefined ? t : withBroadcast(t, { ...rest, [strategyKey]: strategy });
}

/** Puts the agents of a conversation into its group, in place of the one that was, whose other settings stay. */
export function putBroadcast(t: Topology, was: string | undefined, key: string, agents: AgentID[]): Topology {
  const old = was === undefined ? undefined : t.broadcast?.[was],
    // A group with other settings needs the channel in its key.
    group = isObject(old) && !qualified.test(key) ? agents : withList(old, agents);
  const all = Object.entries(t.broadcast ?? {}).map(([k, v]): [string, unknown] => (k === was ? [key, group] : [k, v]));
  return withBroadcast(t, Object.fromEntries(was === undefined ? [...all, [key, group]] : all));
}

export function dropBroadcast(t: Topology, key: string): Topology {
  const { [key]: _, ...rest } = t.broadcast ?? {};
  return withBroadcast(t, rest);
}

function mapCast(t: Topology, each: (item: unknown) => unknown): Topology {
  let same = true;
  const all = Object.entries(t.broadcast ?? {}).flatMap(([key, group]): [string, unknown][] => {
    const list = key === strategyKey ? undefined : listOf(group),
      left = list?.map(each).filter((item) => item !== undefined);
    if (!list || !left || (left.length === list.length && left.every((item, i) => item === list[i])))
      return [[key, group]];
    same = false;
    return left.length ? [[key, withList(group, left)]] : [];
  });
  return same ? t : withBroadcast(t, Object.fromEntries(all));
}

/** Without agents that go, and without groups that have nobody left. */
export const leaveBroadcast = (t: Topology, gone: ReadonlySet<AgentID>): Topology =>
  mapCast(t, (item) => (gone.has(item as AgentID) ? undefined : item));

/** With an agent under its new ID. */
export const recast = (t: Topology, from: AgentID, to: AgentID): Topology =>
  mapCast(t, (item) => (item === from ? to : item));
