import { describe, expect, it } from "vitest";
import { curve, path, piecesIn } from "./geometry";

const box = (x: number, y: number) => ({ x, y, w: 180, h: 70 });
const everywhere = { x: -1e5, y: -1e5, w: 2e5, h: 2e5 };
const ends = (d: string) => {
  const n = [...d.matchAll(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)].map(Number);
  return { from: n.slice(0, 2), to: n.slice(-2) };
};

describe("a long line in pieces", () => {
  const line = curve(box(0, 0), box(4000, 2500));
  it("is the whole line, without a gap, and its dashes go on", () => {
    const pieces = piecesIn(line, everywhere);
    expect(pieces.length).toBe(Math.ceil(line.span / 256));
    expect([pieces[0]?.first, pieces.at(-1)?.last, pieces.filter((p) => p.first || p.last).length]).toEqual([
      true,
      true,
      2,
    ]);
    for (const [i, p] of pieces.entries()) {
      const next = pieces[i + 1],
        { from, to } = ends(path(p.cubic));
      if (next) {
        ends(path(next.cubic)).from.forEach((x, k) => expect(x).toBeCloseTo(to[k]!, 6));
        expect(next.before - p.before).toBeCloseTo(Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!), 6);
      }
    }
    const all = ends(line.d),
      first = ends(path(pieces[0]!.cubic)),
      last = ends(path(pieces.at(-1)!.cubic));
    expect([...first.from, ...last.to].map(Math.round)).toEqual([...all.from, ...all.to].map(Math.round));
  });
  it("is drawn where it is in view only", () => {
    const at = line.at(0.5),
      near = piecesIn(line, { x: at.x - 300, y: at.y - 300, w: 600, h: 600 });
    expect(near.length).toBeGreaterThan(2);
    expect(near.length).toBeLessThan(8);
    expect(near.some((p) => p.first || p.last)).toBe(false);
    expect(piecesIn(line, { x: 0, y: 2000, w: 600, h: 500 })).toEqual([]);
  });
});
