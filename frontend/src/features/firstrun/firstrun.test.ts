import { describe, expect, it } from "vitest";
import type { Apply, Change, Topology } from "@/topology";
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

describe("the suggestion", () => {
  const team: Topology = {
    agents: [
      { id: "writer", name: "Writer" },
      { id: "lead", name: "Lead", connections: [{ targetId: "writer", type: "command" }] },
      { id: "backend", name: "Backend" },
    ],
  };
  it("goes from who leads to whom nobody leads", () => expect(suggest(team)).toEqual({ from: "Lead", to: "Backend" }));
  it("is none where there is nothing left to draw", () => {
    expect(suggest({ agents: [] })).toBeNull();
    expect(suggest({ agents: [{ id: "a" }] })).toBeNull();
    expect(
      suggest({ agents: [{ id: "a", connections: [{ targetId: "b", type: "command" }] }, { id: "b" }] }),
    ).toBeNull();
  });
});
