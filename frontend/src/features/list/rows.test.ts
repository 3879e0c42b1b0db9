import { describe, expect, it } from "vitest";
import { noMarks, type Topology } from "@/topology";
import { editTools, filterRows, noFacets, rowsOf, sortRows, valuesOf, type Row } from "./rows";

const team: Topology = {
  agents: [
    {
      id: "lead",
      name: "Lead",
      role: "Plans",
      model: "openai/gpt-5",
      connections: [
        { targetId: "b10", type: "command" },
        { targetId: "b2", type: "command" },
      ],
      tools: { allow: ["read"], deny: ["exec"] },
    },
    { id: "b10", name: "Backend 10", role: "Builds", model: "ollama/qwen3" },
    {
      id: "b2",
      name: "Backend 2",
      role: "Builds",
      model: "ollama/qwen3",
      connections: [{ targetId: "lead", type: "review" }],
    },
    { id: "ja", name: "リサーチャー", model: "ollama/qwen3" },
  ],
  groups: [{ id: "g", name: "Build", members: ["b10", "b2"] }],
};
const problems = [
  { id: "1", code: "x", severity: "error", subject: "agent", agent: "b10", message: "", remedy: "" },
  { id: "2", code: "x", severity: "warning", subject: "agent", agent: "ja", message: "", remedy: "" },
] as never[];
const rows = rowsOf(team, { ...noMarks, agents: new Map([["ja", { mark: "add", was: {} }]]) }, problems);
const ids = (r: readonly Row[]) => r.map((x) => x.id);

describe("rows", () => {
  it("count connections both ways, tools, problems and the group", () => {
    expect(rows.map((r) => [r.id, r.in, r.out, r.tools, r.group, r.errors, r.warnings, r.mark])).toEqual([
      ["lead", 1, 2, 2, "", 0, 0, undefined],
      ["b10", 1, 0, 0, "Build", 1, 0, undefined],
      ["b2", 1, 1, 0, "Build", 0, 0, undefined],
      ["ja", 0, 0, 0, "", 0, 1, "add"],
    ]);
  });
  it("sort by every column, numbers inside names by value, empty words last both ways", () => {
    expect(ids(sortRows(rows, { by: "name", down: false }, "en"))).toEqual(["b2", "b10", "lead", "ja"]);
    expect(ids(sortRows(rows, { by: "role", down: false }, "en"))).toEqual(["b2", "b10", "lead", "ja"]);
    expect(ids(sortRows(rows, { by: "role", down: true }, "en"))).toEqual(["lead", "b2", "b10", "ja"]);
    expect(ids(sortRows(rows, { by: "out", down: true }, "en"))).toEqual(["lead", "b2", "b10", "ja"]);
    expect(ids(sortRows(rows, { by: "problems", down: true }, "en"))).toEqual(["b10", "ja", "b2", "lead"]);
    expect(ids(sortRows(rows, { by: "mark", down: false }, "en"))[0]).toBe("ja");
    expect(ids(sortRows(rows, { by: "group", down: true }, "en")).slice(0, 2)).toEqual(["b2", "b10"]);
  });
  it("filter by words of any field, of any width, and by facets together", () => {
    expect(ids(filterRows(rows, { ...noFacets, text: "ﾘｻｰﾁ" }))).toEqual(["ja"]);
    expect(ids(filterRows(rows, { ...noFacets, text: "ＢＵＩＬＤ qwen" }))).toEqual(["b10", "b2"]);
    expect(ids(filterRows(rows, { ...noFacets, role: "Builds", problems: true }))).toEqual(["b10"]);
    expect(ids(filterRows(rows, { ...noFacets, changed: true }))).toEqual(["ja"]);
    expect(ids(filterRows(rows, { ...noFacets, group: "Build", model: "openai/gpt-5" }))).toEqual([]);
    expect(valuesOf(rows, "model")).toEqual([
      { value: "ollama/qwen3", n: 3 },
      { value: "openai/gpt-5", n: 1 },
    ]);
  });
});

describe("tools of many", () => {
  const tools = (t: Topology) => t.agents.map((a) => a.tools);
  it("are added, removed and replaced, and each agent keeps the rest of its rule", () => {
    expect(
      tools(editTools(team, ["lead", "b10"], { list: "allow", how: "add", names: ["read", "write"] })).slice(0, 3),
    ).toEqual([{ allow: ["read", "write"], deny: ["exec"] }, { allow: ["read", "write"] }, undefined]);
    expect(tools(editTools(team, ["lead"], { list: "deny", how: "remove", names: ["exec"] }))[0]).toEqual({
      allow: ["read"],
    });
    expect(tools(editTools(team, ["lead"], { list: "allow", how: "set", names: [] }))[0]).toEqual({ deny: ["exec"] });
    expect(tools(editTools(team, ["lead", "b2"], "default"))).toEqual([undefined, undefined, undefined, undefined]);
  });
  it("change nothing where nothing is new, so that no undo step appears", () => {
    expect(editTools(team, ["lead"], { list: "allow", how: "add", names: ["read"] })).toBe(team);
    expect(editTools(team, ["b10"], { list: "deny", how: "remove", names: ["exec"] })).toBe(team);
    expect(team.agents[0]?.tools).toEqual({ allow: ["read"], deny: ["exec"] });
  });
});

it("5,000 rows are made, filtered and sorted, and none is lost", () => {
  const many: Topology = {
    agents: Array.from({ length: 5000 }, (_, i) => ({
      id: `a-${i}`,
      name: `Agent ${i}`,
      role: `Role ${i % 7}`,
      connections: [{ targetId: `a-${(i + 1) % 5000}`, type: "command" }],
    })),
  };
  const all = rowsOf(many, noMarks, []);
  expect(sortRows(all, { by: "name", down: true }, "ja")[0]?.id).toBe("a-4999");
  expect(filterRows(all, { ...noFacets, role: "Role 3" })).toHaveLength(714);
});
