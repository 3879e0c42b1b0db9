import { expect, it } from "vitest";
import type { TeamSummary, Topology } from "@/topology";
import { otherTeams } from "./otherTeams";
import { usersOf, withRenamed } from "./rename";

it("CH-6 the models of a provider get its new name, and no others do", () => {
  const t = {
    agents: [
      { id: "a", model: "home/small", fallbacks: ["home/large", "cloud/x"] },
      { id: "b", model: "homely/x" },
      { id: "c", fallbacks: ["home/y"] },
      { id: "d" },
    ],
  } as unknown as Topology;
  expect(usersOf(t.agents, "home").map((a) => a.id)).toEqual(["a", "c"]);
  const now = withRenamed(t, "home", "house").agents;
  expect(now[0]).toMatchObject({ model: "house/small", fallbacks: ["house/large", "cloud/x"] });
  expect(now[2]).toEqual({ id: "c", fallbacks: ["house/y"] });
  expect([now[1], now[3]]).toEqual([t.agents[1], t.agents[3]]);
});

it("CH-6 another team on this computer that names a provider's models is found", () => {
  const team = (id: string, gateway: string, ...models: string[]) => ({ id, name: id, gateway, models }) as TeamSummary;
  const teams = [
    team("open", "local", "home/x"),
    team("shop", "local", "cloud/x", "home/y"),
    team("away", "studio", "home/x"),
    team("rest", "local", "homely/x"),
  ];
  const found = (provider: string) =>
    otherTeams(
      teams,
      "open",
      (g) => g === "local",
      (m) => m.startsWith(`${provider}/`),
    );
  expect([found("home"), found("cloud"), found("none")]).toEqual([["shop"], ["shop"], []]);
});
