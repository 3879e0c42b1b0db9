import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ApiError } from "../api/error";
import type { Team, Topology } from "../topology";
import { down, name, opened, rename, team, whole } from "./teamTestHub";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("undo", () => {
  it("sends what is unsaved before it asks the hub to undo", async () => {
    const { f, s } = await opened();
    s().edit("one", rename("A"), { typing: true, coalesce: "k" });
    await s().undo();
    expect(f.log).toEqual(["get", "save A", "undo"]);
    expect(name(s().topology)).toBe("Undone");
  });
  it("is asked for once where it is pressed twice while the only step is on its way", async () => {
    const { f, s } = await opened(),
      undo = f.hub.undo;
    f.hub.undo = async (id) => ({ ...(await undo(id)), canUndo: false });
    s().edit("one", rename("A"), { typing: true, coalesce: "k" });
    await Promise.all([s().undo(), s().undo()]);
    expect(f.log).toEqual(["get", "save A", "undo"]);
    expect([name(s().topology), s().busy]).toEqual(["Undone", undefined]);
  });
  it("is not asked for where the only step turned out to change nothing", async () => {
    const { f, s } = await opened(),
      save = f.hub.saveTeam;
    f.hub.saveTeam = async (...sent) => {
      const r = await save(...sent);
      return { ...r, state: { ...r.state, canUndo: false } };
    };
    s().edit("one", rename("A"));
    await s().undo();
    expect(f.log).toEqual(["get", "save A"]);
    expect([name(s().topology), s().busy]).toEqual(["A", undefined]);
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
  /** A hub that really undoes, when released. `answer` decides how the step under way ends. */
  async function travelled() {
    const o = await opened(),
      asked: { ok: () => void; fail: (e: ApiError) => void }[] = [];
    const way = (head: string, topology: Topology) => () =>
      new Promise<Team>((ok, fail) =>
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
  it("is reverted if the hub rejects it", async () => {
    const { s, answer } = await travelled();
    const done = s().undo();
    done.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(name(s().topology)).toBe("Lead");
    await answer((a) => a.fail(down()));
    await expect(done).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(name(s().topology)).toBe("A");
  });
  it("holds edits made meanwhile until the hub has done the step, and sends them on top of it", async () => {
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
