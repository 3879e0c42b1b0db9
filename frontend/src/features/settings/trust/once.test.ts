import { expect, it } from "vitest";
import type { TrustTeam } from "@/topology";
import { once } from "./once";

it("TR-1 an agent is listed for the applied team and not again for the saved team that it came from", () => {
  const team = (id: string, from?: string) =>
    ({ team: id, name: id, from, agents: [{ agent: "far", hash: "h" }], former: [] }) as unknown as TrustTeam;
  const listed = (...teams: TrustTeam[]) => once(teams).map((t) => t.team);
  expect(listed(team("local", "one"), team("one"), team("two"))).toEqual(["local", "two"]);
  expect(listed(team("local"), team("one"))).toEqual(["local", "one"]);
  expect(listed(team("one"))).toEqual(["one"]);
});
