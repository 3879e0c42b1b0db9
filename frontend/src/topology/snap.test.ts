import { describe, expect, it } from "vitest";
import { snapper, type Box } from ".";

const node = (x: number, y: number): Box => ({ x, y, w: 180, h: 70 });

describe("snapping", () => {
  it("catches edges and middles within reach, and says between what", () => {
    const snap = snapper([node(100, 0), { x: 400, y: 300, w: 100, h: 40 }]);
    expect(snap(node(104, 200), 6)).toEqual({
      dx: -4,
      dy: 0,
      caught: { x: true, y: false },
      guides: [
        { axis: "x", at: 100, from: 0, to: 270 },
        { axis: "x", at: 280, from: 0, to: 270 },
        { axis: "x", at: 190, from: 0, to: 270 },
      ],
      gaps: [],
    });
    expect(snap(node(363, 500), 6)).toMatchObject({ dx: -3, guides: [{ axis: "x", at: 450, from: 300, to: 570 }] });
    expect(snap(node(110, 200), 6)).toEqual({ dx: 0, dy: 0, caught: { x: false, y: false }, guides: [], gaps: [] });
  });
  it("catches both ways at once", () =>
    expect(snapper([node(0, 0)])(node(3, -2), 6)).toMatchObject({ dx: -3, dy: 2, caught: { x: true, y: true } }));
  it("takes the nearest of several", () =>
    expect(snapper([node(100, 0), node(105, 1000)])(node(104, 400), 6)).toMatchObject({ dx: 1 }));
  it("makes gaps equal: between two, after a pair, and before one", () => {
    const row = [node(0, 0), node(500, 10)];
    expect(snapper(row)(node(253, 20), 6)).toMatchObject({
      dx: -3,
      gaps: [
        { axis: "x", from: 180, to: 250, at: 45 },
        { axis: "x", from: 430, to: 500, at: 50 },
      ],
    });
    expect(snapper([node(0, 0), node(220, 0)])(node(437, 30), 6)).toMatchObject({
      dx: 3,
      gaps: [
        { from: 180, to: 220 },
        { from: 400, to: 440 },
      ],
    });
    expect(snapper([node(300, 0), node(520, 0)])(node(82, 30), 6)).toMatchObject({
      dx: -2,
      gaps: [
        { from: 260, to: 300 },
        { from: 480, to: 520 },
      ],
    });
    expect(snapper([node(0, 0), node(20, 300)])(node(30, 152), 6)).toMatchObject({
      dy: -2,
      gaps: [
        { axis: "y", from: 70, to: 150 },
        { axis: "y", from: 220, to: 300 },
      ],
    });
  });
  it("minds no gap to what is out of the row", () =>
    expect(snapper([node(0, 0), node(500, 400)])(node(253, 20), 6).gaps).toEqual([]));
  it("answers at once among a thousand", () => {
    const boxes = Array.from({ length: 1000 }, (_, i) => node((i % 40) * 212, Math.floor(i / 40) * 120));
    const snap = snapper(boxes);
    let n = 0;
    for (let i = 0; i < 200; i++) n += snap(node(i * 40 + 3, i * 11), 6).caught.x ? 1 : 0;
    expect(n).toBeGreaterThan(0);
  });
});
