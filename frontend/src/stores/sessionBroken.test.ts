import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "../api/scriptedHub";
import { keepRead, useDesk } from "./desk";
import { agent, clock, key, settled, talking, user } from "./sessionTestHub";

describe("an answer that breaks off with the connection to the gateway", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(new Date("2026-11-21T09:00:00Z"));
    useDesk.setState({ places: {} });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const broken = (s: Awaited<ReturnType<typeof talking>>) => s.chat().broken?.map((b) => [b.text, b.sure]);

  it("GW-9: after a restart, half an answer stays, and its question is named if the gateway lacks it", async () => {
    let s = await talking();
    s.view.send(key, "Count to a thousand");
    await settled();
    s.frame({ state: "delta", runId: "run-1", text: "One, two, " });
    await settled();
    s.frame({ state: "resync" });
    await settled();
    expect(s.chat().run).toBeUndefined();
    expect(broken(s)).toEqual([["One, two, ", undefined]]); // it can still go on
    await settled(15_000);
    expect(broken(s)).toEqual([["One, two, ", true]]);
    expect(s.unkept()).toEqual([["Count to a thousand", true]]);
    s.leave();
    s = await talking({ history: [user("Something else", clock()), agent("Fine.", clock())] });
    expect([broken(s), s.unkept()]).toEqual([[["One, two, ", true]], [["Count to a thousand", true]]]);
    s.post = () => ({ runId: "run-2" });
    s.view.retry(key, s.chat().sent[0]!.key);
    await settled();
    expect([broken(s), s.unkept()]).toEqual([[], [["Count to a thousand", undefined]]]);
    s.leave();
    s = await talking({ history: [user("Count to a thousand", clock())] });
    expect([s.chat().broken, s.unkept()]).toEqual([[], []]);
    s.leave();
  });

  it("GW-9: an answer that goes on after the link was lost, or that the history has, did not break off", async () => {
    const s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.history = [user("Count to ten", clock())];
    s.frame({ state: "delta", runId: "run-1", text: "One, two, " });
    await settled();
    s.frame({ state: "resync" });
    await settled();
    expect(broken(s)).toEqual([["One, two, ", undefined]]);
    s.frame({ state: "delta", runId: "run-1", text: "One, two, three, " });
    await settled(15_000);
    expect(s.chat().run).toMatchObject({ runId: "run-1", text: "One, two, three, " });
    expect(broken(s)).toEqual([]);
    s.frame({ state: "resync" });
    await settled(15_000);
    expect(broken(s)).toEqual([["One, two, three, ", true]]);
    s.history = [...s.history, agent("One, two, three, four.", clock())];
    s.frame({ state: "resync" });
    await settled();
    expect(broken(s)).toEqual([]);
    s.leave();
  });

  it("GW-9: after a restart, another window's question is shown, and half an answer can be removed", async () => {
    const s = await talking(),
      o = { key: "page-other", text: "From elsewhere", at: clock(), had: [], runId: "run-7" };
    s.frame({ state: "delta", runId: "run-7", text: "Half" });
    keepRead("room:main", "1"); // what the tests before have kept goes to the hub
    await settled(1_000);
    s.hub.routes["GET /api/desk"] = () => ({
      person: "Mika",
      places: [{ conversation: `begun:sent local/${key}`, draft: JSON.stringify([o]) }],
    });
    s.frame({ state: "resync" });
    await settled(15_000);
    expect(s.unkept()).toEqual([["From elsewhere", true]]);
    expect(broken(s)).toEqual([["Half", true]]);
    s.view.forget(key, "run-7");
    expect(broken(s)).toEqual([]);
    s.leave();
  });

  it("GW-9: a restart that the page missed because the hub was away breaks an answer off, too", async () => {
    const s = await talking();
    s.frame({ state: "delta", runId: "run-9", text: "Somebody else's" });
    await settled();
    FakeSocket.made[0]!.end();
    await settled(1_000);
    FakeSocket.made[1]!.open();
    await settled(120_000);
    expect(s.chat().run).toBeUndefined();
    expect(broken(s)).toEqual([["Somebody else's", true]]);
    s.leave();
  });

  it("GW-9: a message that was lost while another screen was shown is named", async () => {
    const s = await talking();
    s.view.send(key, "Wait for me");
    await settled();
    s.close();
    s.leave();
    const leave = s.view.start();
    s.view.open(key);
    await settled(200_000);
    expect(s.unkept()).toEqual([["Wait for me", true]]);
    leave();
  });
});
