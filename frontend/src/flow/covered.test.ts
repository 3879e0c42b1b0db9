import { expect, it } from "vitest";
import { NODE_H, NODE_W } from "../topology";
import { covered } from "./covered";

const at = (id: string, x: number, y: number) => ({ id, position: { x, y } });
const size = () => ({ w: 120, h: 26 });
const hidden = (...all: ReturnType<typeof at>[]) => [...covered(all, size)].map((n) => n.id).sort();

it("APP-1 of agents that stand upon each other the one in front keeps its name", () => {
  expect(hidden(at("a", 0, 0), at("b", 40, 10))).toEqual(["a"]);
  expect(hidden(at("b", 40, 10), at("a", 0, 0))).toEqual(["b"]);
  expect(hidden(at("a", -300, -200), at("b", -300, -200), at("c", -300, -200))).toEqual(["a", "b"]);
});

it("APP-1 a box that leaves the name free hides nothing, wherever they stand", () => {
  expect(hidden(at("a", 0, 0), at("b", NODE_W, 0), at("c", 0, NODE_H))).toEqual([]);
  expect(hidden(at("a", 0, 0), at("b", 0, NODE_H / 2 + 14))).toEqual([]);
  expect(hidden(at("a", 0, 0), at("b", 0, NODE_H / 2 + 12))).toEqual(["a"]);
});

it("APP-1 among many it finds what comparing each with each finds", () => {
  let n = 7;
  const roll = (most: number) => {
    n = (n * 1103515245 + 12345) % 2147483648;
    return n % most;
  };
  const all = Array.from({ length: 300 }, (_, i) => at(`a${i}`, roll(3000) - 1500, roll(1500) - 750));
  const byHand = all
    .filter((a, i) =>
      all.slice(i + 1).some(({ position: p }) => {
        const left = a.position.x + (NODE_W - 120) / 2,
          top = a.position.y + (NODE_H - 26) / 2;
        return p.x < left + 120 && p.x + NODE_W > left && p.y < top + 26 && p.y + NODE_H > top;
      }),
    )
    .map((a) => a.id)
    .sort();
  expect(byHand.length).toBeGreaterThan(50);
  expect(hidden(...all)).toEqual(byHand);
});
