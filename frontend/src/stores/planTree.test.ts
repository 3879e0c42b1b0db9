import { describe, expect, test } from "vitest";
import type { Plan, PlanTask } from "../topology";
import { leavesOf, markOf, modelOf, phasesOf, rowsOf } from "./planTree";

const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({
  id,
  title: id.toUpperCase(),
  description: "",
  status: "PENDING",
  acceptance_criteria: [],
  dependencies: [],
  phase_name: "",
  milestone: "",
  wbs_level: 1,
  ...more,
});

/** A plan from a tree: { a: {}, b: { c: {} } }. */
type Tree = { [id: string]: Tree };
function planOf(tree: Tree, tasks: Record<string, Partial<PlanTask>> = {}): Plan {
  const plan: Plan = { version: 1, root_node_id: "root", node_index: [], tasks: [] };
  const put = (id: string, parent_id: string, below: Tree) => {
    plan.node_index.push({ node_id: id, parent_id, children: Object.keys(below) });
    if (id !== "root") plan.tasks.push(task(id, tasks[id]));
    for (const [c, deeper] of Object.entries(below)) put(c, id, deeper);
  };
  put("root", "", tree);
  return plan;
}

const none: ReadonlySet<string> = new Set();
const shown = (...a: Parameters<typeof rowsOf>) => rowsOf(...a).map((r) => "  ".repeat(r.depth) + r.key);

describe("ME-8 the tree of a plan", () => {
  test("children stand below their task; what is folded is left out", () => {
    const m = modelOf(planOf({ a: { b: {}, c: {} }, d: {} }));
    expect(shown(m, none)).toEqual(["a", "  b", "  c", "d"]);
    expect(shown(m, new Set(["a"]))).toEqual(["a", "d"]);
    expect(leavesOf(m).map((i) => i.id)).toEqual(["b", "c", "d"]);
  });

  test("a task stands as what is below it, and counts the leaves", () => {
    const m = modelOf(
      planOf(
        { a: { b: {}, c: { x: {}, y: {} } } },
        { b: { status: "COMPLETE" }, x: { status: "VALIDATING" }, a: { status: "COMPLETE" } },
      ),
    );
    expect(m.items.get("a")).toMatchObject({ standing: "running", leaves: 3, done: 1 });
    expect(modelOf(planOf({ a: { b: {} } }, { b: { status: "COMPLETE" } })).items.get("a")!.standing).toBe("done");
  });

  test("phases stand above the tasks in the order in which they first come", () => {
    const m = modelOf(
      planOf(
        { a: {}, b: {}, c: {} },
        {
          a: { phase_name: "One", milestone: "M1" },
          b: { phase_name: "Two" },
          c: { phase_name: "One", status: "COMPLETE" },
        },
      ),
    );
    expect(shown(m, none)).toEqual(["phase:One", "  a", "  c", "phase:Two", "  b"]);
    expect(shown(m, new Set(["phase:One"]))).toEqual(["phase:One", "phase:Two", "  b"]);
    expect(rowsOf(m, none)[0]!.phase).toEqual({ name: "One", milestone: "M1", leaves: 2, done: 1, standing: "todo" });
    expect(phasesOf(modelOf(planOf({ a: {} })))).toBeUndefined();
  });

  test("what fits is shown with what it hangs below, folded or not", () => {
    const m = modelOf(planOf({ a: { b: { c: {} }, d: {} }, e: {} }));
    expect(shown(m, new Set(["a"]), (i) => i.id === "c")).toEqual(["a", "  b", "    c"]);
    expect(shown(m, none, () => false)).toEqual([]);
  });

  test("the leaf that can be done now and holds up most is the one that blocks", () => {
    const m = modelOf(
      planOf(
        { a: {}, b: {}, c: {}, d: {}, e: {} },
        { b: { dependencies: ["a"] }, c: { dependencies: ["b"] }, d: { dependencies: ["e", "c"] } },
      ),
    );
    expect([...m.items.values()].map((i) => [i.waits, i.blocks])).toEqual([
      [0, 3],
      [1, 2],
      [1, 1],
      [2, 0],
      [0, 1],
    ]);
    expect(m.blocker).toBe("a");
    const later = modelOf(
      planOf(
        { a: {}, b: {}, c: {} },
        { a: { status: "COMPLETE" }, b: { dependencies: ["a"] }, c: { dependencies: ["b"] } },
      ),
    );
    expect([later.blocker, later.items.get("b")!.waits]).toEqual(["b", 0]);
    expect(modelOf(planOf({ a: {} })).blocker).toBeUndefined();
  });
});

describe("ME-9 a proposal in the tree", () => {
  test("what it takes away stays in its place, marked; what it adds and changes is marked", () => {
    const before = planOf({ a: {}, b: { x: {} }, c: {} }),
      after = planOf({ n: {}, a: {}, x: {}, c: {} }, { c: { title: "CC" } });
    const m = modelOf(before, {
      after,
      changes: [
        { id: "n", title: "N", added: true },
        { id: "x", title: "X", moved: true },
        { id: "c", title: "CC", fields: [{ name: "title", before: "C", after: "CC" }] },
        { id: "b", title: "B", removed: true },
      ],
    });
    expect(rowsOf(m, none).map((r) => [r.key, markOf(r.item?.change)])).toEqual([
      ["n", "add"],
      ["a", undefined],
      ["b", "del"],
      ["x", "mov"],
      ["c", "chg"],
    ]);
    expect(m.items.get("c")!.task.title).toBe("CC");
  });

  test("a whole branch that goes stays a branch until then, and counts no more", () => {
    const before = planOf({ a: { b: { c: {} } }, d: {} }),
      after = planOf({ a: {}, d: {} });
    const m = modelOf(before, {
      after,
      changes: [
        { id: "b", title: "B", removed: true },
        { id: "c", title: "C", removed: true },
      ],
    });
    expect(shown(m, none)).toEqual(["a", "  b", "    c", "d"]);
    expect(m.items.get("a")!.leaves).toBe(1);
  });
});

test("5,000 tasks: the tree is there at once", () => {
  const wide: Tree = {};
  for (let i = 0; i < 100; i++) {
    wide[`g${i}`] = {};
    for (let j = 0; j < 49; j++) wide[`g${i}`]![`t${i}-${j}`] = {};
  }
  const m = modelOf(planOf(wide));
  expect(rowsOf(m, none)).toHaveLength(5000);
});
