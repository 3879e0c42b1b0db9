import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { database } from "../api/database";
import { databaseActions } from "./database";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("a restore fails with a timeout if the hub doesn't come back", async () => {
  vi.spyOn(database, "restore").mockResolvedValue({ aside: "old.db", round: "1" });
  vi.spyOn(database, "size").mockRejectedValue(new Error("no answer"));
  const ended = expect(databaseActions.restore()).rejects.toMatchObject({ code: "TIMEOUT" });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  await ended;
});
