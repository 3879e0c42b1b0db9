import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, FakeSocket, later } from "../api/scriptedHub";
import { useDesk } from "./desk";
import { agent, clock, key, settled, talking, user } from "./sessionTestHub";

describe("a session with an agent", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(new Date("2026-11-21T09:00:00Z"));
    useDesk.setState({ places: {} });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("APP-4: the same words said twice within a minute are two messages; the second is not lost where the gateway does not take it", async () => {
    const s = await talking();
    s.view.send(key, "yes");
    await settled();
    s.history = [user("yes", clock())];
    await settled(5_000);
    const held = later<object>();
    s.post = () => held.promise;
    s.view.send(key, "yes");
    s.history = [...s.history, agent("Fine.", clock())];
    s.frame({ state: "final", runId: "run-1", text: "Fine." });
    await settled();
    expect(s.chat().messages).toHaveLength(2);
    expect(s.chat().sent.map((o) => o.text)).toEqual(["yes"]);
    held.reject(new Answer(502, "UNAVAILABLE"));
    await settled();
    expect(s.chat().sent.map((o) => [o.text, o.error?.code])).toEqual([["yes", "UNAVAILABLE"]]);
    s.leave();
  });

  it("APP-4: the second of two equal messages stays in view until the history shows it, too", async () => {
    const s = await talking();
    s.view.send(key, "yes");
    await settled();
    s.history = [user("yes", clock()), agent("Fine.", clock())];
    s.frame({ state: "final", runId: "run-1", text: "Fine." });
    await settled(1_000);
    s.post = () => ({ runId: "run-2" });
    s.view.send(key, "yes");
    await settled();
    s.frame({ state: "delta", runId: "run-9", text: "somebody else asked" }); // the history is read
    await settled();
    expect(s.chat().sent).toHaveLength(1);
    s.history = [...s.history, user("yes", clock())];
    s.frame({ state: "final", runId: "run-2", text: "Again." });
    await settled();
    expect([s.chat().sent.length, s.chat().messages.length]).toEqual([0, 3]);
    s.leave();
  });

  it("APP-4: a message that the gateway has queued stays in view, although its run ended without a word", async () => {
    const s = await talking();
    s.view.send(key, "two");
    await settled();
    s.frame({ state: "final", runId: "run-1" });
    await settled(1_000);
    expect(s.chat().run).toBeUndefined();
    expect(s.unkept()).toEqual([["two", undefined]]);
    await settled(30_000);
    expect(s.unkept()).toEqual([["two", undefined]]);
    s.history = [user("two", clock())];
    s.frame({ state: "error", runId: "run-7", error: "Connection error." });
    await settled();
    expect([s.chat().sent.length, s.chat().messages.length]).toEqual([0, 1]);
    s.leave();
  });

  it("APP-4: a message that a gateway answers and doesn't keep, such as a command, isn't waited for", async () => {
    const s = await talking();
    s.view.send(key, "/status");
    await settled();
    s.frame({ state: "final", runId: "run-1", text: "All is well." });
    await settled();
    expect(s.chat().sent).toEqual([]);
    s.leave();
  });

  it("GW-9: what an answer begins with is shown, though it comes before the hub has said that it took the message", async () => {
    const s = await talking(),
      held = later<object>();
    s.post = () => held.promise;
    s.view.send(key, "go on");
    await settled();
    s.frame({ state: "delta", runId: "run-1", text: "Half of it, " });
    await settled();
    held.resolve({ runId: "run-1" });
    await settled();
    expect(s.chat().run).toMatchObject({ runId: "run-1", text: "Half of it, " });
    s.leave();
  });

  it("GW-9: an answer that is over before the hub has said that it took the message is not waited for", async () => {
    const s = await talking(),
      held = later<object>();
    s.post = () => held.promise;
    s.view.send(key, "quick");
    await settled();
    s.history = [user("quick", clock()), agent("Done.", clock())];
    s.frame({ state: "final", runId: "run-1", text: "Done." });
    await settled();
    held.resolve({ runId: "run-1" });
    await settled();
    expect(s.chat().run).toBeUndefined();
    expect([s.chat().sent.length, s.chat().messages.length]).toEqual([0, 2]);
    s.leave();
  });

  it("APP-4: a message whose answer is stopped before the gateway saved anything stays, and can be sent again", async () => {
    const s = await talking();
    s.view.send(key, "First of all");
    await settled();
    s.frame({ state: "aborted", runId: "run-1" });
    await settled();
    expect(s.chat().run).toBeUndefined();
    expect(s.unkept()).toEqual([["First of all", undefined]]); // the gateway can write it down a moment later
    await settled(10_000);
    expect(s.unkept()).toEqual([["First of all", true]]);
    expect(s.chat().ended).toMatchObject({ state: "aborted", part: "none" });
    const had = s.chat().sent[0]!.key;
    s.post = () => ({ runId: "run-2" });
    s.view.retry(key, had);
    await settled();
    expect(s.chat().sent).toMatchObject([{ text: "First of all", runId: "run-2", unkept: undefined }]);
    expect(s.chat().sent[0]!.key).not.toBe(had);
    s.history = [user("[Sat 09:00] First of all", clock()), agent("I begin", clock())];
    s.frame({ state: "aborted", runId: "run-2", text: "I begin" });
    await settled();
    expect(s.chat().sent).toEqual([]);
    expect(s.chat().ended).toMatchObject({ part: "kept" });
    s.leave();
  });

  it("APP-4: a message that the gateway shows only once it's back doesn't stand there twice", async () => {
    const s = await talking();
    s.view.send(key, "First of all");
    await settled();
    s.frame({ state: "aborted", runId: "run-1" });
    await settled(10_000);
    expect(s.unkept()).toEqual([["First of all", true]]);
    s.history = [user("[Sat 09:00] First of all", clock())];
    s.frame({ state: "resync" });
    await settled();
    expect([s.chat().sent.length, s.chat().messages.length]).toEqual([0, 1]);
    s.leave();
  });

  it("GW-9: a message that the gateway dropped with the answer before it is named", async () => {
    const s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.history = [user("Count to ten", clock())];
    s.frame({ state: "delta", runId: "run-1", text: "One, " });
    await settled();
    s.post = () => ({ runId: "run-2" });
    s.view.send(key, "And then to twenty");
    await settled();
    s.history = [...s.history, agent("One, ", clock())];
    s.frame({ state: "aborted", runId: "run-1", text: "One, " });
    await settled(1_000);
    expect(s.unkept()).toEqual([["And then to twenty", undefined]]); // it can still be answered
    s.post = () => ({ runId: "run-3" });
    s.view.send(key, "Later");
    await settled(10_000);
    s.history = [...s.history, user("Later", clock()), agent("Fine.", clock())];
    s.frame({ state: "final", runId: "run-3", text: "Fine." });
    await settled(10_000);
    expect(s.unkept()).toEqual([["And then to twenty", true]]);
    s.leave();
  });

  it("GW-9: a stopped message that the gateway writes down a moment later is never called lost", async () => {
    const s = await talking();
    s.view.send(key, "First of all");
    await settled();
    s.frame({ state: "aborted", runId: "run-1" });
    await settled();
    s.history = [user("[Sat 09:00] First of all", clock())];
    await settled(4_000);
    expect([s.unkept(), s.chat().messages.length]).toEqual([[], 1]);
    s.leave();
  });

  it("GW-9: a message that is answered after a stop isn't called lost", async () => {
    const s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.history = [user("Count to ten", clock())];
    s.post = () => ({ runId: "run-2" });
    s.view.send(key, "And then to twenty");
    await settled();
    s.frame({ state: "aborted", runId: "run-1" });
    await settled();
    s.frame({ state: "delta", runId: "run-2", text: "Eleven, " });
    await settled(20_000);
    expect(s.unkept()).toEqual([["And then to twenty", undefined]]);
    s.history = [...s.history, user("And then to twenty", clock()), agent("Eleven, twelve", clock())];
    s.frame({ state: "final", runId: "run-2", text: "Eleven, twelve" });
    await settled(20_000);
    expect(s.chat().sent).toEqual([]);
    s.leave();
  });

  it("GW-9: a message that waits behind an answer outlives a reload, and is named if the answer stops", async () => {
    let s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.history = [user("Count to ten", clock())];
    s.frame({ state: "delta", runId: "run-1", text: "One, " });
    s.post = () => ({ runId: "run-2" });
    s.view.send(key, "And then to twenty");
    await settled();
    s.leave();
    s = await talking({ history: s.history });
    expect(s.unkept()).toEqual([["And then to twenty", undefined]]);
    s.running = true;
    await settled(4_000);
    s.frame({ state: "delta", runId: "run-1", text: "One, two, " });
    await settled(120_000);
    expect(s.unkept()).toEqual([["And then to twenty", undefined]]);
    s.running = false;
    s.frame({ state: "aborted", runId: "run-1", text: "One, two, " });
    await settled(10_000);
    expect(s.unkept()).toEqual([["And then to twenty", true]]);
    s.leave();
    s = await talking({ history: s.history });
    expect(s.unkept()).toEqual([["And then to twenty", true]]);
    s.view.discard(key, s.chat().sent[0]!.key);
    s.leave();
    s = await talking({ history: s.history });
    expect(s.unkept()).toEqual([]);
    s.leave();
  });

  it("GW-9: while the gateway doesn't answer, nobody knows what it has saved", async () => {
    let s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.leave();
    s = await talking({ away: true });
    await settled(200_000);
    expect(s.unkept()).toEqual([["Count to ten", undefined]]);
    s.away = false;
    await settled(70_000);
    expect(s.unkept()).toEqual([["Count to ten", true]]);
    s.leave();
  });

  it("GW-9: a message lost while the page was away is named, and none is there twice", async () => {
    let s = await talking();
    s.view.send(key, "Count to ten");
    await settled();
    s.post = () => new Promise(() => {});
    s.view.send(key, "Never taken");
    await settled();
    s.leave();
    s = await talking({ history: [user("[Sat 09:00] Count to ten", clock()), agent("One", clock())] });
    expect(s.unkept()).toEqual([["Never taken", true]]);
    s.leave();
  });

  it("GW-9: what isn't in the history yet is there again after another screen", async () => {
    const s = await talking();
    s.view.send(key, "Wait for me");
    await settled();
    s.close();
    s.leave();
    const leave = s.view.start();
    s.view.open(key);
    await settled();
    expect(s.chat()).toMatchObject({ status: "ready", sent: [{ text: "Wait for me", runId: "run-1" }] });
    leave();
  });

  it("fault B14 a closed session is no longer read, and is read again when it is reopened", async () => {
    const s = await talking();
    const reads = () => s.hub.of("/api/gateway/chat/history").length,
      other = "agent:web:main";
    const close = s.view.open(other);
    await settled();
    expect(reads()).toBe(2);
    close();
    FakeSocket.made[0]!.end();
    await settled(1_000);
    FakeSocket.made[1]!.open();
    await settled();
    expect(reads()).toBe(3); // the one that is open
    s.history = [user("news", clock())];
    s.view.open(other);
    await settled();
    expect(s.view.use.getState().chats[other]!.messages).toHaveLength(1);
    s.leave();
  });

  it("fault B14 a gateway that tells nothing is asked less and less often", async () => {
    const s = await talking();
    s.view.send(key, "anybody?");
    await settled();
    const reads = () => s.hub.of("/api/gateway/chat/history").length,
      before = reads();
    await settled(600_000);
    expect(reads() - before).toBeLessThan(20);
    expect(reads() - before).toBeGreaterThan(8);
    s.leave();
  });
});
