import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addAgent, connect, nothing, removeChosen, updateAgents, type Topology } from "../topology";
import { down, name, opened, rename, team, whole } from "./teamTestHub";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(1_000);
const ids = (t: Topology) => t.agents.map((a) => a.id);
const add =
  (id: string, x = 0) =>
  (t: Topology) =>
    addAgent(t, { id }, { x, y: 0 });
const far = 2e7;

/** A hub that refuses an agent that is too far away, as the real one does. */
async function refusing() {
  const o = await opened(),
    versions = new Map<string, Topology>([["v1", team()]]);
  o.f.refuses = (t) =>
    Object.values(t.layout ?? {}).some((p) => p.x > 1e7)
      ? "too far"
      : t.agents.some((a) => (a.name ?? "").length > 20)
        ? "too long"
        : undefined;
  const save = o.f.hub.saveTeam;
  o.f.hub.saveTeam = async (...sent) => {
    const r = await save(...sent);
    versions.set(r.state.head, o.f.topology);
    return r;
  };
  const back = (way: string) => () => {
    o.f.log.push(way);
    const known = [...versions.keys()],
      at = known.indexOf(o.f.head) + (way === "undo" ? -1 : 1);
    o.f.head = known[at] ?? o.f.head;
    o.f.topology = versions.get(o.f.head) ?? team();
    return Promise.resolve({
      ...whole(o.f.head, structuredClone(o.f.topology)),
      canUndo: at > 0,
      canRedo: at < known.length - 1,
    });
  };
  Object.assign(o.f.hub, { undo: back("undo"), redo: back("redo") });
  return o;
}

it("keeps a refused edit to itself: later ones are saved without it, and it stays shown", async () => {
  const { f, s } = await refusing();
  s().edit("edit.paste|1", add("bad", far));
  await settle();
  expect(s().save).toMatchObject({ state: "refused", error: { message: "too far" }, label: "edit.paste|1" });
  s().edit("edit.paste|1", add("good"));
  await settle();
  expect(ids(f.topology)).toEqual(["lead", "good"]);
  expect(ids(s().topology)).toEqual(["lead", "bad", "good"]);
  expect(s().save).toMatchObject({ state: "refused", error: { message: "too far" } });
});

it("takes back only the refused edit, keeps those after it, and undo and redo go on from them", async () => {
  const { f, s } = await refusing();
  s().edit("bad", add("bad", far));
  s().edit("good", add("good"));
  await settle();
  expect(await s().takeBack()).toEqual([]);
  expect([ids(s().topology), s().save.state]).toEqual([["lead", "good"], "saved"]);
  await s().undo();
  expect(ids(s().topology)).toEqual(["lead"]);
  await s().redo();
  expect([ids(s().topology), ids(f.topology)]).toEqual([
    ["lead", "good"],
    ["lead", "good"],
  ]);
});

it("undo takes the refused edit back without asking the hub, also before the hub has refused it", async () => {
  const { f, s } = await refusing();
  s().edit("bad", add("bad", far));
  await settle();
  await s().undo();
  expect([ids(s().topology), s().save.state]).toEqual([["lead"], "saved"]);
  s().edit("bad", add("bad", far));
  await s().undo();
  expect([ids(s().topology), s().save.state]).toEqual([["lead"], "saved"]);
  expect(f.log).not.toContain("undo");
  s().edit("good", add("good"));
  await settle();
  expect(f.saves.at(-1)).toMatchObject({ head: "v1", label: "good" });
  await s().undo();
  expect(ids(s().topology)).toEqual(["lead"]);
});

it("says which later edits depend on the one that is taken back, and keeps the others", async () => {
  const { f, s } = await refusing();
  s().edit("bad", add("bad", far));
  await settle();
  s().edit("edit.name|Bad", (t) => updateAgents(t, ["bad"], { name: "Bad" }));
  await settle();
  s().edit("edit.connect", (t) => connect(t, { from: "lead", kind: "command", to: "bad" }));
  await settle();
  s().edit("edit.role", (t) => updateAgents(t, ["lead"], { role: "Boss" }));
  await settle();
  expect(f.topology.agents).toEqual([{ id: "lead", name: "Lead", role: "Boss" }]);
  expect(await s().takeBack()).toEqual(["edit.name|Bad", "edit.connect"]);
  expect(s().topology.agents).toEqual([{ id: "lead", name: "Lead", role: "Boss" }]);
  expect(s().save.state).toBe("saved");
});

it("undo takes edits that depend on a refused one back one by one", async () => {
  const { s } = await refusing();
  s().edit("bad", add("bad", far));
  await settle();
  s().edit("edit.name|Bad", (t) => updateAgents(t, ["bad"], { name: "Bad" }));
  await settle();
  await s().undo();
  expect(s().topology.agents[1]).toEqual({ id: "bad" });
  expect(s().save).toMatchObject({ state: "refused", label: "bad" });
  await s().undo();
  expect([ids(s().topology), s().save.state]).toEqual([["lead"], "saved"]);
});

it("saves all of it once an edit has mended what was refused", async () => {
  const { f, s } = await refusing();
  for (const n of [19, 25, 30]) {
    s().edit("edit.name", rename("x".repeat(n)), { typing: true, coalesce: "name" });
    await settle();
  }
  expect(s().save).toMatchObject({ state: "refused", error: { message: "too long" } });
  expect(name(f.topology)).toHaveLength(19);
  s().edit("edit.name", rename("short"), { typing: true, coalesce: "name" });
  await settle();
  expect([name(f.topology), name(s().topology), s().save.state]).toEqual(["short", "short", "saved"]);
  s().edit("bad", add("bad", far));
  await settle();
  s().edit("edit.delete", (t) => removeChosen(t, { ...nothing, agents: ["bad"] }));
  await settle();
  expect([ids(s().topology), s().save.state]).toEqual([["lead"], "saved"]);
});

it("takes two refused edits back one after the other, the later one first", async () => {
  const { s } = await refusing();
  s().edit("far", add("bad", far));
  await settle();
  s().edit("long", rename("x".repeat(30)));
  await settle();
  expect(s().save).toMatchObject({ state: "refused", error: { message: "too long" }, label: "long" });
  await s().takeBack();
  expect([name(s().topology), ids(s().topology)]).toEqual(["Lead", ["lead", "bad"]]);
  expect(s().save).toMatchObject({ state: "refused", error: { message: "too far" }, label: "far" });
  await s().takeBack();
  expect([ids(s().topology), s().save.state]).toEqual([["lead"], "saved"]);
});

it("keeps a refused edit on top of what another window saves", async () => {
  const { f, s } = await refusing();
  s().edit("bad", add("bad", far));
  await settle();
  f.head = "v9";
  f.topology = team("Theirs");
  await s().reload();
  expect([name(s().topology), ids(s().topology)]).toEqual(["Theirs", ["lead", "bad"]]);
  s().edit("good", add("good"));
  await settle();
  expect(f.saves.at(-1)).toMatchObject({ head: "v9", label: "good", topology: { agents: [{ name: "Theirs" }, {}] } });
});

it("asks again about what was refused for another reason than the edit itself", async () => {
  const { f, s } = await refusing();
  f.fail = [down(), down()].map((e) => Object.assign(e, { code: "INTERNAL", status: 500 }));
  s().edit("one", rename("A"));
  s().edit("two", add("good"));
  await settle();
  expect(s().save.state).toBe("refused");
  expect(await s().flush()).toBe(true);
  expect([name(f.topology), ids(f.topology), s().save.state]).toEqual(["A", ["lead", "good"], "saved"]);
});

it("does not send an invalid edit again and again", async () => {
  const { f, s } = await refusing();
  s().edit("bad", add("bad", far));
  await settle();
  const asked = f.log.length;
  expect(await s().flush()).toBe(false);
  expect(f.log).toHaveLength(asked);
});
