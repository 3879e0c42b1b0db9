import type { Point } from "./types";

export { NODE_H, NODE_W } from "../api/constants";

/** The size that a note has at least. */
export const LEAST_NOTE = { width: 96, height: 36 };
export const NOTE_W = 152;

/** A rectangle of the canvas: its upper left corner and its size. */
export type Box = Point & { w: number; h: number };

/** The smallest rectangle around all. */
export function bounds(boxes: readonly Box[]): Box {
  let x1 = Infinity,
    y1 = Infinity,
    x2 = -Infinity,
    y2 = -Infinity;
  for (const b of boxes) {
    x1 = Math.min(x1, b.x);
    y1 = Math.min(y1, b.y);
    x2 = Math.max(x2, b.x + b.w);
    y2 = Math.max(y2, b.y + b.h);
  }
  return boxes.length ? { x: x1, y: y1, w: x2 - x1, h: y2 - y1 } : { x: 0, y: 0, w: 0, h: 0 };
}
