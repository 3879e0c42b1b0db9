import { NODE_H, NODE_W, type Point } from "../topology";

/** What stands somewhere with a name in its middle. */
export type Named = { position: Point };

const cellOf = (x: number, y: number) => `${Math.floor(x / NODE_W)} ${Math.floor(y / NODE_H)}`;
/** The cells of a grid of boxes that a rectangle lies in. */
function cells(x: number, y: number, w: number, h: number): Set<string> {
  const found = new Set<string>();
  for (const cx of [x, x + w]) for (const cy of [y, y + h]) found.add(cellOf(cx, cy));
  return found;
}

/**
 * Those whose name lies behind a box that stands in front, later in the list: two names upon each other can be read by nobody.
 * `size` says how large a name is, no larger than a box.
 */
export function covered<T extends Named>(all: readonly T[], size: (n: T) => { w: number; h: number }): ReadonlySet<T> {
  const inFront = new Map<string, Point[]>(),
    hidden = new Set<T>();
  for (const n of [...all].reverse()) {
    const { x, y } = n.position,
      { w, h } = size(n),
      left = x + (NODE_W - w) / 2,
      top = y + (NODE_H - h) / 2;
    const upon = (p: Point) => p.x < left + w && p.x + NODE_W > left && p.y < top + h && p.y + NODE_H > top;
    if ([...cells(left, top, w, h)].some((c) => inFront.get(c)?.some(upon))) hidden.add(n);
    for (const c of cells(x, y, NODE_W, NODE_H)) {
      const had = inFront.get(c);
      if (had) had.push(n.position);
      else inFront.set(c, [n.position]);
    }
  }
  return hidden;
}
