import { describe, expect, it } from "vitest";
import { assignFaces, noFaces, noMarks, nothing, type Box, type Connection, type Topology } from "../topology";
import { curve, on } from "./geometry";
import { newCache, type Picture } from "./flowPicture";
import { toEdges } from "./toEdges";
import { wayAround } from "./ways";

const words = {
  idle: "",
  added: "",
  removed: "",
  moved: "",
  was: () => "",
  changed: () => "",
  problem: () => "",
  spoken: () => "",
  note: () => "",
  kind: "",
  noteKind: "",
  groupKind: "",
  line: () => "",
  lineKind: "",
};
const card = (x: number, y: number): Box => ({ x, y, w: 180, h: 70 });
/** Rows of cards as *Lay out* sets them. */
const rows = (...counts: number[]) =>
  counts.flatMap((n, r) => Array.from({ length: n }, (_, i) => card((i - (n - 1) / 2) * 232, r * 144)));

/** The cards that a line runs through, by their places. */
function through(a: Box, b: Box, cards: readonly Box[], shift = 0, way = wayAround(a, b, shift, cards)): number[] {
  const points = curve(a, b, shift, way).cubics.flatMap((c) => Array.from({ length: 201 }, (_, i) => on(c, i / 200)));
  return cards.flatMap((c, i) =>
    c !== a && c !== b && points.some((p) => p.x > c.x && p.x < c.x + c.w && p.y > c.y && p.y < c.y + c.h) ? [i] : [],
  );
}

describe("APP-1 a line", () => {
  it("never runs through a card of a laid-out team, whichever agents it connects", () => {
    for (const cards of [rows(1, 4, 4), rows(1, 4, 3), rows(2, 6, 5, 6), rows(1, 6), rows(3, 1, 3, 2, 5)]) {
      for (const a of cards)
        for (const b of cards)
          for (const shift of [0, 16])
            if (a !== b) expect(through(a, b, cards, shift), `${a.x} ${a.y} to ${b.x} ${b.y}`).toEqual([]);
    }
  });
  it("stays as it is where nothing is in its way", () => {
    const cards = rows(1, 3);
    for (const b of cards.slice(1)) expect(wayAround(cards[0]!, b, 0, cards)).toBeUndefined();
  });
  it("goes the straight way again once one of its ends is moved", () => {
    const cards = rows(1, 1, 1),
      [a, , b] = cards as [Box, Box, Box],
      way = wayAround(a, b, 0, cards),
      moved = { ...b, x: 900 };
    expect(way?.via.length).toBe(2);
    expect(curve(a, moved, 0, way).d).toBe(curve(a, moved).d);
  });
  it("is left alone where no way leads between the cards", () => {
    const [a, b] = [card(0, 0), card(0, 400)],
      wall = Array.from({ length: 12 }, (_, i) => card(-1100 + i * 185, 200));
    expect(wayAround(a, b, 0, [a, b, ...wall])).toBeUndefined();
  });
});

/** The same numbers every time. */
function dice(seed: number): (n: number) => number {
  let s = seed;
  return (n) => {
    s = (s * 1103515245 + 12345) % 2147483648;
    return Math.floor((s / 2147483648) * n);
  };
}
const pictureOf = (t: Topology): Picture => ({
  topology: t,
  marks: noMarks,
  faces: assignFaces(noFaces, t.agents),
  chosen: nothing,
  words,
});
const strokes = (p: Picture, cache = newCache()) =>
  toEdges(p, cache).map((e) => JSON.stringify([e.id, e.data?.way, e.data?.spot, e.data?.crossing]));

it("APP-1 after agents moved, lines run as if computed from scratch", () => {
  const roll = dice(7),
    id = (i: number) => `a${i}`,
    many = 24;
  let t: Topology = {
    agents: Array.from({ length: many }, (_, i) => ({
      id: id(i),
      connections: Array.from({ length: 2 }, (_, k): Connection => ({
        targetId: id((i + 1 + roll(many - 1)) % many),
        type: k ? "review" : "command",
      })),
    })),
    layout: Object.fromEntries(
      Array.from({ length: many }, (_, i) => [id(i), { x: (i % 6) * 232, y: Math.floor(i / 6) * 144 }]),
    ),
  };
  const cache = newCache();
  expect(strokes(pictureOf(t), cache).some((s) => s.includes("via"))).toBe(true);
  for (let step = 0; step < 60; step++) {
    t = { ...t, layout: { ...t.layout, [id(roll(many))]: { x: roll(40) * 32, y: roll(30) * 24 } } };
    expect(strokes(pictureOf(t), cache)).toEqual(strokes(pictureOf(t)));
  }
});
