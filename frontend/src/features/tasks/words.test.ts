import { expect, it } from "vitest";
import { standing, toneOf } from "./words";

it("APP-5 a task that waits in a restored backup is paused, whatever it was at", () => {
  expect(standing({ status: "in_progress", held: true })).toBe("paused");
  expect(standing({ status: "pending", held: true })).toBe("paused");
  expect(toneOf.paused).toBe("waiting");
});

it("APP-5 a task that runs again, or has ended, isn't paused", () => {
  expect(standing({ status: "in_progress" })).toBe("in_progress");
  expect(standing({ status: "failed", held: true })).toBe("failed");
});
