import { describe, expect, it } from "vitest";
import type { Topology } from "@/topology";
import { nextMatch, search } from "./search";

const team: Topology = {
  agents: [
    {
      id: "lead",
      name: "リーダー",
      role: "Coordinator",
      connections: [
        { targetId: "qa", type: "command" },
        { targetId: "docs", type: "command", label: "Release" },
      ],
    },
    {
      id: "qa",
      name: "Tester",
      model: "openai/gpt-5-mini",
      persona: "Try to break ＡＢＣ",
      connections: [{ targetId: "docs", type: "review" }],
    },
    { id: "docs", name: "Writer", model: "openai/gpt-5" },
  ],
  layout: { lead: { x: 0, y: 0 }, qa: { x: 300, y: 200 }, docs: { x: 0, y: 200 } },
};
const dimmed = (q: string) => {
  const f = search(team, q);
  return team.agents.filter((a) => f?.dim({ agent: a.id })).map((a) => a.id);
};

describe("search on the canvas", () => {
  it("asks name, ID, role, model and persona, in any width and kana", () => {
    for (const [q, want] of [
      ["りーだー", ["lead"]],
      ["ﾘｰﾀﾞｰ", ["lead"]],
      ["coord", ["lead"]],
      ["GPT-5", ["docs", "qa"]],
      ["gpt mini", ["qa"]],
      ["abc", ["qa"]],
      ["docs", ["docs"]],
      ["nobody", []],
    ] as const)
      expect(search(team, q)?.agents, q).toEqual(want);
  });
  it("finds in reading order and dims the rest", () => {
    expect(search(team, "openai")?.agents).toEqual(["docs", "qa"]);
    expect(dimmed("openai")).toEqual(["lead"]);
  });
  it("dims connections unless both ends match, or their label does", () => {
    const f = search(team, "openai")!;
    expect(f.dim({ connection: "connection:qa:review:docs" })).toBe(false);
    expect(f.dim({ connection: "connection:lead:command:qa" })).toBe(true);
    expect(search(team, "release")!.dim({ connection: "connection:lead:command:docs" })).toBe(false);
  });
  it("dims nothing when nothing is asked", () => expect(search(team, "  ")).toBeUndefined());
  it("goes around, and starts at the end that lies ahead", () => {
    expect(nextMatch(["a", "b"], undefined, 1)).toBe("a");
    expect(nextMatch(["a", "b"], undefined, -1)).toBe("b");
    expect(nextMatch(["a", "b"], "b", 1)).toBe("a");
    expect(nextMatch(["a", "b"], "gone", 1)).toBe("a");
    expect(nextMatch([], "a", 1)).toBeUndefined();
  });
});
