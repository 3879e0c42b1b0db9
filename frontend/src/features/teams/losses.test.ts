import { expect, it } from "vitest";
import { groupLosses } from "./losses";

it("tells what a format cannot hold once for each field and kind", () => {
  const message = "",
    groups = groupLosses([
      { agent: "a", field: "role", reason: "no_place", message },
      { agent: "b", field: "role", reason: "no_place", message },
      { agent: "b", field: "role", reason: "secret", message },
      { agent: "a", target: "b", field: "connections", kind: "review", reason: "no_place", message },
      { agent: "a", target: "b", field: "connections", kind: "command", reason: "no_place", message },
      { field: "layout", reason: "no_place", message },
    ]);
  expect(groups.map((g) => [g.reason, g.field, g.kind, g.who.length])).toEqual([
    ["no_place", "role", undefined, 2],
    ["secret", "role", undefined, 1],
    ["no_place", "connections", "review", 1],
    ["no_place", "connections", "command", 1],
    ["no_place", "layout", undefined, 0],
  ]);
});
