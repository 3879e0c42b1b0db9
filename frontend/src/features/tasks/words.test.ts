import { expect, it } from "vitest";
import { ended, retriable, standing, toneOf } from "./words";

it("APP-5 a task that waits in a restored backup is paused, whatever it was at", () => {
  expect(standing({ status: "in_progress", held: true })).toBe("paused");
  expect(standing({ status: "pending", held: true })).toBe("paused");
  expect(toneOf.paused).toBe("waiting");
});

it("APP-5 a task that runs again, or has ended, isn't paused", () => {
  expect(standing({ status: "in_progress" })).toBe("in_progress");
  expect(standing({ status: "failed", held: true })).toBe("failed");
});

it("CO-4 a task that a person canceled has ended, is no failure, and can be tried again", () => {
  const canceled = { status: "canceled" };
  expect(standing(canceled)).toBe("canceled");
  expect(toneOf.canceled).toBe("idle");
  expect([ended(canceled), retriable(canceled)]).toEqual([true, true]);
  expect([retriable({ status: "failed" }), retriable({ status: "completed" })]).toEqual([true, false]);
});

it("TR-1 a task whose attempt was withdrawn waits, and doesn't run", () => {
  expect(standing({ status: "in_progress", queued: true })).toBe("pending");
  expect(standing({ status: "in_progress", waits: { reason: "trust" } })).toBe("pending");
});
