import { channelNodeId } from "@/flow";
import { matchOf } from "@/flow/bindingWords";
import {
  boundAgent,
  broadcastGroups,
  type AgentID,
  type BroadcastGroup,
  type Route,
  type RouteChannel,
  type RouteMatch,
  type RouteTable,
  type Topology,
} from "@/topology";

// The channels beside the team: which cards there are, and which lines lead from them to agents.

/** A binding of the draft. One that the hub hasn't seen yet has no number. */
export type LaneRule = Pick<Route, "at" | "raw" | "notes"> & {
  agent: AgentID;
  match: RouteMatch;
  number?: number;
  /** Where the hub saw it. */ seenAt?: number;
};

/** An account of a channel, "*" for all accounts. */
export type Card = {
  id: string;
  channel: string;
  account: string;
  /** What the gateway calls the account. */ name?: string;
  /** The only one of its channel, so that its account needs no name. */ only: boolean;
  state: "ok" | "off" | "unknown" | "nobody";
  rules: LaneRule[];
  /** Agents that its bindings name and the team doesn't have. */ missing: AgentID[];
  /** The card is a conversation that all of these agents answer. */ group?: BroadcastGroup;
};

/** What leads from a card to an agent: bindings, that it is in a broadcast group, or that it is the default one. */
export type LaneLine = { id: string; card: string; agent: AgentID; rules: LaneRule[]; group?: BroadcastGroup };

export const everyAccount = "*";
/** So many bindings of a card to one agent are lines of their own. More of them are one line. */
const mostLines = 4;

/** The account as gateways compare it. */
export const accountKey = (id: string) =>
  id
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64) || "default";

/** The bindings of the draft, in the gateway's order as far as the hub has said it. */
function rulesOf(table: RouteTable, draft: readonly unknown[]): LaneRule[] {
  const known = new Map<string, (Route & { number: number })[]>();
  table.rules.forEach((rule, i) => {
    const key = JSON.stringify(rule.raw);
    known.set(key, [...(known.get(key) ?? []), { ...rule, number: i + 1 }]);
  });
  const rules = draft.flatMap((raw, at): LaneRule[] => {
    const seen = known.get(JSON.stringify(raw))?.shift();
    if (seen)
      return seen.match && seen.agent ? [{ ...seen, agent: seen.agent, match: seen.match, at, seenAt: seen.at }] : [];
    const agent = boundAgent(raw),
      match = agent && matchOf(raw);
    if (!match) return [];
    const account = match.account === everyAccount ? everyAccount : accountKey(match.account);
    return [{ at, raw, agent, match: { ...match, account } }];
  });
  return rules.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity) || a.at - b.at);
}

export const isBare = ({ peer, guild, team, roles }: RouteMatch) => !peer && !guild && !team && !roles?.length;

/** The cards of one channel: its accounts, and all of them where it has several. */
function cardsOf(id: string, channel: RouteChannel | undefined, rules: readonly LaneRule[], known: boolean): Card[] {
  const own = new Map((channel?.accounts ?? []).map((a) => [accountKey(a.id), a])),
    named = rules.map((r) => r.match.account).filter((a) => a !== everyAccount);
  const accounts = [...new Set([...own.keys(), ...named])],
    only = accounts.length <= 1;
  const all = !only || !accounts.length ? [everyAccount] : [];
  return [...all, ...accounts].map((account): Card => {
    const a = own.get(account);
    const off = !!channel && (!channel.enabled || a?.enabled === false);
    const strange = known && id !== "webchat" && (!channel || (account !== everyAccount && !a));
    return {
      id: channelNodeId(id, account),
      channel: id,
      account,
      name: a?.name,
      only,
      state: strange ? "unknown" : off ? "off" : "ok",
      rules: rules.filter((r) => r.match.account === account || (only && r.match.account === everyAccount)),
      missing: [],
    };
  });
}

export type LaneOf = { cards: Card[]; lines: LaneLine[] };

/** Works out the lane of a team. Bindings that aren't understood aren't part of it. */
export function laneOf(table: RouteTable, topology: Topology): LaneOf {
  const rules = rulesOf(table, topology.bindings ?? []),
    byChannel = new Map<string, LaneRule[]>(table.channels.map((c) => [c.id, []]));
  for (const r of rules) {
    const had = byChannel.get(r.match.channel);
    if (had) had.push(r);
    else byChannel.set(r.match.channel, [r]);
  }
  const groups = broadcastGroups(topology);
  for (const g of groups) if (!byChannel.has(g.channel)) byChannel.set(g.channel, []);
  const there = new Set(topology.agents.map((a) => a.id)),
    owner = table.default && there.has(table.default) ? table.default : undefined;
  const lines: LaneLine[] = [],
    cards: Card[] = [];
  for (const [id, own] of byChannel) {
    const channel = table.channels.find((c) => c.id === id),
      cast = groups.filter((g) => g.channel === id).map((g) => castCard(g, channel, table.known, there));
    // A channel that only groups are about needs no other card, unless the gateway has it.
    if (!channel && !own.length) {
      cards.push(...cast.map((c) => c.card));
      lines.push(...cast.flatMap((c) => c.lines));
      continue;
    }
    for (const card of cardsOf(id, channel, own, table.known)) {
      const reach = card.account === everyAccount ? own : own.filter((r) => covers(r, card));
      const answers = reach.some((r) => there.has(r.agent)),
        rest = reach.some((r) => isBare(r.match));
      card.missing = [...new Set(card.rules.filter((r) => !there.has(r.agent)).map((r) => r.agent))];
      if (card.state === "ok" && !answers && !owner && card.account !== everyAccount) card.state = "nobody";
      cards.push(card);
      lines.push(...linesOf(card, there));
      if (owner && card.state === "ok" && !rest && (card.only || card.account !== everyAccount))
        lines.push({ id: `rest:${card.id}`, card: card.id, agent: owner, rules: [] });
    }
    cards.push(...cast.map((c) => c.card));
    lines.push(...cast.flatMap((c) => c.lines));
  }
  return { cards, lines };
}

const covers = (r: LaneRule, card: Card) => r.match.account === everyAccount || r.match.account === card.account;

/** The card of a broadcast group. No account has such a name. */
export const castNodeId = (key: string) => channelNodeId("@", key);

/** The card of a broadcast group, and a line to each of its agents. */
function castCard(
  group: BroadcastGroup,
  channel: RouteChannel | undefined,
  known: boolean,
  there: ReadonlySet<AgentID>,
): { card: Card; lines: LaneLine[] } {
  const agents = [...new Set(group.agents)],
    unknown = known && !channel && group.channel !== "webchat";
  const card: Card = {
    id: castNodeId(group.key),
    channel: group.channel,
    account: "",
    only: true,
    state: unknown ? "unknown" : channel && !channel.enabled ? "off" : "ok",
    rules: [],
    missing: agents.filter((id) => !there.has(id)),
    group,
  };
  const lines = agents
    .filter((id) => there.has(id))
    .map((agent): LaneLine => ({ id: `cast:${group.key}>${agent}`, card: card.id, agent, rules: [], group }));
  return { card, lines };
}

/** The lines of a card's bindings, the first one that the gateway tries first. */
function linesOf(card: Card, there: ReadonlySet<AgentID>): LaneLine[] {
  const byAgent = new Map<AgentID, LaneRule[]>();
  for (const r of card.rules) if (there.has(r.agent)) byAgent.set(r.agent, [...(byAgent.get(r.agent) ?? []), r]);
  return [...byAgent].flatMap(([agent, rules]): LaneLine[] =>
    rules.length > mostLines
      ? [{ id: `bindings:${card.id}>${agent}`, card: card.id, agent, rules }]
      : rules.map((r) => ({ id: `binding:${r.at}`, card: card.id, agent, rules: [r] })),
  );
}

/** The binding that a line drawn from a card to an agent stands for. */
export function bindingFrom(card: Pick<Card, "channel" | "account">, agent: AgentID): Record<string, unknown> {
  const account = card.account === "default" ? {} : { accountId: card.account };
  return { agentId: agent, match: { channel: card.channel, ...account } };
}
