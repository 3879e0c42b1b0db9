import { expect, it } from "vitest";
import type { CronJob, CronRun } from "@/stores/cron";
import { monthly } from "./cost";

const job = (schedule: CronJob["schedule"], enabled = true) => ({ schedule, enabled }) as CronJob;
const run = (day: number, tokens: number, costUsd?: number): CronRun => ({
  at: `2026-11-${String(day).padStart(2, "0")}T07:00:00Z`,
  tokensIn: tokens,
  priced: costUsd !== undefined,
  costUsd,
});

it("OC-3 a job's month is the average of its runs, as often as it runs", () => {
  const hourly = job({ kind: "every", everyMs: 3_600_000 });
  expect(monthly(hourly, [run(1, 100, 0.01), run(1, 300, 0.03)])).toEqual({ runs: 720, tokens: 144_000, usd: 14.4 });
  expect(monthly(hourly, [run(1, 100, 0.01), run(1, 300)])).toMatchObject({ usd: undefined });
  // A cron expression runs as often as it has run.
  const daily = job({ kind: "cron", expr: "0 7 * * *" });
  expect(monthly(daily, [run(3, 50), run(2, 50), run(1, 0)])).toEqual({ runs: 30, tokens: 1500, usd: undefined });
});

it("OC-3 a job has no month where that isn't known", () => {
  const daily = { kind: "cron", expr: "0 7 * * *" } as const;
  expect(monthly(job(daily), [run(1, 50)])).toBeUndefined();
  expect(monthly(job(daily), [])).toBeUndefined();
  expect(monthly(job(daily), [run(2, 0), run(1, 0)])).toBeUndefined();
  expect(monthly(job(daily, false), [run(2, 50), run(1, 50)])).toBeUndefined();
  expect(monthly(job({ kind: "at", at: "2027-01-01T00:00:00Z" }), [run(2, 50), run(1, 50)])).toBeUndefined();
});
