import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/error";
import { updateAgents, type Topology } from "../topology";
import { createTeam } from "./team";
import { down, fake, name, opened, rename, team } from "./teamTestHub";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("last words", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (k: string) => kept.get(k) ?? null,
      setItem: (k: string, v: string) => void kept.set(k, v),
      removeItem: (k: string) => void kept.delete(k),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const farewell = (s: unknown) => (s as { _farewell: () => void })._farewell();
  const large = team(
    "Lead",
    Array.from({ length: 3000 }, (_, i) => `agent-with-a-long-id-${i}`),
  );

  it("of a large team are kept where the browser cannot send them, and saved when it is opened again", async () => {
    const { f, s } = await opened();
    f.hold = new Promise(() => undefined); // nothing is answered before the page goes
    s().edit("edit.name|x", () => updateAgents(large, ["lead"], { name: "Boss" }), { typing: true });
    farewell(s());
    expect(f.saves).toHaveLength(0);
    expect(kept.size).toBe(1);

    const again = fake(),
      store = createTeam(again.hub);
    again.head = "v7"; // somebody else went on meanwhile
    await store.getState().open("d");
    expect(name(store.getState().topology)).toBe("Boss");
    await vi.advanceTimersByTimeAsync(300);
    expect(again.saves).toMatchObject([{ head: "v1", label: "edit.name|x" }]);
    expect(kept.size).toBe(0);
  });

  it("of a small one are sent, and nothing is kept", async () => {
    const { f, s } = await opened();
    s().edit("edit.name|x", rename("Boss"), { typing: true });
    farewell(s());
    await vi.advanceTimersByTimeAsync(0);
    expect([f.saves.length, kept.size]).toEqual([1, 0]);
  });
});

describe("autosave", () => {
  it("shows an edit at once and saves a gesture at once", async () => {
    const { f, s } = await opened();
    s().edit("edit.name|x", rename("A"));
    expect(name(s().topology)).toBe("A");
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves).toHaveLength(1);
    expect(f.saves[0]).toMatchObject({ head: "v1", label: "edit.name|x" });
    expect(s().save.state).toBe("saved");
  });
  it("saves typing at most 250 ms after the last key, as one step", async () => {
    const { f, s } = await opened();
    for (const text of ["A", "Ab", "Abc"]) {
      s().edit("edit.name|x", rename(text), { typing: true, coalesce: "k" });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(f.saves).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(150);
    expect(f.saves.map((x) => name(x.topology))).toEqual(["Abc"]);
    expect(f.saves[0]?.coalesce).toMatch(/./);
  });
  it("saves typing under one key until a pause, however long the hub takes", async () => {
    const { f, s } = await opened();
    const keys = () => f.saves.map((x) => x.coalesce);
    const type = async (text: string, coalesce = "k") => {
      let answer: () => void = () => undefined;
      f.hold = new Promise((done) => {
        answer = done;
      });
      s().edit("edit.name|x", rename(text), { typing: true, coalesce });
      await vi.advanceTimersByTimeAsync(500);
      answer();
      f.hold = undefined;
      await vi.advanceTimersByTimeAsync(0);
    };
    for (const text of ["A", "Ab", "Abc"]) await type(text);
    expect(new Set(keys()).size).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await type("Abcd");
    expect(new Set(keys()).size).toBe(2);
    await type("Abcde", "another field");
    expect(new Set(keys()).size).toBe(3);
    for (let i = 0; i < 40; i++) await type(`${i}`, "long");
    expect(new Set(keys().slice(-40)).size).toBe(2);
  });
  it("OC-2 takes over what the hub wrote into files, and keeps what was typed meanwhile", async () => {
    const { f, s } = await opened();
    const write = (content: string) => (t: Topology) =>
      updateAgents(t, ["lead"], { files: { "AGENTS.md": { content } } });
    s().edit("edit.files|x", write("old"));
    await vi.advanceTimersByTimeAsync(300);
    const wrote = (content: string) => ({ lead: { "AGENTS.md": { content } } });
    f.followed = wrote("followed");
    s().edit("edit.name|x", rename("A"));
    await vi.advanceTimersByTimeAsync(300);
    expect(s().topology.agents[0]?.files).toEqual(wrote("followed").lead);

    let answer: () => void = () => undefined;
    f.hold = new Promise((done) => {
      answer = done;
    });
    f.followed = wrote("followed again");
    s().edit("edit.name|x", rename("B"));
    await vi.advanceTimersByTimeAsync(300);
    s().edit("edit.name|x", rename("C"), { typing: true });
    s().edit("edit.name|y", rename("D"), { typing: true, coalesce: "k" });
    answer();
    f.hold = undefined;
    await vi.advanceTimersByTimeAsync(500);
    expect(f.saves.map((x) => [name(x.topology), x.head])).toEqual([
      ["Lead", "v1"],
      ["A", "v2"],
      ["B", "v3"],
      ["C", "v4"],
      ["D", "v5"],
    ]);
    expect(f.saves[4]?.topology.agents[0]?.files).toEqual(wrote("followed again").lead);

    f.hold = new Promise((done) => {
      answer = done;
    });
    f.followed = wrote("followed once more");
    s().edit("edit.name|x", rename("E"));
    await vi.advanceTimersByTimeAsync(300);
    s().edit("edit.files|x", write("typed"), { typing: true });
    answer();
    f.hold = undefined;
    await vi.advanceTimersByTimeAsync(500);
    expect(f.saves.at(-1)?.topology.agents[0]?.files).toEqual(wrote("typed").lead);
    expect(s().topology.agents[0]?.files).toEqual(wrote("typed").lead);
  });
  it("keeps two kinds of edit two steps, in order", async () => {
    const { f, s } = await opened();
    s().edit("one", rename("A"), { typing: true, coalesce: "k1" });
    s().edit("two", rename("B"), { typing: true, coalesce: "k2" });
    await vi.advanceTimersByTimeAsync(300);
    expect(f.saves.map((x) => [x.label, x.head])).toEqual([
      ["one", "v1"],
      ["two", "v2"],
    ]);
  });
  it("never changes a step that is on its way", async () => {
    const { f, s } = await opened();
    let go = () => {};
    f.hold = new Promise((r) => {
      go = r;
    });
    s().edit("one", rename("A"), { coalesce: "k" });
    await vi.advanceTimersByTimeAsync(0);
    s().edit("one", rename("AB"), { coalesce: "k" });
    go();
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves.map((x) => name(x.topology))).toEqual(["A", "AB"]);
    expect(name(s().topology)).toBe("AB");
  });
  it("shortens the label of a step that names two long names", async () => {
    const { f, s } = await opened();
    s().edit(`edit.connect|${"😀".repeat(300)}|${"x".repeat(300)}`, rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    expect(Array.from(f.saves[0]?.label ?? "")).toHaveLength(400);
    expect(f.saves[0]?.label).toMatch(/^edit\.connect\|😀+\|x+$/u);
  });
  it("does not save an edit that changes nothing", async () => {
    const { f, s } = await opened();
    s().edit("none", (t) => t);
    await vi.advanceTimersByTimeAsync(300);
    expect(f.saves).toHaveLength(0);
  });
});

describe("a hub that is away", () => {
  it("keeps every edit and sends them in order when it is back", async () => {
    const { f, s } = await opened();
    f.fail = [down(), down(), down()];
    s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    expect(s().save.state).toBe("offline");
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(f.saves.map((x) => [x.label, name(x.topology)])).toEqual([
      ["one", "A"],
      ["two", "B"],
    ]);
    expect(s().save.state).toBe("saved");
  });
  it("sends what stands on a step that the hub merged as an edit of that step", async () => {
    const { f, s } = await opened();
    f.fail = [down()];
    s().edit("one", rename("A"));
    s().edit("two", rename("B"));
    s().edit("three", rename("C"));
    f.merged = team("A", ["theirs"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(f.saves.map((x) => [name(x.topology), x.head, x.before && name(x.before)])).toEqual([
      ["A", "v1", undefined],
      ["B", "v2", "A"],
      ["C", "v3", undefined],
    ]);
  });
  it("says what the hub refused and keeps the text until it is taken back", async () => {
    const { f, s } = await opened();
    f.fail = [new ApiError({ code: "VALIDATION_ERROR", message: "too long" }, 400)];
    s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(s().save).toMatchObject({ state: "refused", error: { message: "too long" } });
    expect(f.log).toEqual(["get", "fail"]);
    expect(name(s().topology)).toBe("A");
    await s().takeBack();
    expect(name(s().topology)).toBe("Lead");
    expect(s().save.state).toBe("saved");
  });
  it("sends a later edit that changes what was refused together with it, as it may mend it", async () => {
    const { f, s } = await opened();
    f.fail = [new ApiError({ code: "VALIDATION_ERROR", message: "no" }, 400)];
    s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves.map((x) => x.label)).toEqual(["two"]);
    expect(s().save.state).toBe("saved");
  });
});

describe("opening", () => {
  it("says why a team cannot be shown", async () => {
    const f = fake();
    const store = createTeam({
      ...f.hub,
      team: () => Promise.reject(new ApiError({ code: "NOT_FOUND", message: "no" }, 404)),
    });
    await store.getState().open("d");
    expect(store.getState().status).toBe("gone");
  });
  it("saves the last edit of one team before it opens the next", async () => {
    const { f, s } = await opened();
    s().edit("one", rename("A"), { typing: true });
    await s().open("e");
    expect(f.log).toEqual(["get", "save A", "get"]);
  });
});
