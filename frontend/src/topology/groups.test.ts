import { describe, expect, it } from "vitest";
import {
  addAgent,
  allLocked,
  findGroup,
  foldedInto,
  frameAt,
  framesOf,
  groupOf,
  heldOf,
  insideOf,
  loose,
  makeGroup,
  marksOf,
  moveItems,
  nestGroup,
  nothing,
  putInto,
  removeChosen,
  setLocked,
  ungroup,
  updateGroup,
  withRemoved,
  type Change,
  type Topology,
} from ".";

const team = (): Topology => ({
  agents: ["a", "b", "c", "d", "e"].map((id) => ({ id })),
  layout: { a: { x: 0, y: 0 }, b: { x: 240, y: 0 }, c: { x: 0, y: 200 }, d: { x: 240, y: 200 }, e: { x: 800, y: 0 } },
  groups: [
    { id: "g", name: "Build", members: ["a", "b"] },
    { id: "in", parent: "g", members: ["c"] },
  ],
  notes: [{ id: "n", text: "", x: 9, y: 9 }],
});
const made = { id: "new", name: "New" };
const grouped = (t: Topology, chosen: { agents?: string[]; groups?: string[] }) => {
  const got = makeGroup(t, { agents: [], groups: [], ...chosen }, made);
  if (typeof got === "string") throw new Error(got);
  return got;
};

describe("groups", () => {
  it("have a frame around their members, and around those of groups inside", () => {
    const frames = framesOf(team());
    expect(frames.get("in")).toEqual({ x: -16, y: 170, w: 212, h: 114 });
    expect(frames.get("g")).toEqual({ x: -32, y: -30, w: 468, h: 328 });
    // A group without anybody is seen below the drawing, or it could not be filled or deleted.
    expect(
      framesOf({
        agents: [{ id: "a" }],
        layout: { a: { x: 10, y: 20 } },
        groups: [{ id: "x", members: ["gone"] }, { id: "y" }],
      }),
    ).toEqual(
      new Map([
        ["x", { x: 10, y: 138, w: 212, h: 114 }],
        ["y", { x: 254, y: 138, w: 212, h: 114 }],
      ]),
    );
    expect(framesOf({ agents: [], groups: [{ id: "x" }] }).get("x")).toEqual({ x: 0, y: 48, w: 212, h: 114 });
  });
  it("that are empty stand in the group around them, which reaches no further than that", () => {
    const frames = framesOf({
      ...team(),
      groups: [
        { id: "g", members: ["a", "b"] },
        { id: "p", parent: "g" },
        { id: "q", parent: "g" },
        { id: "far", members: ["e"] },
      ],
    });
    const g = frames.get("g")!,
      p = frames.get("p")!,
      q = frames.get("q")!;
    expect([p, q]).toEqual([
      { x: 0, y: 86, w: 212, h: 114 },
      { x: 228, y: 86, w: 212, h: 114 },
    ]);
    expect(g).toEqual({ x: -16, y: -30, w: 472, h: 244 });
    // One that holds nothing but empty ones stands below the drawing, with those in it.
    const bare = framesOf({ ...team(), groups: [{ id: "g" }, { id: "p", parent: "g" }, { id: "z" }] }),
      outer = bare.get("g")!,
      inner = bare.get("p")!,
      next = bare.get("z")!;
    expect(outer.y).toBe(318);
    expect(
      inner.x > outer.x &&
        inner.y > outer.y &&
        inner.x + inner.w < outer.x + outer.w &&
        inner.y + inner.h < outer.y + outer.h,
    ).toBe(true);
    expect(next.x).toBeGreaterThan(outer.x + outer.w);
  });
  it("are made of what is chosen; agents of one group stay in it", () => {
    const t = grouped(team(), { agents: ["d", "e"] });
    expect(findGroup(t, "new")).toEqual({ id: "new", name: "New", members: ["d", "e"] });
    const inner = grouped(team(), { agents: ["a"] });
    expect(findGroup(inner, "new")).toEqual({ id: "new", name: "New", members: ["a"], parent: "g" });
    expect(findGroup(inner, "g")?.members).toEqual(["b"]);
  });
  it("take agents out of different groups, and a group that is left empty goes", () => {
    const t = grouped(team(), { agents: ["a", "c"] });
    expect(t.groups).toEqual([
      { id: "g", name: "Build", members: ["b"] },
      { id: "new", name: "New", members: ["a", "c"] },
    ]);
  });
  it("nest one level and no deeper", () => {
    const t = {
      ...team(),
      groups: [
        { id: "g", members: ["a"] },
        { id: "h", members: ["d"] },
      ],
    };
    expect(grouped(t, { groups: ["g", "h"], agents: ["e"] }).groups).toEqual([
      { id: "g", members: ["a"], parent: "new" },
      { id: "h", members: ["d"], parent: "new" },
      { id: "new", name: "New", members: ["e"] },
    ]);
    expect(makeGroup(team(), { agents: [], groups: ["g"] }, made)).toBe("deep");
    expect(makeGroup(team(), { agents: ["c"], groups: [] }, made)).toBe("deep");
    expect(makeGroup(team(), { agents: [], groups: [] }, made)).toBe("nobody");
    expect(nestGroup(team(), "g", "in")).toBe("deep");
    const two = { ...team(), groups: [...(team().groups ?? []), { id: "h", members: ["e"] }] };
    expect(nestGroup(two, "g", "h")).toBe("deep");
    expect(findGroup(nestGroup(two, "h", "g") as Topology, "h")?.parent).toBe("g");
    expect(findGroup(nestGroup(team(), "in", undefined) as Topology, "in")).toEqual({ id: "in", members: ["c"] });
  });
  it("are dissolved into the group around, or into the open", () => {
    expect(ungroup(team(), ["in"]).groups).toEqual([{ id: "g", name: "Build", members: ["a", "b", "c"] }]);
    expect(ungroup(team(), ["g"]).groups).toEqual([{ id: "in", members: ["c"] }]);
    expect(ungroup(team(), ["g", "in"]).groups).toEqual([]);
    expect(ungroup(team(), ["g"]).agents).toHaveLength(5);
  });
  it("take in and let go agents, each in one group", () => {
    const t = putInto(team(), ["a", "e"], "in");
    expect([findGroup(t, "g")?.members, findGroup(t, "in")?.members]).toEqual([["b"], ["c", "a", "e"]]);
    const out = putInto(team(), ["c"], undefined);
    expect(findGroup(out, "in")).toBeUndefined();
    expect(groupOf(out, "c")).toBeUndefined();
    expect(insideOf(team(), "g")).toEqual(["a", "b", "c"]);
  });
  it("go with the last of their agents, and keep them when deleted themselves", () => {
    expect(removeChosen(team(), { ...nothing, agents: ["c"] }).groups).toEqual([
      { id: "g", name: "Build", members: ["a", "b"] },
    ]);
    const t = removeChosen(team(), { ...nothing, groups: ["g"] });
    expect(t.agents).toHaveLength(5);
    expect(t.groups).toEqual([{ id: "in", members: ["c"] }]);
    expect(removeChosen(team(), { ...nothing, groups: ["g"], agents: ["a", "b", "c"] }).groups).toEqual([]);
  });
  it("are found by a point, the inner one first; folded ones take in nobody", () => {
    const t = team(),
      frames = framesOf(t);
    expect([
      frameAt(t, frames, { x: 10, y: 10 }),
      frameAt(t, frames, { x: 10, y: 210 }),
      frameAt(t, frames, { x: 900, y: 10 }),
    ]).toEqual(["g", "in", undefined]);
    expect(frameAt(t, frames, { x: 10, y: 210 }, new Set(["in"]))).toBe("g");
    expect(frameAt(updateGroup(t, "g", { collapsed: true }), frames, { x: 10, y: 210 })).toBeUndefined();
  });
  it("fold with everything inside, unless they are to be shown", () => {
    const t = updateGroup(team(), "g", { collapsed: true });
    expect([...foldedInto(t)]).toEqual([
      ["a", "g"],
      ["b", "g"],
      ["c", "g"],
    ]);
    expect(foldedInto(t, new Set(["g"])).size).toBe(0);
    expect(findGroup(updateGroup(t, "g", { collapsed: false, name: "" }), "g")).toEqual({
      id: "g",
      members: ["a", "b"],
    });
  });
});

describe("locks", () => {
  const locked = () => setLocked(team(), { ...nothing, agents: ["e"], notes: ["n"], groups: ["in"] }, true);
  it("hold agents, notes and groups, who is inside, and the group around", () => {
    const held = heldOf(locked());
    expect([[...held.agents], [...held.notes], [...held.groups]]).toEqual([["e", "c"], ["n"], ["g", "in"]]);
    expect(locked().layout?.e).toEqual({ x: 800, y: 0, locked: true });
    expect(setLocked(locked(), { ...nothing, agents: ["e"], notes: ["n"], groups: ["in"] }, false)).toEqual(team());
  });
  it("keep what is locked from being moved or deleted", () => {
    const t = moveItems(locked(), {
      agents: { a: { x: 1, y: 1 }, c: { x: 1, y: 1 }, e: { x: 1, y: 1 } },
      notes: { n: { x: 1, y: 1 } },
    });
    expect([t.layout?.a, t.layout?.c, t.layout?.e, t.notes?.[0]?.x]).toEqual([
      { x: 1, y: 1 },
      { x: 0, y: 200 },
      { x: 800, y: 0, locked: true },
      9,
    ]);
    expect(loose(locked(), { ...nothing, agents: ["a", "c", "e"], notes: ["n"], groups: ["g", "in"] })).toEqual({
      ...nothing,
      agents: ["a"],
      groups: ["g"],
    });
  });
  it("know whether all of a selection is locked", () => {
    expect(allLocked(locked(), { ...nothing, agents: ["e"], groups: ["in"] })).toBe(true);
    expect(allLocked(locked(), { ...nothing, agents: ["e", "a"] })).toBe(false);
    expect(allLocked(locked(), nothing)).toBe(false);
  });
});

describe("marks of groups", () => {
  it("say what became of each", () => {
    const changes: Change[] = [
      { id: "member:a", op: "moved", subject: "group", agent: "a", field: "group", before: "g", after: "h" },
      { id: "group:g:name", op: "changed", subject: "group", item: "g", field: "name" },
      { id: "layout:b:locked", op: "moved", subject: "layout", agent: "b", field: "locked", after: true },
      { id: "group:h", op: "added", subject: "group", item: "h" },
    ];
    const m = marksOf(changes);
    expect([m.agents.get("a")?.mark, m.agents.get("b")?.mark, m.items.get("g"), m.items.get("h")]).toEqual([
      "mov",
      "mov",
      "chg",
      "add",
    ]);
  });
  it("restore a deleted group around those members that are in no other group", () => {
    const draft = { ...addAgent(team(), { id: "f" }, { x: 0, y: 0 }), groups: [{ id: "h", members: ["a"] }] };
    const t = withRemoved(draft, team(), [{ id: "group:g", op: "removed", subject: "group", item: "g" }]);
    expect(t.groups).toEqual([
      { id: "h", members: ["a"] },
      { id: "g", name: "Build", collapsed: undefined, members: ["b"] },
    ]);
  });
});
