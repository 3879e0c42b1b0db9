import { expect, it } from "vitest";
import type { PlanOrder } from "@/topology";
import { draftOf, withoutPlace } from "./order";

it("ME-7 a plan that wasn't run yet takes over how another one is run, not where", () => {
  const other = { folder: "/home/me/shop", test: "npm test", worker: "codex-cli", parallel: 4 } as PlanOrder;
  expect(draftOf(withoutPlace(other))).toMatchObject({ folder: "", test: "", worker: "codex-cli", parallel: "4" });
  expect(draftOf(withoutPlace(undefined))).toEqual(draftOf(undefined));
});

it("ME-7 what was off in the last run is off in the next; a first run asks before merges", () => {
  expect(draftOf(undefined)).toMatchObject({ askMerges: true, askTools: true });
  const off = { folder: "/shop", worker: "codex-cli", parallel: 2, mode: "acp" } as PlanOrder;
  expect(draftOf(off)).toMatchObject({ askMerges: false, askTools: false });
  expect(draftOf({ ...off, mode: "exec", askMerges: true })).toMatchObject({ askMerges: true, askTools: true });
});
