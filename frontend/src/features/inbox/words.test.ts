import { expect, test } from "vitest";
import type { Question } from "@/topology";
import { gateOf, subjectOf } from "./words";

const question = (more: Partial<Question>): Question => ({ id: "q", agent: "Shop · abc123", state: "waiting", askedAt: "2025-01-01T00:00:00Z", ...more });

test("ME-8 the gates of a plan are told in words, and what a tool asks is shown as it is", () => {
  expect(gateOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart" } }))).toBe("merge");
  expect(gateOf(question({ tool: "begin phase", arguments: { plan: "Shop", phase: "Build" } }))).toBe("phase");
  expect(gateOf(question({ tool: "merge", from: "github", arguments: { plan: "x" } }))).toBeUndefined();
  expect(gateOf(question({ tool: "merge", arguments: { branch: "x" } }))).toBeUndefined();
  expect(subjectOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart", branch: "" } }))).toEqual({ code: "", rest: [["plan", "Shop"], ["task", "Cart"]] });
});
