import { broadcastKey, isObject, type RouteFrom, type RouteMatch, type Topology } from "@/topology";

export type Kind = "any" | "direct" | "group" | "channel";

/** What a person types of where messages come from. */
export type Place = {
  channel: string;
  account: string;
  kind: Kind;
  peer: string;
  parent: string;
  guild: string;
  team: string;
  roles: string;
};

export const nowhere: Place = {
  channel: "",
  account: "",
  kind: "any",
  peer: "",
  parent: "",
  guild: "",
  team: "",
  roles: "",
};

export const placeOf = (m: RouteMatch): Place => ({
  ...nowhere,
  channel: m.channel,
  account: m.account,
  kind: m.peer?.kind ?? "any",
  peer: m.peer?.id ?? "",
  guild: m.guild ?? "",
  team: m.team ?? "",
  roles: (m.roles ?? []).join(", "),
});

const listed = (s: string) => s.split(/[,、，\s]+/).filter(Boolean);
const set = (s: string) => s.trim() || undefined;

/** The message that the person asks about. */
export const fromOf = (p: Place): RouteFrom => ({
  channel: p.channel.trim(),
  account: set(p.account),
  peer: p.kind !== "any" && p.peer.trim() ? { kind: p.kind, id: p.peer.trim() } : undefined,
  parent: set(p.parent),
  guild: set(p.guild),
  team: set(p.team),
  roles: p.roles.trim() ? listed(p.roles) : undefined,
});

const put = (o: Record<string, unknown>, key: string, value: unknown) => {
  if (value === undefined) delete o[key];
  else o[key] = value;
};

/** The binding as the config writes it; what this form doesn't know of an older one stays. */
export function bindingOf(agent: string, p: Place, was?: unknown): Record<string, unknown> {
  const old = isObject(was) ? was : {},
    match: Record<string, unknown> = isObject(old.match) ? { ...old.match } : {};
  match.channel = p.channel.trim();
  const account = set(p.account);
  // Without an account a binding is about the default one: it stays as the person wrote it.
  put(match, "accountId", account === "default" && match.accountId === undefined ? undefined : account);
  put(
    match,
    "peer",
    p.kind === "any" ? undefined : { ...(isObject(match.peer) ? match.peer : {}), kind: p.kind, id: p.peer.trim() },
  );
  put(match, "guildId", set(p.guild));
  put(match, "teamId", set(p.team));
  put(match, "roles", p.roles.trim() ? listed(p.roles) : undefined);
  return { ...old, agentId: agent, match };
}

export type Lack = "agent" | "channel" | "peer";

export const lacks = (agent: string, p: Place): Lack | undefined =>
  !agent ? "agent" : !p.channel.trim() ? "channel" : p.kind !== "any" && !p.peer.trim() ? "peer" : undefined;

/** Where a broadcast group is. */
export type CastPlace = { channel: string; peer: string };

export const castPlace = (was: CastPlace | undefined, channels: readonly { id: string }[]): CastPlace =>
  was ? { channel: was.channel, peer: was.peer } : { channel: channels[0]?.id ?? "", peer: "" };

/** The key of a group at a place, as the config writes it. */
export const castKey = ({ channel, peer }: CastPlace, was?: string): string =>
  broadcastKey(channel.trim().toLowerCase(), peer.trim(), was);

export type CastLack = "channel" | "peer" | "taken" | "agents" | "many";

/** So many agents can be in a group that has the channel in its key. */
const mostCast = 16;

export function castLacks(t: Topology, place: CastPlace, cast: readonly string[], was?: string): CastLack | undefined {
  if (!place.channel.trim()) return "channel";
  if (!place.peer.trim()) return "peer";
  const key = castKey(place, was);
  if (key !== was && t.broadcast && key in t.broadcast) return "taken";
  return !cast.length ? "agents" : cast.length > mostCast && key !== place.peer.trim() ? "many" : undefined;
}
