import { expect, it } from "vitest";
import { runsNowhere } from "./Unapplied";

it("CO-3 a team that isn't applied is said to get no task", () => {
  const drawn = [{ id: "agent-1" }, { id: "agent-2" }];
  expect(runsNowhere(drawn, [{ id: "writer" }])).toBe(true);
  expect(runsNowhere(drawn, [{ id: "agent-1" }])).toBe(false);
  expect(runsNowhere(drawn, [{ id: "writer" }, { id: "agent-1", gateway: "studio" }])).toBe(true);
  expect(runsNowhere(drawn, []), "who is applied isn't known, or nobody").toBe(false);
  expect(runsNowhere([], [{ id: "writer" }])).toBe(false);
});
