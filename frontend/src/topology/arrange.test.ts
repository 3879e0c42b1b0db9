import { describe, expect, it } from "vitest";
import { align, ALIGNMENTS, bounds, distribute, placed, placesOf, type Placed } from ".";

const boxes: Placed[] = [
  { id: "a", what: "agent", x: 0, y: 10, w: 180, h: 70 },
  { id: "n", what: "note", x: 300, y: 200, w: 100, h: 40 },
  { id: "b", what: "agent", x: 90, y: 400, w: 180, h: 70 },
];
const at = (list: readonly Placed[], axis: "x" | "y") => list.map((b) => b[axis]);

describe("aligning", () => {
  it("takes the edges and middles of the rectangle around all", () => {
    expect(bounds(boxes)).toEqual({ x: 0, y: 10, w: 400, h: 460 });
    expect(at(align(boxes, "left"), "x")).toEqual([0, 0, 0]);
    expect(at(align(boxes, "centre"), "x")).toEqual([110, 150, 110]);
    expect(at(align(boxes, "right"), "x")).toEqual([220, 300, 220]);
    expect(at(align(boxes, "top"), "y")).toEqual([10, 10, 10]);
    expect(at(align(boxes, "middle"), "y")).toEqual([205, 220, 205]);
    expect(at(align(boxes, "bottom"), "y")).toEqual([400, 430, 400]);
  });
  it("moves along one axis only, and a second time not at all", () => {
    for (const how of ALIGNMENTS) {
      const once = align(boxes, how),
        still = ["left", "centre", "right"].includes(how) ? "y" : "x";
      expect(at(once, still)).toEqual(at(boxes, still));
      expect(align(once, how)).toEqual(once);
    }
  });
});

describe("distributing", () => {
  it("makes the gaps equal and leaves the outermost", () => {
    const spread = distribute(boxes, "y");
    expect(at(spread, "y")).toEqual([10, 220, 400]);
    expect(at(spread, "x")).toEqual(at(boxes, "x"));
    expect(distribute(spread, "y")).toEqual(spread);
  });
  it("lets them overlap evenly where there is no room", () => {
    const tight = [0, 10, 100].map((x, i): Placed => ({ id: String(i), what: "agent", x, y: 0, w: 180, h: 70 }));
    expect(at(distribute(tight, "x"), "x")).toEqual([0, 50, 100]);
  });
  it("leaves two alone", () => expect(distribute(boxes.slice(0, 2), "x")).toEqual(boxes.slice(0, 2)));
});

describe("what takes room", () => {
  const t = {
    agents: [{ id: "a" }, { id: "lost" }],
    layout: { a: { x: 1, y: 2 } },
    notes: [
      { id: "a", text: "", x: 5, y: 6 },
      { id: "w", text: "", x: 7, y: 8, width: 90 },
    ],
  };
  it("is every agent with a place and every note, or what is chosen of them", () => {
    expect(placed(t, () => 50).map((b) => [b.what, b.id, b.w, b.h])).toEqual([
      ["agent", "a", 180, 70],
      ["note", "a", 152, 50],
      ["note", "w", 90, 50],
    ]);
    expect(placesOf(placed(t, () => 50, { agents: [], notes: ["a"] }))).toEqual({
      agents: {},
      notes: { a: { x: 5, y: 6 } },
    });
  });
});
