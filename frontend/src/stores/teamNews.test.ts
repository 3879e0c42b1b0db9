import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Gateway } from "../topology";
import { rulesFollower, takeSummary } from "./teamNews";
import { name, opened, rename, team } from "./teamTestHub";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("another window", () => {
  it("takes the hub's merge when nothing of ours is outstanding", async () => {
    const { f, s } = await opened();
    f.merged = team("A", ["other"]);
    s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    expect(s().topology.agents.map((a) => a.id)).toEqual(["lead", "other"]);
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves[1]).toMatchObject({ head: "v2" });
  });
  it("names what it edited until it has taken the merge, so that nothing is overwritten", async () => {
    const { f, s } = await opened();
    f.merged = team("A", ["other"]);
    s().edit("one", rename("A"));
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves.map((x) => [x.head, x.before?.agents[0]?.name])).toEqual([
      ["v1", undefined],
      ["v2", "A"],
    ]);
  });
  it("is read again when its summary shows another head, but not while typing", async () => {
    const { f, store, s } = await opened();
    const summary = (head: string) => ({
      id: "d",
      name: "D",
      gateway: "g",
      head,
      revision: 1,
      updatedAt: head,
      agents: 1,
      connections: 0,
      models: [],
      changes: 0,
      errors: 0,
      warnings: 0,
    });
    takeSummary(store, summary("v1"));
    expect(f.log).toEqual(["get"]);
    f.head = "v9";
    f.topology = team("Theirs");
    takeSummary(store, summary("v9"));
    await vi.advanceTimersByTimeAsync(0);
    expect(name(s().topology)).toBe("Theirs");
    s().edit("one", rename("Mine"), { typing: true, coalesce: "k" });
    f.topology = team("Theirs again");
    takeSummary(store, summary("v10"));
    await vi.advanceTimersByTimeAsync(0);
    expect(name(s().topology)).toBe("Mine");
    expect(f.log.filter((x) => x === "get")).toHaveLength(2);
  });
});

describe("what the gateway permits", () => {
  const told = (rulesAt?: string, name = "g") => [{ name, rulesAt } as Gateway];
  it("reloads the team when its gateway sends new rules, and only then", async () => {
    const { f, store } = await opened();
    const take = rulesFollower(store);
    take(told());
    take(told());
    take(told("2026-01-01", "another"));
    take(told("2026-01-02", "another"));
    expect(f.log).toEqual(["get"]);
    take(told("2026-01-01"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.log).toEqual(["get", "get"]);
    take(told("2026-01-01"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.log).toEqual(["get", "get"]);
  });
  it("leaves what is not saved yet alone", async () => {
    const { f, store, s } = await opened();
    const take = rulesFollower(store);
    take(told("2026-01-01"));
    s().edit("one", rename("A"), { typing: true });
    take(told("2026-01-02"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(f.log).toEqual(["get", "save A"]);
    expect(name(s().topology)).toBe("A");
  });
});
