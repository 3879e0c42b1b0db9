import { describe, expect, it } from "vitest";
import table from "../../../backend/team/teamblock/testdata/blocks.json";
import { findBlocks, withBlock, withoutBlock } from "./blocks";
import { withFollowed } from "./followed";

describe("OC-2 blocks that follow the team", () => {
  it.each(table)("are found as the hub finds them: $name", ({ text, blocks, without }) => {
    expect(findBlocks(text, "AGENTS.md").map(([from, to]) => text.slice(from, to))).toEqual(blocks);
    expect(withoutBlock(text, "AGENTS.md")).toBe(without ?? text);
  });

  const texts = [
    "",
    "a",
    "a\n",
    "a\n\n",
    "\n",
    "a\r\n",
    "a\r\nb",
    "日本語\n",
    "<!-- agentflow:team end -->\n",
    "a \n \n",
  ];
  it.each(texts)("leave %j as it was once they are taken out", (text) => {
    for (const file of ["SOUL.md", "AGENTS.md"] as const) {
      const on = withBlock(text, file);
      expect(findBlocks(on, file)).toHaveLength(1);
      expect(on.startsWith(text)).toBe(true);
      expect(withBlock(on, file)).toBe(on);
      expect(withoutBlock(on, file)).toBe(text);
      if (text.includes("\r\n")) expect(on.replaceAll("\r\n", "")).not.toMatch(/\n/);
    }
  });

  it("are taken over from the hub, except in a file that was edited since", () => {
    const of = (content: string) => ({ "AGENTS.md": { content }, "USER.md": { content: "u" } });
    const sent = { agents: [{ id: "a", files: of("a0") }, { id: "b", files: of("b0") }, { id: "c" }] };
    const now = { agents: [{ id: "b", files: of("typed") }, { id: "a", name: "A", files: of("a0") }, { id: "d" }] };
    const followed = {
      a: { "AGENTS.md": { content: "a1", basedOn: "h" } },
      b: { "AGENTS.md": { content: "b1" } },
      c: { "AGENTS.md": { content: "c1" } },
    };
    const got = withFollowed(now, sent, followed);
    expect(got.agents[1]).toEqual({
      id: "a",
      name: "A",
      files: { "AGENTS.md": { content: "a1", basedOn: "h" }, "USER.md": { content: "u" } },
    });
    expect([got.agents[0], got.agents[2]]).toEqual([now.agents[0], now.agents[2]]);
    expect(withFollowed(now, sent, undefined)).toBe(now);
  });
});
