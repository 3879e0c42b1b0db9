import { expect, test } from "vitest";
import { modelOf } from "@/stores/planTree";
import type { Plan, PlanTask } from "@/topology";
import { canDrop, dropOperations, stepOf } from "./moves";

const task = (id: string, phase_name = ""): PlanTask => ({
  id,
  title: id,
  description: "",
  status: "PENDING",
  acceptance_criteria: [],
  dependencies: [],
  phase_name,
  milestone: phase_name && "M",
  wbs_level: 1,
});
const plan: Plan = {
  version: 1,
  root_node_id: "root",
  tasks: [task("a", "One"), task("b", "Two"), task("c"), task("d")],
  node_index: [
    { node_id: "root", parent_id: "", children: ["a", "b"] },
    { node_id: "a", parent_id: "root", children: ["c", "d"] },
    { node_id: "b", parent_id: "root", children: [] },
    { node_id: "c", parent_id: "a", children: [] },
    { node_id: "d", parent_id: "a", children: [] },
  ],
};
const m = modelOf(plan);

test("ME-9 a drop is one move, and below the root it takes the phase beside it", () => {
  expect(dropOperations(m, "d", { at: "c", where: "before" })).toEqual([
    { op: "move", task_id: "d", parent_id: "a", position: { before: "c" } },
  ]);
  expect(dropOperations(m, "d", { at: "b", where: "below" })).toEqual([{ op: "move", task_id: "d", parent_id: "b" }]);
  expect(dropOperations(m, "a", { at: "b", where: "after" })).toEqual([
    { op: "move", task_id: "a", parent_id: "root", position: { after: "b" } },
    { op: "update", task_id: "a", phase_name: "Two", milestone: "M" },
  ]);
});

test("ME-9 nothing is put below itself", () => {
  expect(canDrop(m, "a", { at: "c", where: "after" })).toBe(false);
  expect(dropOperations(m, "a", { at: "a", where: "below" })).toEqual([]);
});

test("ME-9 one step by keyboard, and none where there is nowhere to go", () => {
  expect([
    stepOf(m, "d", "up"),
    stepOf(m, "c", "up"),
    stepOf(m, "c", "down"),
    stepOf(m, "d", "in"),
    stepOf(m, "c", "in"),
    stepOf(m, "c", "out"),
    stepOf(m, "b", "out"),
  ]).toEqual([
    { at: "c", where: "before" },
    undefined,
    { at: "d", where: "after" },
    { at: "c", where: "below" },
    undefined,
    { at: "a", where: "after" },
    undefined,
  ]);
});
