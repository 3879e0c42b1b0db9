import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { later, scriptedHub } from "../api/scriptedHub";
import type { TaskStatus, TaskSummary } from "../topology";
import { takeNotify } from "./hub";
import { allTasks, countUnfinished, followTasks, useTasks } from "./tasks";

const task = (taskId: string, status: TaskStatus, second: number) =>
  ({
    taskId,
    title: taskId,
    status,
    createdAt: `2026-11-21T09:00:0${taskId.slice(1)}Z`,
    updatedAt: `2026-11-21T09:01:0${second}Z`,
  }) as TaskSummary;
const counts = { pending: 0, in_progress: 0, completed: 0, failed: 0, canceled: 0, queued: 0, held: 0 };
const settled = () => vi.advanceTimersByTimeAsync(1_000);
const rows = () => useTasks.getState().items.map((t) => `${t.taskId} ${t.status}`);

describe("APP-4 the list of tasks", () => {
  let end = () => {};
  beforeEach(() => {
    vi.useFakeTimers();
    useTasks.setState({ items: [], state: "none", more: false, reading: false, filter: allTasks });
  });
  afterEach(() => {
    end();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const reading = async (...answers: Promise<object>[]) => {
    scriptedHub({
      "GET /api/tasks": ({ query }) =>
        query.get("limit") === "1" ? { tasks: [], counts, more: false } : (answers.shift() ?? new Promise(() => {})),
      "GET /api/task-agents": () => ({ agents: [] }),
    });
    end = followTasks();
    await settled();
  };

  it("keeps updates of the stream that arrive before the list", async () => {
    const held = later<object>();
    await reading(held.promise);
    takeNotify({ seq: 1, tasks: [task("t1", "completed", 5), task("t3", "pending", 5)] });
    takeNotify({ seq: 2, tasks: [task("t2", "in_progress", 1)] });
    held.resolve({ tasks: [task("t2", "failed", 3), task("t1", "in_progress", 2)], counts, more: false });
    await settled();
    expect(rows()).toEqual(["t3 pending", "t2 failed", "t1 completed"]);
  });

  it("has a task once that was told of several times before the list arrived", async () => {
    const held = later<object>();
    await reading(held.promise);
    takeNotify({ seq: 1, tasks: [task("t3", "pending", 5)] });
    takeNotify({ seq: 2, tasks: [task("t3", "in_progress", 6)] });
    held.resolve({ tasks: [task("t2", "failed", 3)], counts, more: false });
    await settled();
    expect(rows()).toEqual(["t3 in_progress", "t2 failed"]);
  });

  it("is read again if only the hub knows whether a task belongs to it", async () => {
    const first = later<object>(),
      second = later<object>();
    await reading(first.promise, second.promise);
    takeNotify({ seq: 1, tasks: [task("t1", "completed", 5)] });
    first.resolve({ tasks: [task("t2", "failed", 3)], counts, more: false });
    await settled();
    second.resolve({ tasks: [task("t2", "failed", 3), task("t1", "completed", 5)], counts, more: false });
    await settled();
    expect(rows()).toEqual(["t2 failed", "t1 completed"]);
  });
});

it("APP-3 counts what an agent that is to be deleted still has to do", async () => {
  scriptedHub({
    "GET /api/tasks": ({ query }) => {
      const status = query.get("status") as TaskStatus,
        list = [task("t1", "in_progress", 1), task("t2", "pending", 1), task("t3", "pending", 2)];
      return {
        tasks: query.get("agent") === "dev@studio" ? list.filter((t) => t.status === status) : [],
        counts,
        more: false,
      };
    },
  });
  expect(await countUnfinished("dev@studio")).toEqual({ running: 1, waiting: 2 });
  expect(await countUnfinished("dev")).toEqual({ running: 0, waiting: 0 });
  vi.unstubAllGlobals();
});
