import { expect, it } from "vitest";
import type { Topology } from "@/topology";
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
