import { expect, it } from "vitest";
import { addAgent, connect, moveItems, removeChosen, nothing, replay, updateAgents, type Topology } from ".";

const clean: Topology = { agents: [{ id: "lead", name: "Lead" }, { id: "dev" }] };
const shown = addAgent(clean, { id: "bad", name: "Bad" }, { x: 2e7, y: 0 });
const again = (edit: (t: Topology) => Topology) => replay(shown, edit(shown), clean);

it("makes an edit again without one before it, and says nothing of the other", () => {
  const { topology, touched, lost } = again((t) => addAgent(t, { id: "good" }, { x: 1, y: 2 }));
  expect(topology).toEqual({ agents: [...clean.agents, { id: "good" }], layout: { good: { x: 1, y: 2 } } });
  expect([touched, lost]).toEqual([false, false]);
  expect(again((t) => updateAgents(t, ["lead"], { name: "Boss" })).topology).toEqual({
    agents: [{ id: "lead", name: "Boss" }, { id: "dev" }],
  });
});

it.each<[string, (t: Topology) => Topology]>([
  ["changes it", (t) => updateAgents(t, ["bad"], { name: "Worse" })],
  ["moves it", (t) => moveItems(t, { agents: { bad: { x: 0, y: 0 } } })],
  ["connects it", (t) => connect(t, { from: "lead", kind: "command", to: "bad" })],
  ["puts it into a group", (t) => ({ ...t, groups: [{ id: "g", members: ["bad", "dev"] }] })],
  [
    "adds what leads to it",
    (t) => addAgent(t, { id: "x", connections: [{ targetId: "bad", type: "command" }] }, { x: 0, y: 0 }),
  ],
])("says what of an edit is lost where it %s, and leaves nothing that leads nowhere", (_, edit) => {
  const r = again(edit);
  expect(r).toMatchObject({ touched: true, lost: true });
  expect(JSON.stringify(r.topology)).not.toContain('"bad"');
});

it("knows an edit that takes away what isn't there", () => {
  const r = again((t) => removeChosen(t, { ...nothing, agents: ["bad"] }));
  expect(r).toMatchObject({ topology: { agents: clean.agents }, touched: true, lost: false });
});

it("does not overwrite another value, and keeps what stands beside it", () => {
  const long = updateAgents(clean, ["lead"], { name: "long" });
  const both = updateAgents(long, ["lead"], { name: "longer", role: "Boss" });
  expect(replay(long, both, clean)).toMatchObject({
    topology: { agents: [{ id: "lead", name: "Lead", role: "Boss" }, { id: "dev" }] },
    lost: true,
  });
});

it("keeps the order of the team, or the one that the edit gave it", () => {
  const more: Topology = { agents: [{ id: "a" }, { id: "b" }, { id: "new" }, { id: "c" }] },
    on: Topology = { agents: [{ id: "a" }, { id: "b" }, { id: "there" }, { id: "c" }] },
    was: Topology = { agents: [{ id: "a" }, { id: "b" }, { id: "c" }] };
  const ids = (t: Topology) => t.agents.map((x) => x.id).join("");
  expect(ids(replay(was, more, on).topology)).toBe("abnewtherec");
  const turned: Topology = { agents: [{ id: "c" }, { id: "b" }, { id: "a" }] };
  expect(ids(replay(was, turned, on).topology)).toBe("cbtherea");
});
