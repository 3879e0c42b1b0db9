import { describe, expect, it } from "vitest";
import type { Apply, Change, Provider, Topology } from "@/topology";
import { answeringOf } from "./answering";
import { drewCommand, hasApplied } from "./progress";
import { suggest } from "./suggest";

const change = (patch: Partial<Change>): Change => ({
  id: "1",
  op: "added",
  subject: "connection",
  kind: "command",
  ...patch,
});
const apply = (patch: Partial<Apply>): Apply => ({
  id: "1",
  gateway: "local",
  kind: "apply",
  state: "done",
  steps: [],
  cancellable: false,
  sent: 1,
  startedAt: "",
  ...patch,
});

describe("steps are done when they are really done", () => {
  it("a command connection was added", () => {
    expect(drewCommand([change({})])).toBe(true);
    for (const other of [change({ kind: "review" }), change({ op: "removed" }), change({ subject: "agent" })])
      expect(drewCommand([other])).toBe(false);
  });
  it("something was applied", () => {
    expect(hasApplied([apply({})])).toBe(true);
    for (const other of [
      apply({ state: "failed" }),
      apply({ state: "running" }),
      apply({ kind: "rollback" }),
      apply({ sent: 0 }),
    ])
      expect(hasApplied([other])).toBe(false);
  });
});

describe("what the guide says of models", () => {
  const of = (...models: (string | undefined)[]) => models.map((model, i) => ({ id: `a${i}`, model })),
    mine = [{ name: "mine", source: "file" }] as Provider[];
  it("claims a real model only where a provider has it", () => {
    expect(answeringOf(of("mine/m"), mine)).toEqual({ how: "Real" });
    expect(answeringOf(of("mine/m", "gone/m"), mine)).toEqual({ how: "Lack", model: "gone/m" });
    expect(answeringOf(of("gone/m"), undefined)).toEqual({ how: "Real" });
  });
  it("no longer tells to apply once the gateway has the models", () => {
    const agents = of("mine/m", undefined);
    expect(answeringOf(agents, mine, false, agents)).toEqual({ how: "InUse" });
    expect(answeringOf(agents, mine, false, of("demo/echo"))).toEqual({ how: "Real" });
  });
  it("knows that another gateway has its own models", () => {
    for (const agents of [of(), of(undefined), of("demo/echo"), of("mine/m")])
      expect(answeringOf(agents, undefined, true, agents)).toEqual({ how: "Theirs" });
  });
  it("says that a provider is set up while agents still have the demo model", () => {
    const found = [
      { name: "ollama", source: "found" },
      { name: "demo", source: "builtin" },
    ] as Provider[];
    expect(answeringOf(of("demo/echo"), found)).toEqual({ how: "Why" });
    expect(answeringOf(of("demo/echo", "mine/m"), [...found, ...mine])).toEqual({ how: "Ready" });
  });
  it("tells a team without agents from agents without a model", () => {
    expect(answeringOf(of("demo/echo", "gone/m"), mine)).toEqual({ how: "Lack", model: "gone/m" });
    expect([of(), of(undefined), of("demo/echo")].map((a) => answeringOf(a, []).how)).toEqual(["Empty", "None", "Why"]);
  });
});

describe("the suggestion", () => {
  const team: Topology = {
    agents: [
      { id: "writer", name: "Writer" },
      { id: "lead", name: "Lead", connections: [{ targetId: "writer", type: "command" }] },
      { id: "backend", name: "Backend" },
    ],
  };
  it("goes from a leader to an unled agent", () => expect(suggest(team)).toEqual({ from: "Lead", to: "Backend" }));
  it("is null if there is nothing left to connect", () => {
    expect(suggest({ agents: [] })).toBeNull();
    expect(suggest({ agents: [{ id: "a" }] })).toBeNull();
    expect(
      suggest({ agents: [{ id: "a", connections: [{ targetId: "b", type: "command" }] }, { id: "b" }] }),
    ).toBeNull();
  });
});
