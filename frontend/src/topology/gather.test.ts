import { describe, expect, it } from "vitest";
import { framesOf, gather, insideOf, NODE_H, NODE_W, setLocked, takeOut, nothing, type Topology } from ".";

const team = (members: string[], more: Partial<Topology> = {}): Topology => ({
  agents: ["a", "b", "c", "d", "e"].map((id) => ({ id })),
  groups: [{ id: "g", members }],
  layout: { a: { x: 0, y: 0 }, b: { x: 232, y: 0 }, c: { x: 464, y: 0 }, d: { x: 0, y: 144 }, e: { x: 464, y: 144 } },
  ...more,
});
const tall = () => 36;
/** Who stands in a frame without being of the group. */
const strangers = (t: Topology, id: string) => {
  const f = framesOf(t).get(id)!,
    inside = insideOf(t, id);
  return t.agents
    .map((a) => a.id)
    .filter((a) => {
      const p = t.layout![a]!;
      return !inside.includes(a) && p.x < f.x + f.w && p.x + NODE_W > f.x && p.y < f.y + f.h && p.y + NODE_H > f.y;
    });
};

describe("APP-1 a group of scattered members", () => {
  it("is brought together, so that its frame is around nobody else; the others stay", () => {
    const t = team(["a", "c", "d"]),
      made = gather(t, "g", tall);
    expect(strangers(t, "g")).toEqual(["b", "e"]);
    expect(strangers(made, "g")).toEqual([]);
    expect([made.layout!.b, made.layout!.e]).toEqual([t.layout!.b, t.layout!.e]);
    const at = ["a", "c", "d"].map((id) => made.layout![id]!);
    for (const [i, p] of at.entries())
      for (const q of at.slice(i + 1))
        expect(Math.abs(p.x - q.x) >= NODE_W || Math.abs(p.y - q.y) >= NODE_H).toBe(true);
  });
  it("keeps a group within it as it stands, and moves it as one", () => {
    const t = team(["a"], {
        groups: [
          { id: "g", members: ["a"] },
          { id: "in", parent: "g", members: ["c", "e"] },
        ],
      }),
      made = gather(t, "g", tall);
    expect(strangers(made, "g")).toEqual([]);
    expect(strangers(made, "in")).toEqual([]);
    expect(made.layout!.e!.y - made.layout!.c!.y).toBe(144);
  });
  it("stays where its frame is around nobody else, and where a member is locked", () => {
    const near = team(["a", "b"]),
      locked = setLocked(team(["a", "c"]), { ...nothing, agents: ["a"] }, true);
    expect(gather(near, "g", tall)).toBe(near);
    expect(gather(locked, "g", tall)).toBe(locked);
  });
});

it("APP-1 who is taken out of a group no longer stands in its frame", () => {
  const t = takeOut(team(["a", "b", "c"]), "b", tall);
  expect(insideOf(t, "g")).toEqual(["a", "c"]);
  expect(strangers(t, "g")).toEqual([]);
});
