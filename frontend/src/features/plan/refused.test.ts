import { expect, it } from "vitest";
import type { PlanProgress } from "@/topology";
import { statusRefusal } from "./refused";

it("ME-9 a status that can't be set has a reason, one that can has none", () => {
  const free = { still: false },
    run = { still: false, progress: {} as PlanProgress };
  expect(statusRefusal({ standing: "todo" }, "held", free)).toBeUndefined();
  expect(statusRefusal({ standing: "failed" }, "todo", free)).toBe("failed");
  expect(statusRefusal({ standing: "failed" }, undefined, run)).toBe("failed");
  expect(statusRefusal({ standing: "done" }, undefined, free)).toBe("end");
  expect(statusRefusal({ standing: "done" }, "held", run)).toBe("run");
  expect(statusRefusal({ standing: "running" }, "todo", free)).toBe("run");
  expect(statusRefusal({ standing: "todo" }, "held", { still: true })).toBe("still");
});
