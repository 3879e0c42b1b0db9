import { expect, it } from "vitest";
import type { Collision } from "@/topology";
import { standsYet, takingBack } from "./collisions";

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
