import { expect, test } from "vitest";
import type { TaskSummary } from "@/topology";
import { nested } from "./nested";

const task = (taskId: string, parent?: string) => ({ taskId, ...(parent && { parent }) }) as TaskSummary;
const shape = (...items: TaskSummary[]) => nested(items).map((r) => `${"-".repeat(r.level)}${r.task.taskId}`);

test("CO-3 what was delegated stands below its task, in the order in which it was delegated", () => {
  expect(shape(task("d"), task("a2", "a"), task("a1x", "a1"), task("a1", "a"), task("c"), task("a"))).toEqual([
    "d",
    "c",
    "a",
    "-a1",
    "--a1x",
    "-a2",
  ]);
});

test("CO-3 without its parent in the list, a task has its own place", () => {
  expect(shape(task("d"), task("b1", "b"), task("a"))).toEqual(["d", "b1", "a"]);
  expect(shape(task("a", "a"))).toEqual(["a"]);
  expect(shape()).toEqual([]);
});
