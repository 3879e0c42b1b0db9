import { expect, test } from "vitest";
import { filledOf, inUnit, scheduleOf } from "./when";

test("OC-3 an interval has its largest whole unit", () => {
  expect([86_400_000, 5_400_000, 3_600_000, 90_000, 1500].map(inUnit)).toEqual([
    { n: 1, unit: "d" },
    { n: 90, unit: "min" },
    { n: 1, unit: "h" },
    { n: 90, unit: "s" },
    { n: 1.5, unit: "s" },
  ]);
});

test("OC-3 what is filled in becomes the schedule that it came from", () => {
  const now = Date.parse("2026-11-27T12:00:00Z");
  for (const s of [
    { kind: "every", everyMs: 5_400_000 },
    { kind: "at", at: "2027-01-02T03:04:00.000Z" },
    { kind: "cron", expr: "0 7 * * 1-5", timeZone: "Europe/Berlin" },
    { kind: "cron", expr: "0 7 * * 1-5", timeZone: undefined },
  ])
    expect(scheduleOf(filledOf(s), now)).toEqual(s);
});

test("OC-3 what isn't a schedule is named, and wide digits are digits", () => {
  const f = filledOf(),
    now = Date.parse("2026-11-27T12:00:00Z");
  expect(scheduleOf({ ...f, n: "" }, now)).toEqual({ wrong: "interval" });
  expect(scheduleOf({ ...f, n: "x" }, now)).toEqual({ wrong: "interval" });
  expect(scheduleOf({ ...f, n: "3651", unit: "d" }, now)).toEqual({ wrong: "interval" });
  expect(scheduleOf({ ...f, n: "２", unit: "min" }, now)).toEqual({ kind: "every", everyMs: 120_000 });
  expect(scheduleOf({ ...f, kind: "at", at: "" }, now)).toEqual({ wrong: "time" });
  expect(scheduleOf({ ...f, kind: "at", at: "2020-01-01T00:00" }, now)).toEqual({ wrong: "time" });
  expect(scheduleOf({ ...f, kind: "cron", expr: "0 7 *" }, now)).toEqual({ wrong: "expr" });
});
