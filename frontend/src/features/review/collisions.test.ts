import { expect, it } from "vitest";
import type { Collision } from "@/topology";
import { standsYet } from "./collisions";

it("APP-5 a collision is shown as long as the other window's value is the current one", () => {
  const c = { subject: "agent", agent: "dev", field: "role", mine: "Later", theirs: "Earlier" } as Collision;
  const team = (role?: string) => ({ agents: [{ id: "dev", role }] });
  expect(standsYet(team("Later"), c)).toBe(true);
  expect(standsYet(team("Third"), c)).toBe(false);
  expect(standsYet({ agents: [] }, c)).toBe(false);
  expect(standsYet(team(), { ...c, mine: "" })).toBe(true); // cleared there
  expect(standsYet({ agents: [], name: "A" }, { subject: "team", field: "name", mine: "B" } as Collision)).toBe(false);
  expect(standsYet(team("x"), { subject: "connection", agent: "dev", mine: { a: 1 } } as Collision)).toBe(true);
});
