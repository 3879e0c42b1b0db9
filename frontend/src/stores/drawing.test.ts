import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/error";
import {
  updateAgents,
  type Drawing,
  type DrawingState,
  type Gateway,
  type SaveRequest,
  type Topology,
} from "../topology";
import { createDrawing, rulesFollower, takeSummary, type DrawingHub } from "./drawing";

const team = (name = "Lead", more: string[] = []): Topology => ({
  agents: [{ id: "lead", name }, ...more.map((id) => ({ id }))],
});
const state = (head: string): DrawingState => ({
  id: "d",
  name: "D",
  gateway: "g",
  head,
  revision: 1,
  updatedAt: head,
  changes: [],
  unsent: 0,
  problems: [],
  canUndo: true,
  canRedo: false,
});
const whole = (head: string, topology: Topology): Drawing => ({ ...state(head), topology });
const down = () => new ApiError({ code: "UNREACHABLE", message: "no answer" }, 0);
const rename = (name: string) => (t: Topology) => updateAgents(t, ["lead"], { name });

/** A hub that keeps what it is sent; `fail` makes the next answers failures. */
function fake() {
  const saves: SaveRequest[] = [],
    log: string[] = [];
  let n = 1;
  const f = {
    saves,
    log,
    head: "v1",
    topology: team(),
    fail: [] as ApiError[],
    merged: undefined as Topology | undefined,
    hold: undefined as Promise<void> | undefined,
    hub: {
      drawing: () => {
        log.push("get");
        return Promise.resolve(whole(f.head, f.topology));
      },
      saveDrawing: async (_: string, body: SaveRequest) => {
        await f.hold;
        const err = f.fail.shift();
        if (err) {
          log.push("fail");
          throw err;
        }
        saves.push(body);
        log.push(`save ${body.topology.agents[0]?.name ?? ""}`);
        f.head = `v${++n}`;
        f.topology = f.merged ?? body.topology;
        const r = { state: state(f.head), topology: f.merged };
        f.merged = undefined;
        return r;
      },
      undo: () => {
        log.push("undo");
        f.head = `v${++n}`;
        f.topology = team("Undone");
        return Promise.resolve(whole(f.head, f.topology));
      },
    } as unknown as DrawingHub,
  };
  return f;
}

async function opened() {
  const f = fake(),
    store = createDrawing(f.hub);
  await store.getState().open("d");
  return { f, store, s: () => store.getState() };
}
const name = (t: Topology) => t.agents[0]?.name;

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

  it("of a large drawing are kept where the browser cannot send them, and saved when it is opened again", async () => {
    const { f, s } = await opened();
    f.hold = new Promise(() => undefined); // nothing is answered before the page goes
    s().edit("edit.name|x", () => updateAgents(large, ["lead"], { name: "Boss" }), { typing: true });
    farewell(s());
    expect(f.saves).toHaveLength(0);
    expect(kept.size).toBe(1);

    const again = fake(),
      store = createDrawing(again.hub);
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
    expect(f.saves[0]?.coalesce).toBe("k");
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
  it("does not save an edit that changes nothing", async () => {
    const { f, s } = await opened();
    s().edit("none", (t) => t);
    await vi.advanceTimersByTimeAsync(300);
    expect(f.saves).toHaveLength(0);
  });
});

describe("undo", () => {
  it("sends what is unsaved before it asks the hub to undo", async () => {
    const { f, s } = await opened();
    s().edit("one", rename("A"), { typing: true, coalesce: "k" });
    await s().undo();
    expect(f.log).toEqual(["get", "save A", "undo"]);
    expect(name(s().topology)).toBe("Undone");
  });
  it("is not asked for while the hub cannot be reached", async () => {
    const { f, s } = await opened();
    f.fail = [down()];
    s().edit("one", rename("A"), { typing: true });
    await expect(s().undo()).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(f.log).toEqual(["get", "fail"]);
    expect(name(s().topology)).toBe("A");
    expect(s().busy).toBeUndefined();
  });
});

describe("undo that is shown before it is done", () => {
  /** A hub that really goes back, when it is let; `answer` decides what becomes of the step under way. */
  async function travelled() {
    const o = await opened(),
      asked: { ok: () => void; fail: (e: ApiError) => void }[] = [];
    const way = (head: string, topology: Topology) => () =>
      new Promise<Drawing>((ok, fail) =>
        asked.push({
          ok: () => {
            o.f.head = head;
            o.f.topology = topology;
            ok(whole(head, structuredClone(topology)));
          },
          fail,
        }),
      );
    o.s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    Object.assign(o.f.hub, { undo: way("v1", team()), redo: way("v2", team("A")) });
    const answer = (how: (a: (typeof asked)[number]) => void) => {
      const [a] = asked.splice(0, 1);
      expect(a).toBeDefined();
      if (a) how(a);
      return vi.advanceTimersByTimeAsync(0);
    };
    return { ...o, answer };
  }

  it("is there before the hub has answered, also on the way forth, and stays the same object", async () => {
    const { s, answer } = await travelled();
    for (const [go, shows] of [
      [s().undo, "Lead"],
      [s().redo, "A"],
      [s().undo, "Lead"],
    ] as const) {
      const done = go();
      await vi.advanceTimersByTimeAsync(0);
      expect([name(s().topology), s().busy !== undefined]).toEqual([shows, true]);
      const shown = s().topology;
      await answer((a) => a.ok());
      await done;
      expect(s().topology).toBe(shown);
      expect(s().busy).toBeUndefined();
    }
  });
  it("is taken back where the hub refuses", async () => {
    const { s, answer } = await travelled();
    const done = s().undo();
    done.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(name(s().topology)).toBe("Lead");
    await answer((a) => a.fail(down()));
    await expect(done).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(name(s().topology)).toBe("A");
  });
  it("holds what is drawn meanwhile until the hub has gone the step, and sends it on top of that", async () => {
    const { f, s, answer } = await travelled();
    const done = s().undo();
    await vi.advanceTimersByTimeAsync(0);
    s().edit("two", (t) => ({ ...t, agents: [...t.agents, { id: "new" }] }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(f.saves).toHaveLength(1);
    await answer((a) => a.ok());
    await done;
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves[1]).toMatchObject({ head: "v1", label: "two" });
    expect(f.saves[1]?.topology.agents.map((a) => a.name ?? a.id)).toEqual(["Lead", "new"]);
    expect(s().topology.agents).toHaveLength(2);
  });
  it("does not wait for the save of the step, and what is drawn meanwhile stands on what is shown", async () => {
    const { f, s } = await travelled();
    let saved = () => {};
    f.hold = new Promise((r) => {
      saved = r;
    });
    Object.assign(f.hub, {
      undo: () => {
        f.log.push("undo");
        return Promise.resolve(whole("v2", team("A")));
      },
    });
    s().edit("two", rename("B"));
    const done = s().undo();
    await vi.advanceTimersByTimeAsync(0);
    expect([name(s().topology), s().busy, f.saves.length]).toEqual(["A", "undo", 1]);
    s().edit("three", (t) => ({ ...t, agents: [...t.agents, { id: "new" }] }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(f.saves).toHaveLength(1);
    saved();
    await done;
    await vi.advanceTimersByTimeAsync(0);
    expect(f.log).toEqual(["get", "save A", "save B", "undo", "save A"]);
    expect(f.saves[2]).toMatchObject({ head: "v2", label: "three" });
    expect(s().topology.agents.map((a) => a.name ?? a.id)).toEqual(["A", "new"]);
  });
  it("comes back where the step cannot be saved, and the step is sent when it can be", async () => {
    const { f, s } = await travelled();
    f.fail = [down()];
    s().edit("two", rename("B"));
    const done = s().undo();
    done.catch(() => undefined);
    await expect(done).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(name(s().topology)).toBe("B");
    await vi.advanceTimersByTimeAsync(1000);
    expect(f.saves.map((x) => name(x.topology))).toEqual(["A", "B"]);
  });
  it("waits where the hub may join the step to the one before: then it leads elsewhere", async () => {
    const { f, s, answer } = await travelled();
    s().edit("typed", rename("B"), { coalesce: "k" });
    await vi.advanceTimersByTimeAsync(0);
    let saved = () => {};
    f.hold = new Promise((r) => {
      saved = r;
    });
    s().edit("typed", rename("Bo"), { coalesce: "k" });
    const done = s().undo();
    await vi.advanceTimersByTimeAsync(0);
    expect(name(s().topology)).toBe("Bo");
    saved();
    await vi.advanceTimersByTimeAsync(0);
    await answer((a) => a.ok());
    await done;
    expect(name(s().topology)).toBe("Lead");
  });
  it("shows what the hub says where another window went on", async () => {
    const { f, s } = await travelled();
    Object.assign(f.hub, { undo: () => Promise.resolve(whole("v9", team("Theirs"))) });
    await s().undo();
    expect(name(s().topology)).toBe("Theirs");
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
  it("sends a later edit after a refused one, which it holds too", async () => {
    const { f, s } = await opened();
    f.fail = [
      new ApiError({ code: "VALIDATION_ERROR", message: "no" }, 400),
      new ApiError({ code: "VALIDATION_ERROR", message: "no" }, 400),
    ];
    s().edit("one", rename("A"));
    await vi.advanceTimersByTimeAsync(0);
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves.map((x) => x.label)).toEqual(["two"]);
    expect(s().save.state).toBe("saved");
  });
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
  it("names the old head until it has taken the merge, so that nothing is overwritten", async () => {
    const { f, s } = await opened();
    f.merged = team("A", ["other"]);
    s().edit("one", rename("A"));
    s().edit("two", rename("B"));
    await vi.advanceTimersByTimeAsync(0);
    expect(f.saves.map((x) => x.head)).toEqual(["v1", "v1"]);
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

describe("opening", () => {
  it("says why a drawing cannot be shown", async () => {
    const f = fake();
    const store = createDrawing({
      ...f.hub,
      drawing: () => Promise.reject(new ApiError({ code: "NOT_FOUND", message: "no" }, 404)),
    });
    await store.getState().open("d");
    expect(store.getState().status).toBe("gone");
  });
  it("saves the last edit of one drawing before it opens the next", async () => {
    const { f, s } = await opened();
    s().edit("one", rename("A"), { typing: true });
    await s().open("e");
    expect(f.log).toEqual(["get", "save A", "get"]);
  });
});

describe("what the gateway permits", () => {
  const told = (rulesAt?: string, name = "g") => [{ name, rulesAt } as Gateway];
  it("is asked about anew when the gateway tells it anew, and only then", async () => {
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
