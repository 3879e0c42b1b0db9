import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeSocket, scriptedHub } from "../api/scriptedHub";
import { watchLive, type LiveTask } from "./useLiveTask";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("APP-5: the head of a task that says something all the time is kept current", async () => {
  let progress = 0;
  const hub = scriptedHub({ "GET /tasks/t1": () => ({ taskId: "t1", status: "in_progress", progress: ++progress }) });
  let live: Partial<LiveTask> = {};
  const stop = watchLive("t1", (change) => {
    live = {
      ...live,
      ...(typeof change === "function"
        ? change({
            output: { blocks: [], attempts: 0, lines: 0, progress: 0, seq: 0, ended: false },
            ...live,
          } as LiveTask)
        : change),
    };
  });
  await vi.advanceTimersByTimeAsync(50);
  FakeSocket.made[0]!.open();
  for (let seq = 1; seq <= 100; seq++) {
    FakeSocket.made[0]!.frame({ seq, type: "log", text: `line ${seq}` });
    await vi.advanceTimersByTimeAsync(50);
  }
  const reads = hub.of("/tasks/t1").length;
  expect(reads).toBeGreaterThan(20); // in 5 s
  expect(reads).toBeLessThan(60);
  expect(live.detail?.progress).toBe(reads);
  stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hub.of("/tasks/t1").length).toBe(reads);
});
