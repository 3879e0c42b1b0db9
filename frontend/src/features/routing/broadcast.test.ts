import { createInstance, type TFunction } from "i18next";
import { describe, expect, it } from "vitest";
import { broadcastCaption, broadcastTitle } from "../../flow/broadcastWords";
import enFirst from "../../i18n/en";
import enRest from "../../i18n/en-rest";
import jaFirst from "../../i18n/ja";
import jaRest from "../../i18n/ja-rest";
import {
  broadcastGroups,
  broadcastKey,
  broadcastStrategy,
  dropBroadcast,
  nothing,
  putBroadcast,
  putStrategy,
  removeChosen,
  renameAgent,
  replay,
  type Change,
  type RouteTable,
  type Topology,
} from "../../topology";
import { castKey, castLacks } from "./form";
import { laneOf } from "./lane";

const team: Topology = {
  agents: [{ id: "a" }, { id: "b" }],
  broadcast: {
    strategy: "sequential",
    "telegram:-7": { agents: ["a", "b"], maxRounds: 2 },
    "1@g.us": ["b"],
    "odd:1": "a",
  },
};

describe("broadcast groups", () => {
  it("OC-3 are read by channel, with or without other settings; WhatsApp's need no channel", () => {
    expect(broadcastGroups(team).map((g) => [g.channel, g.peer, g.agents])).toEqual([
      ["telegram", "-7", ["a", "b"]],
      ["whatsapp", "1@g.us", ["b"]],
    ]);
    expect([
      broadcastKey("whatsapp", "1@g.us"),
      broadcastKey("whatsapp", "x:1"),
      broadcastKey("whatsapp", "2@g.us", "whatsapp:1@g.us"),
      castKey({ channel: " Telegram ", peer: " -7 " }),
    ]).toEqual(["1@g.us", "whatsapp:x:1", "whatsapp:2@g.us", "telegram:-7"]);
  });

  it("OC-3 follow agents that get another ID, and go with their last agent; the rest stays as it is", () => {
    expect(removeChosen(team, { ...nothing, agents: ["b"] }).broadcast).toEqual({
      strategy: "sequential",
      "telegram:-7": { agents: ["a"], maxRounds: 2 },
      "odd:1": "a",
    });
    expect(renameAgent(team, "a", "c").broadcast?.["telegram:-7"]).toEqual({ agents: ["c", "b"], maxRounds: 2 });
    expect(renameAgent(team, "z", "c").broadcast).toBe(team.broadcast);
    const last = { agents: team.agents, broadcast: { "x:1": ["a"] } };
    expect(removeChosen(last, { ...nothing, agents: ["a"] }).broadcast).toBeUndefined();
  });

  it("OC-3 are edited one by one, and keep what the form doesn't know", () => {
    const moved = putBroadcast(team, "telegram:-7", "telegram:-8", ["b"]);
    expect(Object.keys(moved.broadcast ?? {})).toEqual(["strategy", "telegram:-8", "1@g.us", "odd:1"]);
    expect(moved.broadcast?.["telegram:-8"]).toEqual({ agents: ["b"], maxRounds: 2 });
    expect(putBroadcast(team, "telegram:-7", "2@g.us", ["b"]).broadcast?.["2@g.us"]).toEqual(["b"]);
    expect(putBroadcast({ agents: [] }, undefined, "x:1", ["a"]).broadcast).toEqual({ "x:1": ["a"] });
    expect(dropBroadcast({ agents: [], broadcast: { "x:1": ["a"] } }, "x:1").broadcast).toBeUndefined();
    expect([broadcastStrategy(team), broadcastStrategy({ agents: [] })]).toEqual(["sequential", "parallel"]);
    expect(putStrategy({ agents: [] }, "parallel").broadcast).toBeUndefined();
    expect(putStrategy(team, "parallel").broadcast?.strategy).toBe("parallel");
  });

  it("OC-3 an edit made again leaves out agents that aren't there, and keeps what others did to other groups", () => {
    const was: Topology = { agents: [{ id: "a" }, { id: "b" }], broadcast: { "x:1": ["a"] } };
    const now = putBroadcast(was, undefined, "x:2", ["a", "b"]);
    const on: Topology = { agents: [{ id: "a" }], broadcast: { "x:1": ["a"], "x:3": ["a"] } };
    expect(replay(was, now, on)).toMatchObject({
      topology: { broadcast: { "x:1": ["a"], "x:2": ["a"], "x:3": ["a"] } },
      lost: true,
    });
  });

  it("OC-3 the form names what is missing", () => {
    const at = { channel: "telegram", peer: "-7" };
    expect([
      castLacks(team, { ...at, channel: " " }, ["a"]),
      castLacks(team, { ...at, peer: "" }, ["a"]),
      castLacks(team, at, ["a"]),
      castLacks(team, at, [], "telegram:-7"),
      castLacks(team, at, Array(17).fill("a") as string[], "telegram:-7"),
      castLacks(team, { channel: "whatsapp", peer: "2@g.us" }, Array(17).fill("a") as string[]),
    ]).toEqual(["channel", "peer", "taken", "agents", "many", undefined]);
  });

  it("OC-3 have a card each in the lane, with a line to each of their agents", () => {
    const table: RouteTable = { supported: true, known: true, missing: false, rules: [], groups: [], channels: [] };
    const on = {
      ...table,
      channels: [{ id: "telegram", enabled: true, accounts: [{ id: "default", enabled: true }] }],
    };
    const lane = laneOf(on, { ...team, broadcast: { ...team.broadcast, "telegram:-8": ["b", "ghost"] } });
    expect(lane.cards.map((c) => [c.id, c.state, c.missing])).toEqual([
      ["channel:telegram:default", "nobody", []],
      ["channel:@:telegram:-7", "ok", []],
      ["channel:@:telegram:-8", "ok", ["ghost"]],
      ["channel:@:1@g.us", "unknown", []],
    ]);
    expect(lane.lines.map((l) => l.id)).toEqual([
      "cast:telegram:-7>a",
      "cast:telegram:-7>b",
      "cast:telegram:-8>b",
      "cast:1@g.us>b",
    ]);
  });

  it("OC-3 have words in both languages", async () => {
    const words = async (lng: string): Promise<TFunction> => {
      const i = createInstance();
      await i.init({
        lng,
        resources: {
          en: { translation: { ...enFirst, ...enRest } },
          ja: { translation: { ...jaFirst, ...jaRest } },
        },
        interpolation: { escapeValue: false },
      });
      return i.t;
    };
    const t = await words("en"),
      ja = await words("ja");
    const c = (more: Partial<Change>): Change => ({ id: "x", op: "changed", subject: "broadcast", ...more });
    const said = (more: Partial<Change>) => broadcastCaption(t, (id) => id.toUpperCase(), c(more));
    expect(broadcastTitle(t, "telegram:-7")).toBe("Broadcast group of Telegram, conversation -7");
    expect(broadcastTitle(ja, "1@g.us")).toBe("WhatsApp、会話1@g.usの一斉配信グループ");
    expect([
      said({ field: "x:1", op: "added", after: ["a", "b"] }),
      said({ field: "x:1", op: "removed", before: ["a"] }),
      said({ field: "x:1", before: ["a"], after: ["b"] }),
      said({ field: "x:1", before: ["a", "b"], after: ["b", "a"] }),
      said({ field: "x:1", before: ["a"], after: { agents: ["a"], maxRounds: 2 } }),
      said({ field: "strategy", op: "added", after: "sequential" }),
      said({ field: "strategy", op: "removed", before: "sequential" }),
    ]).toEqual([
      "Agents: A and B",
      "Deleted. Agents: A",
      "Added: B, Removed: A",
      "Order changed",
      "Other settings changed",
      "Order of answers: One after another",
      "Order of answers: gateway default",
    ]);
  });
});
