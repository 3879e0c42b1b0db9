import type { TFunction } from "i18next";
import { boundAgent, isObject, plainName, type Change, type RouteMatch } from "../topology";

// Bindings in words, for the review, the history and the panel of routes.

const names: Record<string, string> = {
  telegram: "Telegram",
  whatsapp: "WhatsApp",
  discord: "Discord",
  slack: "Slack",
  signal: "Signal",
  imessage: "iMessage",
  googlechat: "Google Chat",
  msteams: "Microsoft Teams",
  matrix: "Matrix",
  line: "LINE",
  irc: "IRC",
};

export const channelName = (id: string) => names[id] ?? plainName(id);

/** Which messages a binding is about: "Telegram, account work, group -1001". */
export function matchWords(t: TFunction, m: RouteMatch): string {
  const parts = [channelName(m.channel)];
  parts.push(
    m.account === "*"
      ? t("routes.anyAccount")
      : m.account === "default"
        ? t("routes.defaultAccount")
        : t("routes.ofAccount", { name: m.account }),
  );
  return [...parts, ...conditions(t, m)].join(t("list.comma"));
}

/** What a binding asks of a message beside its channel and account. */
function conditions(t: TFunction, m: RouteMatch): string[] {
  const parts: string[] = [];
  if (m.peer) {
    const kind = t(`routes.kind.${m.peer.kind}`);
    parts.push(m.peer.id === "*" ? t("routes.everyPeer", { kind }) : t("routes.ofPeer", { kind, id: m.peer.id }));
  }
  if (m.guild) parts.push(t("routes.ofGuild", { id: m.guild }));
  if (m.team) parts.push(t("routes.ofTeam", { id: m.team }));
  if (m.roles?.length) parts.push(t("routes.ofRoles", { ids: m.roles.join(t("list.comma")) }));
  return parts;
}

/** Which messages of a channel's account a binding is about: "Group -1001", or all. */
export const conditionWords = (t: TFunction, m: RouteMatch): string =>
  conditions(t, m).join(t("list.comma")) || t("routes.every");

const text = (v: unknown) => (typeof v === "string" || typeof v === "number" ? String(v) : "");

/** The match as the config writes it, as far as it is understood. */
export function matchOf(binding: unknown): RouteMatch | undefined {
  if (!isObject(binding) || !isObject(binding.match)) return undefined;
  const { channel, accountId, peer, guildId, teamId, roles } = binding.match;
  if (!text(channel) || (binding.type !== undefined && binding.type !== "route")) return undefined;
  const kind = isObject(peer) ? text(peer.kind) : "";
  const known = kind === "dm" ? "direct" : kind;
  return {
    channel: text(channel).trim().toLowerCase(),
    account: text(accountId) || "default",
    guild: text(guildId) || undefined,
    team: text(teamId) || undefined,
    roles: Array.isArray(roles) ? roles.map(text) : undefined,
    ...(isObject(peer) && (known === "direct" || known === "group" || known === "channel")
      ? { peer: { kind: known, id: text(peer.id) } }
      : {}),
  };
}

/** What a change or conflict of a binding is about. */
export function bindingTitle(t: TFunction, value: unknown, item?: string): string {
  const match = matchOf(value);
  if (match) return t("routes.messages", { match: matchWords(t, match) });
  return t("routes.binding", { what: item ? (item.length > 60 ? `${item.slice(0, 58)}…` : item) : "" });
}

/** The agent that the messages go to, and the one that they went to. */
export function bindingCaption(t: TFunction, agentName: (id: string) => string, c: Change): string {
  const name = (v: unknown) => {
    const id = boundAgent(v);
    return id === undefined ? "" : agentName(id);
  };
  const was = name(c.before),
    now = name(c.after);
  if (c.field === "order") return t("routes.order");
  if (c.op === "removed") return was ? t("routes.wentTo", { name: was }) : "";
  if (c.op === "changed" && was && was !== now) return t("routes.nowGoTo", { was, now });
  if (c.op === "changed") return t("routes.changed");
  return now ? t("routes.goTo", { name: now }) : "";
}
