import { describe, expect, test } from "vitest";
import type { PlanItem } from "@/stores/planTree";
import { fitsOf } from "./filter";

const item = (id: string, title: string) =>
  ({ standing: "todo", task: { id, title, description: "", phase_name: "", milestone: "" } }) as PlanItem;

describe("what a plan's search finds", () => {
  test("ME-8: words of a task, or its whole id; never a part of an id, which nobody chose", () => {
    const fits = fitsOf({ words: "task 1234", standing: "" })!;
    expect(fits(item("t-1", "Task 1234"))).toBe(true);
    expect(fits(item("t-ab1234cd", "Task 142"))).toBe(false);
    expect(fitsOf({ words: "t-ab1234cd", standing: "" })!(item("t-ab1234cd", "Task 142"))).toBe(true);
  });
});
