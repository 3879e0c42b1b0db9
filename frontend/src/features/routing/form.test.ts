import { expect, it } from "vitest";
import { putBinding, rebind, removeChosen, nothing, swapBindings, type Topology } from "../../topology";
import { bindingOf, fromOf, lacks, nowhere } from "./form";

const odd = { type: "acp", agentId: "a", match: { channel: "x" } };
const team: Topology = {
  agents: [{ id: "a" }, { id: "b" }],
  bindings: [{ agentId: "b", match: { channel: "x" } }, odd, "odd", null],
};

it("OC-3 bindings go with their agent, follow its ID, and the others stay as they are", () => {
  expect(removeChosen(team, { ...nothing, agents: ["b"] }).bindings).toEqual([odd, "odd", null]);
  expect(rebind(team, "a", "c").bindings?.[1]).toEqual({ ...odd, agentId: "c" });
  expect(rebind(team, "z", "c")).toBe(team);
  expect(swapBindings(team, 0, 2).bindings?.[0]).toBe("odd");
  expect(putBinding({ agents: [], bindings: [1] }, 0, undefined).bindings).toBeUndefined();
});

it("OC-3 an edited binding keeps what the form doesn't know", () => {
  const was = { agentId: "a", comment: "c", session: { dmScope: "main" }, match: { channel: "x", later: 1 } };
  expect(bindingOf("b", { ...nowhere, channel: "y", account: "*", kind: "group", peer: " 7 " }, was)).toEqual({
    ...was,
    agentId: "b",
    match: { channel: "y", later: 1, accountId: "*", peer: { kind: "group", id: "7" } },
  });
  expect(bindingOf("b", { ...nowhere, channel: "discord", guild: "1", roles: "r1, r2" })).toEqual({
    agentId: "b",
    match: { channel: "discord", guildId: "1", roles: ["r1", "r2"] },
  });
  const plain = { agentId: "a", match: { channel: "x" } };
  expect(bindingOf("a", { ...nowhere, channel: "x", account: "default" }, plain)).toEqual(plain);
  expect([lacks("", nowhere), lacks("a", nowhere), lacks("a", { ...nowhere, channel: "x", kind: "direct" })]).toEqual([
    "agent",
    "channel",
    "peer",
  ]);
  expect(fromOf({ ...nowhere, channel: " x ", kind: "direct" })).toEqual({ channel: "x" });
});
