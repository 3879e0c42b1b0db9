import type { Link } from "@/stores/planNeeds";
import { boxH, boxW, type Place, type PlanPicture } from "@/stores/planGraph";

/** Below this zoom nothing could be read: the plan is painted and not built of elements. */
export const farBelow = 0.45;
const cell = 480;

/** The part of the picture that is in view, in whole cells: it changes seldom while the view moves. */
export function cellsOf([x, y, zoom]: readonly [number, number, number], width: number, height: number): string {
  if (zoom < farBelow) return "far";
  const at = (v: number) => Math.floor(v / zoom / cell);
  return `${at(-x) - 1} ${at(-y) - 1} ${at(-x + width) + 1} ${at(-y + height) + 1}`;
}

export type Part = { ids: string[]; links: Link[]; parts: Link[] };

/** What of the picture lies in these cells; lines that only pass through count too. */
export function partOf(p: PlanPicture, cells: string): Part {
  const [a = 0, b = 0, c = 0, d = 0] = cells.split(" ").map(Number),
    x1 = a * cell,
    y1 = b * cell,
    x2 = (c + 1) * cell,
    y2 = (d + 1) * cell;
  const meets = (l: number, t: number, r: number, u: number) => l < x2 && r > x1 && t < y2 && u > y1;
  const ids: string[] = [];
  for (const [id, at] of p.places) if (meets(at.x, at.y, at.x + boxW, at.y + boxH)) ids.push(id);
  const inView = (link: Link) => {
    const f = p.places.get(link.from),
      t = p.places.get(link.to);
    return (
      !!f && !!t && meets(Math.min(f.x, t.x), Math.min(f.y, t.y), Math.max(f.x, t.x) + boxW, Math.max(f.y, t.y) + boxH)
    );
  };
  return { ids, links: p.links.filter(inView), parts: p.parts.filter(inView) };
}

/** A line from the right of one box to the left of another, as an SVG path. */
export function pathOf(from: Place, to: Place): string {
  const x1 = from.x + boxW,
    y1 = from.y + boxH / 2,
    x2 = to.x - 5,
    y2 = to.y + boxH / 2,
    bend = Math.max(28, Math.min(160, Math.abs(x2 - x1) / 2));
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

export type Way = "left" | "right" | "up" | "down";
export const wayOf: Record<string, Way> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** The nearest task that way, among those that may be gone to. */
export function nextOf(p: PlanPicture, from: string, way: Way, may: (id: string) => boolean): string | undefined {
  const at = p.places.get(from);
  if (!at) return undefined;
  let best: string | undefined,
    least = Infinity;
  for (const [id, to] of p.places) {
    if (id === from || !may(id)) continue;
    const dx = to.x - at.x,
      dy = to.y - at.y,
      along = way === "left" ? -dx : way === "right" ? dx : way === "up" ? -dy : dy,
      across = way === "left" || way === "right" ? Math.abs(dy) : Math.abs(dx);
    if (along < 1) continue;
    const far = along + across * 2.5;
    if (far < least) {
      least = far;
      best = id;
    }
  }
  return best;
}
