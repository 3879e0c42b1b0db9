import { expect, it } from "vitest";
import type { Collision } from "@/topology";
import { deletedElsewhere, isGone, standsYet, takingBack } from "./collisions";

const role = { subject: "agent", agent: "dev", field: "role", mine: "Later", theirs: "Earlier" } as Collision;
const team = (of?: string) => ({ agents: [{ id: "dev", role: of }] });

it("APP-5 a collision is shown as long as the other window's value is the current one", () => {
  const current = standsYet(role)!;
  expect(current(team("Later"))).toBe(true);
  expect(current(team("Third"))).toBe(false);
  expect(current({ agents: [] })).toBe(false);
  expect(standsYet({ ...role, mine: "" })!(team())).toBe(true); // cleared there
  expect(standsYet({ subject: "team", field: "name", mine: "B" } as Collision)!({ agents: [], name: "A" })).toBe(false);
  expect(standsYet({ subject: "agent", agent: "dev", mine: { id: "dev" } } as Collision)).toBeUndefined();
});

it("APP-5 one's own value is taken back, also the label of a connection", () => {
  expect(takingBack(role)!(team("Later")).agents[0]!.role).toBe("Earlier");
  const label = {
    subject: "connection",
    agent: "a",
    kind: "command",
    target: "b",
    field: "label",
    mine: "x",
    theirs: "y",
  } as Collision;
  const t = {
    agents: [{ id: "a", connections: [{ targetId: "b", type: "command" as const, label: "x" }] }, { id: "b" }],
  };
  expect(standsYet(label)!(t)).toBe(true);
  expect(takingBack(label)!(t).agents[0]!.connections![0]!.label).toBe("y");
  expect(takingBack({ subject: "agent", agent: "dev" } as Collision)).toBeUndefined();
});

it("APP-5 an agent that another window deleted is distinguished from one that was changed", () => {
  const whole = { subject: "agent", agent: "dev", theirs: { id: "dev" } } as Collision;
  expect(isGone(whole)).toBe(true);
  expect(isGone({ ...whole, mine: { id: "dev" } })).toBe(false);
  expect(isGone({ ...whole, field: "role" })).toBe(false);
});

it("APP-5 a notice says that another window deleted the only chosen agent", () => {
  const has = { ...team("R"), name: "T" };
  const was = { id: "t", status: "ready" as const, updatedAt: "1", topology: has, collisions: [] };
  const now = { ...was, updatedAt: "2", topology: { name: "T", agents: [] } };
  expect(deletedElsewhere(now, was, ["dev"])?.id).toBe("dev");
  expect(deletedElsewhere(now, was, ["dev", "qa"])).toBeUndefined();
  expect(deletedElsewhere({ ...now, updatedAt: "1" }, was, ["dev"])).toBeUndefined(); // an edit here
  expect(deletedElsewhere({ ...now, busy: "undo" }, was, ["dev"])).toBeUndefined();
  const collisions = [{ subject: "agent", agent: "dev", theirs: { id: "dev" } } as Collision];
  expect(deletedElsewhere({ ...now, collisions }, was, ["dev"])).toBeUndefined();
});
