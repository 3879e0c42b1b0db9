import { describe, expect, it } from "vitest";
import type { Route, RouteMatch, RouteTable, Topology } from "../../topology";
import { accountKey, bindingFrom, laneOf } from "./lane";

const match = (channel: string, account = "default", more: Partial<RouteMatch> = {}): RouteMatch => ({
  channel,
  account,
  ...more,
});
const rule = (at: number, agent: string, m: RouteMatch): Route => ({
  at,
  agent,
  match: m,
  level: "account",
  raw: { agentId: agent, match: { channel: m.channel, accountId: m.account, at } },
});
const table = (rules: Route[], more: Partial<RouteTable> = {}): RouteTable => ({
  supported: true,
  known: true,
  missing: false,
  rules,
  groups: [],
  channels: [
    { id: "discord", enabled: true, accounts: [{ id: "default", enabled: true }] },
    {
      id: "telegram",
      enabled: true,
      accounts: [
        { id: "Home", enabled: true },
        { id: "work", name: "Work phone", enabled: false },
      ],
    },
  ],
  ...more,
});
const team = (rules: Route[], ids = ["main", "writer"]): Topology => ({
  agents: ids.map((id) => ({ id })),
  bindings: [...rules].sort((a, b) => a.at - b.at).map((r) => r.raw),
});
const of = (rules: Route[], more: Partial<RouteTable> = {}) => laneOf(table(rules, more), team(rules));
const cards = (lane: ReturnType<typeof laneOf>) =>
  Object.fromEntries(lane.cards.map((c) => [c.id, `${c.state} ${c.rules.length}`]));

describe("the lane of channels", () => {
  it("OC-3 has a card for each account, one for all of several, and says which nobody answers", () => {
    expect(cards(of([]))).toEqual({
      "channel:discord:default": "nobody 0",
      "channel:telegram:*": "ok 0",
      "channel:telegram:home": "nobody 0",
      "channel:telegram:work": "off 0",
    });
    expect(of([]).cards.map((c) => c.only)).toEqual([true, false, false, false]);
  });

  it("OC-3 leads to the default agent from where no binding takes all that is left", () => {
    const rules = [
      rule(0, "writer", match("telegram", "*")),
      rule(1, "writer", match("discord", "default", { peer: { kind: "group", id: "7" } })),
    ];
    const lane = of(rules, { default: "main" });
    expect(lane.lines.map((l) => [l.id, l.agent])).toEqual([
      ["binding:1", "writer"],
      ["rest:channel:discord:default", "main"],
      ["binding:0", "writer"],
    ]);
    expect(lane.cards.every((c) => c.state === "ok" || c.state === "off")).toBe(true);
  });

  it("OC-3 shows channels and accounts that the gateway doesn't have, and agents that the team doesn't have", () => {
    const lane = of([
      rule(0, "ghost", match("irc")),
      rule(1, "writer", match("telegram", "old")),
      rule(2, "ghost", match("discord")),
    ]);
    expect(cards(lane)).toMatchObject({ "channel:irc:default": "unknown 1", "channel:telegram:old": "unknown 1" });
    expect(lane.cards.find((c) => c.channel === "discord")).toMatchObject({ missing: ["ghost"], state: "nobody" });
    expect(lane.lines.map((l) => l.id)).toEqual(["binding:1"]);
    expect(cards(of([rule(0, "writer", match("irc"))], { known: false, channels: [] }))).toEqual({
      "channel:irc:default": "ok 1",
    });
  });

  it("OC-3 is of the draft: what is new is there, what is gone or not understood isn't", () => {
    const had = [rule(0, "main", match("discord")), rule(1, "writer", match("telegram", "home"))];
    const fresh = { agentId: "writer", match: { channel: " Discord ", peer: { kind: "dm", id: 7 } } };
    const lane = laneOf(table(had), {
      agents: [{ id: "main" }, { id: "writer" }],
      bindings: [had[1]!.raw, "odd", null, { type: "acp", agentId: "main", match: { channel: "discord" } }, fresh],
    });
    expect(lane.lines.map((l) => [l.id, l.rules[0]?.number, l.rules[0]?.match])).toEqual([
      ["binding:4", undefined, { channel: "discord", account: "default", peer: { kind: "direct", id: "7" } }],
      ["binding:0", 2, match("telegram", "home")],
    ]);
  });

  it("OC-3 draws many bindings to one agent as one line, few as one each, in the gateway's order", () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      rule(i, i < 3 ? "main" : "writer", match("discord", "default", { peer: { kind: "group", id: String(i) } })),
    );
    const lane = laneOf(table([many[2]!, ...many.filter((r) => r.at !== 2)]), team(many));
    expect(lane.lines.map((l) => [l.id, l.rules.length])).toEqual([
      ["binding:2", 1],
      ["binding:0", 1],
      ["binding:1", 1],
      ["bindings:channel:discord:default>writer", 197],
    ]);
  });

  it("OC-3 makes the binding that a drawn line stands for", () => {
    expect(bindingFrom({ channel: "discord", account: "default" }, "a")).toEqual({
      agentId: "a",
      match: { channel: "discord" },
    });
    expect(bindingFrom({ channel: "telegram", account: "*" }, "a").match).toEqual({
      channel: "telegram",
      accountId: "*",
    });
    expect([accountKey(" My Phone! "), accountKey("  "), accountKey("x".repeat(80)).length]).toEqual([
      "my-phone",
      "default",
      64,
    ]);
  });
});
