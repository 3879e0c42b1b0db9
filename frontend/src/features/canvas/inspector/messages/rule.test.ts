import { expect, it } from "vitest";
import { nothing, removeChosen, renameAgent, type Topology } from "@/topology";
import { blocked, isOlder, ruleOf, withPair } from "./rule";

const team = (messages?: Record<string, unknown>): Topology => ({
  agents: [{ id: "a" }, { id: "b" }, { id: "c" }],
  messages,
});
const why = (messages: Record<string, unknown> | undefined, older = false) =>
  blocked(ruleOf(messages, older), "a", "b");

it("OC-3 says why two agents can't message each other", () => {
  expect(why(undefined)).toBeUndefined();
  expect(why(undefined, true)).toBe("off");
  expect(why({ enabled: false, allow: ["a", "b"] })).toBe("off");
  expect(why({ enabled: true, allow: ["a"] })).toBe("notListed");
  expect(why({ enabled: true, allow: ["A*", "*"] })).toBeUndefined();
  expect(why({ enabled: true, allow: [7, "a.", "b"] })).toBe("notListed");
  expect(why({ enabled: true, visibility: "tree" })).toBe("hidden");
  expect(why({ enabled: true }, true)).toBe("hidden");
  expect(why({ enabled: true, allow: [], visibility: "all" }, true)).toBeUndefined();
  expect(["2026.2.26", "2025.12.1", "2026.8.0", "2026.9.6", undefined].map(isOlder)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it("OC-3 allows a pair with as little as it takes, and keeps what the list has", () => {
  const allowed = (messages: Record<string, unknown> | undefined, older = false) => {
    const next = withPair(team(messages), "a", "b", older).messages;
    expect(blocked(ruleOf(next, older), "a", "b")).toBeUndefined();
    return next;
  };
  expect(allowed({ enabled: false })).toEqual({ enabled: true, allow: ["a", "b"] });
  expect(allowed({ enabled: true, allow: ["x-*", "a"] })).toEqual({ enabled: true, allow: ["x-*", "a", "b"] });
  expect(allowed({ enabled: false, allow: ["*"] })).toEqual({ enabled: true, allow: ["*"] });
  expect(allowed({ enabled: true, visibility: "self" })).toEqual({ enabled: true, visibility: "all" });
  expect(allowed(undefined, true)).toEqual({ enabled: true, allow: ["a", "b"], visibility: "all" });
});

it("OC-3 the list follows an agent's ID, and an agent that is deleted leaves it; patterns stay", () => {
  const of = team({ enabled: true, allow: ["a", "*", 7, "a-*"] });
  expect(renameAgent(of, "a", "z").messages).toEqual({ enabled: true, allow: ["z", "*", 7, "a-*"] });
  expect(removeChosen(of, { ...nothing, agents: ["a"] }).messages).toEqual({ enabled: true, allow: ["*", 7, "a-*"] });
  expect(removeChosen(of, { ...nothing, agents: ["b"] }).messages).toBe(of.messages);
  expect(renameAgent(team(), "a", "z").messages).toBeUndefined();
  // An empty list would allow every agent.
  const last = team({ enabled: true, allow: ["a", "b"], visibility: "all" });
  expect(removeChosen(last, { ...nothing, agents: ["a", "b"] }).messages).toEqual({
    enabled: false,
    visibility: "all",
  });
});
