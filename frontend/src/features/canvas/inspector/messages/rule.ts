import type { AgentID, Topology } from "@/topology";

// What a gateway permits of messages between agents, as the team says it. The gateway has one list for all agents.

export type Blocked = "off" | "notListed" | "hidden";
export type Rule = {
  enabled: boolean;
  /** Every agent is allowed. */ all: boolean;
  allows: (id: AgentID) => boolean;
  visibility: unknown;
};

/** Gateways from before 2026.8 permit messages only if their config has it on, and agents see fewer sessions. */
export function isOlder(version: string | undefined): boolean {
  const [year, month] = (version ?? "").split(".").map(Number);
  return !!year && (year < 2026 || (year === 2026 && (month ?? 0) < 8));
}

const escaped = (s: string) => s.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

function matcher(item: unknown): (id: AgentID) => boolean {
  const text = typeof item === "string" ? item.trim() : "";
  if (!text.includes("*")) return (id) => text !== "" && id === text;
  const pattern = new RegExp(`^${text.split("*").map(escaped).join(".*")}$`, "i");
  return (id) => pattern.test(id);
}

export function ruleOf(messages: Topology["messages"], older: boolean): Rule {
  const { enabled, allow, visibility } = messages ?? {};
  const list = Array.isArray(allow) ? allow.map(matcher) : [];
  return {
    enabled: typeof enabled === "boolean" ? enabled : !older,
    all: !list.length,
    allows: (id) => !list.length || list.some((is) => is(id)),
    visibility: typeof visibility === "string" ? visibility : older ? "tree" : undefined,
  };
}

/** Why two agents can't message each other; undefined if they can. */
export function blocked(rule: Rule, from: AgentID, to: AgentID): Blocked | undefined {
  if (!rule.enabled) return "off";
  if (!rule.allows(from) || !rule.allows(to)) return "notListed";
  return rule.visibility !== undefined && rule.visibility !== "all" ? "hidden" : undefined;
}

/** With two agents allowed: messages are on, both are on the list, and what hides sessions goes. */
export function withPair(t: Topology, from: AgentID, to: AgentID, older: boolean): Topology {
  const was = t.messages ?? {},
    rule = ruleOf(was, older),
    list: unknown[] = Array.isArray(was.allow) ? was.allow : [];
  // An empty list allows every agent. While messages are off nobody relies on that, so it becomes a list of the two.
  const open = rule.all && rule.enabled;
  const added = [from, to].filter((id) => rule.all || !rule.allows(id));
  return {
    ...t,
    messages: {
      ...was,
      enabled: true,
      ...(!open && { allow: [...list, ...added] }),
      ...(rule.visibility !== undefined && rule.visibility !== "all" && { visibility: "all" }),
    },
  };
}
