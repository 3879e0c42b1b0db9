import type { Box, Point } from "../topology";
import { curve, hull, on, sides, type Curve, type Way } from "./geometry";

// Lines lead around the cards of agents that they do not connect.

const mostAround = 300;
/** Whether a team is small enough for its lines to look for ways; among more, nobody could follow one anyway. */
export const goAround = (agents: number, lines: number) => agents <= mostAround && lines <= mostAround;
/** How close to a card a line may come. */
const margin = 4;
/** How far from cards it passes between them, where there is room. */
const clear = 16;
/** How far it may go out of its way, sideways. */
const farthest = 300;
/** How high the room between two rows has to be for a line to turn in. */
const turn = 24;

/** Whether a straight piece of a line touches a card. */
function touches(p: Point, q: Point, c: Box): boolean {
  const left = c.x - margin,
    right = c.x + c.w + margin,
    top = c.y - margin,
    bottom = c.y + c.h + margin;
  if (
    Math.max(p.x, q.x) <= left ||
    Math.min(p.x, q.x) >= right ||
    Math.max(p.y, q.y) <= top ||
    Math.min(p.y, q.y) >= bottom
  )
    return false;
  const dx = q.x - p.x,
    dy = q.y - p.y,
    side = (x: number, y: number) => Math.sign(dx * (y - p.y) - dy * (x - p.x));
  const s = side(left, top);
  return s === 0 || side(right, top) !== s || side(left, bottom) !== s || side(right, bottom) !== s;
}

/** Whether a line runs through a card. */
export function runsThrough(line: Curve, cards: readonly Box[]): boolean {
  return line.cubics.some((cubic) => {
    const h = hull(cubic),
      steps = 12 + Math.ceil((h.w + h.h) / 64);
    const near = cards.filter(
      (c) =>
        c.x - margin < h.x + h.w && c.x + c.w + margin > h.x && c.y - margin < h.y + h.h && c.y + c.h + margin > h.y,
    );
    let p = cubic[0];
    for (let i = 1; near.length && i <= steps; i++) {
      const q = on(cubic, i / steps);
      for (const c of near) if (touches(p, q, c)) return true;
      p = q;
    }
    return false;
  });
}

/** The rows of cards between two heights, from above: how high each reaches, and who is in it. */
function rowsBetween(
  cards: readonly Box[],
  top: number,
  bottom: number,
): { top: number; bottom: number; cards: Box[] }[] {
  const rows: { top: number; bottom: number; cards: Box[] }[] = [];
  for (const c of cards) {
    if (c.y >= bottom) break;
    if (c.y + c.h <= top) continue;
    const row = rows.at(-1);
    if (row && c.y < row.bottom + turn) {
      row.bottom = Math.max(row.bottom, c.y + c.h);
      row.cards.push(c);
    } else rows.push({ top: c.y, bottom: c.y + c.h, cards: [c] });
  }
  return rows;
}

/** The place nearest to a wish where a line passes a row of cards upright. */
function gapIn(row: readonly Box[], wish: number): number | undefined {
  const taken = row
      .filter((c) => c.x - clear < wish + farthest && c.x + c.w + clear > wish - farthest)
      .map((c) => ({ from: c.x - clear, to: c.x + c.w + clear })),
    edges = [wish, ...taken.flatMap((g) => [g.from, g.to])];
  const free = edges.filter((x) => Math.abs(x - wish) <= farthest && !taken.some((g) => x > g.from && x < g.to));
  return free.sort((x, y) => Math.abs(x - wish) - Math.abs(y - wish))[0];
}

/** The way of a line from above to below, between the cards of each row that it passes. */
function downwards(upper: Box, lower: Box, shift: number, cards: readonly Box[]): Point[] | undefined {
  const top = upper.y + upper.h,
    to = { x: lower.x + lower.w / 2 + shift, y: lower.y },
    via: Point[] = [];
  let at = { x: upper.x + upper.w / 2 + shift, y: top };
  const left = Math.min(upper.x, lower.x) - farthest,
    right = Math.max(upper.x + upper.w, lower.x + lower.w) + farthest;
  for (const row of rowsBetween(
    cards.filter((c) => c.x < right && c.x + c.w > left),
    top,
    lower.y,
  )) {
    if (row.top < at.y + turn || row.bottom > to.y - turn) return undefined; // no room to turn
    const wish = at.x + ((to.x - at.x) * ((row.top + row.bottom) / 2 - at.y)) / (to.y - at.y),
      x = gapIn(row.cards, wish);
    if (x === undefined) return undefined;
    via.push({ x, y: row.top - margin }, { x, y: row.bottom + margin });
    at = { x, y: row.bottom + margin };
  }
  return via;
}

/** The way of a line that would run through other agents' cards, which come from above to below; none where it does not, or where there is no better one. */
export function wayAround(a: Box, b: Box, shift: number, cards: readonly Box[]): Way | undefined {
  const others = cards.filter((c) => c !== a && c !== b);
  if (!runsThrough(curve(a, b, shift), others)) return undefined;
  const [s] = sides(a, b),
    from = { x: a.x, y: a.y },
    to = { x: b.x, y: b.y },
    ways: Way[] = [];
  if (s === "l" || s === "r")
    ways.push({ a: from, b: to, sides: ["b", "b"], via: [] }, { a: from, b: to, sides: ["t", "t"], via: [] });
  else {
    const via = s === "b" ? downwards(a, b, shift, others) : downwards(b, a, shift, others)?.reverse();
    if (via?.length) ways.push({ a: from, b: to, sides: sides(a, b), via });
  }
  return ways.find((way) => !runsThrough(curve(a, b, shift, way), others));
}

export const sameWay = (x: Way | undefined, y: Way | undefined): boolean =>
  x === y ||
  (!!x &&
    !!y &&
    [x.a, x.b, ...x.via].every((p, i) => {
      const q = [y.a, y.b, ...y.via][i];
      return p?.x === q?.x && p?.y === q?.y;
    }) &&
    x.via.length === y.via.length &&
    x.sides.join() === y.sides.join());
