import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plansApi } from "../api/plans";
import type { PlanCompared, PlanVersion } from "../topology";
import { closeHistory, leaveVersion, openHistory, readVersions, showVersion, usePlanHistory } from "./planHistory";

const version = (number: number) => ({ number }) as PlanVersion;
/** An answer that arrives when the test releases it. */
function late<T>() {
  let give!: (v: T) => void;
  const answer = new Promise<T>((r) => {
    give = r;
  });
  return { answer, give };
}
const now = () => usePlanHistory.getState();

beforeEach(() => {
  openHistory("p");
  vi.spyOn(plansApi, "compare").mockImplementation((_, number) => Promise.resolve({ number } as PlanCompared));
});
afterEach(() => {
  closeHistory();
  vi.restoreAllMocks();
});

test("ME-9 who goes back to now while the versions are read again stays there", async () => {
  const list = late<PlanVersion[]>();
  vi.spyOn(plansApi, "versions").mockReturnValue(list.answer);
  await showVersion(1);
  expect(now().shown?.number).toBe(1);
  const read = readVersions("p");
  leaveVersion();
  list.give([version(2), version(1)]);
  await read;
  expect([now().number, now().shown, now().versions?.length]).toEqual([0, undefined, 2]);
});

test("ME-9 of two readings the later one counts, whichever answer comes first", async () => {
  const first = late<PlanVersion[]>(),
    second = late<PlanVersion[]>();
  vi.spyOn(plansApi, "versions").mockReturnValueOnce(first.answer).mockReturnValueOnce(second.answer);
  const reads = [readVersions("p"), readVersions("p")];
  second.give([version(3), version(2), version(1)]);
  first.give([version(2), version(1)]);
  await Promise.all(reads);
  expect(now().versions?.map((v) => v.number)).toEqual([3, 2, 1]);
});

test("ME-9 another version that was chosen while the versions are read again stays chosen", async () => {
  const list = late<PlanVersion[]>();
  vi.spyOn(plansApi, "versions").mockReturnValue(list.answer);
  await showVersion(1);
  const read = readVersions("p");
  await showVersion(2);
  list.give([version(3), version(2), version(1)]);
  await read;
  expect([now().number, now().shown?.number]).toEqual([2, 2]);
});
