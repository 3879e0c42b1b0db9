import { expect, it } from "vitest";
import type { PlanProposal } from "@/topology";
import { endedLast } from "./ended";

const at = (second: number) => `2026-05-01T10:00:${String(second).padStart(2, "0")}Z`;
const proposal = (state: PlanProposal["state"], endedAt?: string, operations: object[] = [{}]) =>
  ({ id: `p${state}`, state, endedAt, patch: { payload: { operations } } }) as unknown as PlanProposal;

it("ME-8 a request that failed is shown beside a proposal that waits", () => {
  const failed = proposal("failed", at(5));
  expect(endedLast({ proposals: [proposal("waiting"), failed] })).toBe(failed);
});

it("ME-8 how a request ended isn't shown after something else was decided or the plan was started", () => {
  const failed = proposal("failed", at(5));
  expect(endedLast({ proposals: [proposal("accepted", "2026-05-01T10:00:05.5Z"), failed] })).toBeUndefined();
  expect(endedLast({ proposals: [failed], work: { beganAt: at(6) } })).toBeUndefined();
  expect(endedLast({ proposals: [proposal("accepted", at(4)), failed], work: { beganAt: at(3) } })).toBe(failed);
});

it("ME-8 what was refused is shown only where the planner saw nothing to do", () => {
  const nothing = proposal("refused", at(5), []);
  expect(endedLast({ proposals: [nothing] })).toBe(nothing);
  expect(endedLast({ proposals: [proposal("refused", at(5))] })).toBeUndefined();
  expect(endedLast({ proposals: [proposal("canceled", at(5)), proposal("waiting")] })).toBeUndefined();
  expect(endedLast({ asking: {} as never, proposals: [proposal("failed", at(5))] })).toBeUndefined();
});
