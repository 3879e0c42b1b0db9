import { expect, test } from "vitest";
import type { Plan, PlanProgress, PlanTask } from "../topology";
import { boxH, boxW, graphOf } from "./planGraph";
import { needsOf, refusalOf } from "./planNeeds";
import { criticalPath, expectedOf, scheduleOf } from "./planTime";
import { modelOf } from "./planTree";

type T = Partial<PlanTask> & { id: string; below?: string };
const full = ({ below: _, ...t }: T): PlanTask => ({
  title: t.id,
  description: "",
  status: "PENDING",
  acceptance_criteria: [],
  dependencies: [],
  phase_name: "",
  milestone: "",
  wbs_level: 1,
  estimated_effort: "small",
  ...t,
});
function plan(...tasks: T[]): Plan {
  const kids = (of: string) => tasks.filter((t) => (t.below ?? "root") === of).map((t) => t.id);
  return {
    version: 1,
    root_node_id: "root",
    tasks: tasks.map(full),
    node_index: [
      { node_id: "root", parent_id: "", children: kids("root") },
      ...tasks.map((t) => ({ node_id: t.id, parent_id: t.below ?? "root", children: kids(t.id) })),
    ],
  };
}
const model = (...tasks: T[]) => modelOf(plan(...tasks));
const overlaps = (m: ReturnType<typeof model>) => {
  const all = [...graphOf(m).places.entries()],
    found: string[] = [];
  for (const [i, [a, p]] of all.entries())
    for (const [b, q] of all.slice(i + 1))
      if (Math.abs(p.x - q.x) < boxW && Math.abs(p.y - q.y) < boxH) found.push(`${a} over ${b}`);
  return found;
};

test("ME-8 the graph goes from left to right, each phase in a frame, nothing over anything else", () => {
  const m = model(
    { id: "a", phase_name: "One" },
    { id: "b", phase_name: "One", dependencies: ["a"] },
    { id: "c", phase_name: "Two", dependencies: ["a", "b"] },
    { id: "d", phase_name: "Two" },
    { id: "e", phase_name: "Two", dependencies: ["a"] },
  );
  const { places, frames, links } = graphOf(m),
    x = (id: string) => places.get(id)!.x;
  expect([x("a") < x("b"), x("b") < x("c"), x("a") < x("e")]).toEqual([true, true, true]);
  expect(frames.map((f) => f.name)).toEqual(["One", "Two"]);
  expect(frames[0]!.y + frames[0]!.height).toBeLessThanOrEqual(frames[1]!.y);
  expect(links).toContainEqual({ from: "b", to: "c" });
  expect(overlaps(m)).toEqual([]);
});

test("ME-8 what has tasks below it is drawn where somebody waits for it, right of them", () => {
  const m = model(
    { id: "g" },
    { id: "x", below: "g" },
    { id: "y", below: "g", dependencies: ["x"] },
    { id: "z", dependencies: ["g"] },
    { id: "h" },
    { id: "w", below: "h" },
  );
  const { places } = graphOf(m);
  expect([...places.keys()].sort()).toEqual(["g", "w", "x", "y", "z"]);
  expect(places.get("y")!.x < places.get("g")!.x && places.get("g")!.x < places.get("z")!.x).toBe(true);
  expect(graphOf(m).parts).toEqual([
    { from: "x", to: "g" },
    { from: "y", to: "g" },
  ]);
});

test("ME-8 2,000 tasks do not lie over each other, whatever they wait for", () => {
  const m = model(
    ...Array.from({ length: 2000 }, (_, i): T => ({
      id: `t${i}`,
      phase_name: `P${i % 3}`,
      dependencies: i % 4 ? [`t${i - 1}`, ...(i > 40 ? [`t${i - 37}`] : [])] : [],
    })),
  );
  const spots = new Set([...graphOf(m).places.values()].map((p) => `${p.x} ${p.y}`));
  expect(spots.size).toBe(2000);
});

test("ME-9 a circle of waiting is refused, and so is what is there already", () => {
  const m = model({ id: "a" }, { id: "b", dependencies: ["a"] }, { id: "c", dependencies: ["b"] });
  expect([
    refusalOf(m, { from: "c", to: "a" }),
    refusalOf(m, { from: "a", to: "a" }),
    refusalOf(m, { from: "a", to: "b" }),
    refusalOf(m, { from: "a", to: "c" }),
  ]).toEqual(["circle", "self", "there", undefined]);
});

test("ME-8 the critical path is the longest chain of what is not done", () => {
  const m = model(
    { id: "a", status: "COMPLETE" },
    { id: "b", dependencies: ["a"], estimated_effort: "large" },
    { id: "c", dependencies: ["a"] },
    { id: "d", dependencies: ["b", "c"] },
  );
  const { tasks, links, minutes } = criticalPath(m);
  expect([[...tasks].sort(), [...links].sort(), minutes]).toEqual([["b", "d"], ["b>d"], 100]);
});

test("ME-8 a task without an effort counts no more than a small one", () => {
  const none = criticalPath(model({ id: "a", estimated_effort: "" })).minutes;
  expect(none).toBe(criticalPath(model({ id: "a", estimated_effort: "small" })).minutes);
});

const at = (span: { from: number; to: number } | undefined) => span && [span.from / 60_000, span.to / 60_000];

test("ME-8 the timeline keeps to dependencies, to what may run at once, and off the same files", () => {
  const m = model(
    { id: "a" },
    { id: "b" },
    { id: "c" },
    { id: "d", dependencies: ["a"], suggested_impl: { file_paths: ["src"] } },
    { id: "e", dependencies: ["a"], suggested_impl: { file_paths: ["src/x.go"] } },
  );
  const { expected } = scheduleOf(m, {}, 2, 0);
  expect(["a", "b", "c", "d", "e"].map((id) => at(expected.get(id)))).toEqual([
    [0, 10],
    [0, 10],
    [10, 20],
    [10, 20],
    [20, 30],
  ]);
});

test("ME-8 what waits for a group waits for all of it, and a group that waits holds back its tasks", () => {
  const m = model(
    { id: "g" },
    { id: "x", below: "g" },
    { id: "y", below: "g" },
    { id: "h", dependencies: ["g"] },
    { id: "z", below: "h" },
  );
  expect(needsOf(m, m.items.get("z")!)).toEqual(["g"]);
  expect(at(scheduleOf(m, {}, 4, 0).expected.get("z"))).toEqual([10, 20]);
});

test("ME-8 what was measured sets the pace, and what runs ends when it is due", () => {
  const minutes = (n: number) => new Date(n * 60_000).toISOString();
  const progress: Record<string, PlanProgress> = {
    a: {
      status: "COMPLETE",
      updatedAt: minutes(20),
      attempts: [{ worker: "w", startedAt: minutes(0), endedAt: minutes(20) }],
    },
    b: { status: "RUNNING", updatedAt: minutes(25), attempts: [{ worker: "w", startedAt: minutes(20) }] },
  };
  const m = model({ id: "a", status: "COMPLETE" }, { id: "b", status: "RUNNING" }, { id: "c", dependencies: ["b"] }),
    s = scheduleOf(m, progress, 1, 25 * 60_000);
  expect([s.pace, at(s.expected.get("b")), at(s.expected.get("c")), s.from, s.to / 60_000]).toEqual([
    { factor: 2, measured: 1 },
    [25, 40],
    [40, 60],
    0,
    60,
  ]);
  expect(expectedOf(m, 1000)).toBe(3000);
});
