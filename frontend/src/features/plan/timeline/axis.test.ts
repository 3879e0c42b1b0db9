import { expect, test } from "vitest";
import { perMinute, ticksOf } from "./axis";

const minute = 60_000,
  noon = new Date(2025, 5, 1, 12, 0).getTime();

test("ME-8 the axis has marks at the hours of the clock, none too near another", () => {
  for (const perMin of [0.05, 0.4, 2, 14]) {
    const { ticks, step } = ticksOf(noon + 7 * minute, noon + 5000 * minute, perMin);
    expect(ticks.length).toBeGreaterThan(0);
    expect((step / minute) * perMin).toBeGreaterThanOrEqual(72);
    for (const t of ticks)
      expect([new Date(t.at).getMinutes() % Math.min(60, step / minute), new Date(t.at).getSeconds()]).toEqual([0, 0]);
  }
});

test("ME-8 fit shows the whole time in the width there is", () => {
  expect(perMinute("fit", 0, 100 * minute, 1048)).toBe(10);
  expect(perMinute("fit", 0, 0, 1048)).toBe(40);
});
