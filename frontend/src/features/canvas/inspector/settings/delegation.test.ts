import { describe, expect, it } from "vitest";
import type { Setting } from "@/topology";
import everyone from "./recorded-everyone.json";
import recorded from "./recorded.json";
import { delegation } from "./sections";

const settings = recorded as unknown as Setting[],
  ofAll = everyone as unknown as Setting[];
const keys = (parts: ReturnType<typeof delegation>) =>
  parts &&
  Object.fromEntries(Object.entries(parts).map(([of, list]) => [of, list.map((s) => s.path.join(".")).sort()]));

describe("the settings of subagents on a Delegate connection", () => {
  it("OC-1 are those of the end that a real gateway takes them from, and each of its settings is there", () => {
    expect(keys(delegation(settings, ofAll))).toEqual({
      from: ["subagents.delegationMode", "subagents.requireAgentId", "subagents.thinking"],
      to: ["subagents.model", "subagents.thinking"],
      everyone: expect.arrayContaining(["subagents.maxSpawnDepth", "subagents.maxChildrenPerAgent"]) as string[],
    });
    const all = [...settings, ...ofAll]
      .filter((s) => s.key === "subagents")
      .flatMap((s) => s.settings ?? [])
      .map((s) => `subagents.${s.key}`);
    const shown = new Set(Object.values(keys(delegation(settings, ofAll)) ?? {}).flat());
    expect(all.filter((key) => !shown.has(key))).toEqual(["subagents.allowAgents", "subagents.allowAgents"]);
  });

  it("OC-1 are shown as far as the gateway has them", () => {
    const group = (...names: string[]): Setting => ({
      key: "subagents",
      kinds: ["group"],
      settings: names.map((key) => ({ key, kinds: ["text"] })),
    });
    expect(delegation([])).toBeUndefined();
    expect(delegation([group("allowAgents")], [group("allowAgents")])).toBeUndefined();
    expect(keys(delegation([group("model")]))).toEqual({ from: [], to: ["subagents.model"], everyone: [] });
    // A setting that a later release adds is the delegating agent's.
    expect(keys(delegation([group("brandNew")]))).toEqual({ from: ["subagents.brandNew"], to: [], everyone: [] });
    expect(keys(delegation([], [group("maxSpawnDepth")]))).toEqual({
      from: [],
      to: [],
      everyone: ["subagents.maxSpawnDepth"],
    });
  });
});
