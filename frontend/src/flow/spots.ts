import { NODE_H, NODE_W, type Box, type Topology } from "../topology";

// Finds free spots on lines for marks and labels, among all agents. After a few agents moved, most spots stay valid.

/** If more agents than this moved, came or went, every spot is computed again. */
const few = 30;
/** How far a line bends out of the boxes it connects, and how far it keeps from others. */
const reach = 48;

const boxIn = (t: Topology, id: string): Box => {
  const at = t.layout?.[id];
  return { x: at?.x ?? 0, y: at?.y ?? 0, w: NODE_W, h: NODE_H };
};
const anyFolded = (t: Topology) => !!t.groups?.some((g) => g.collapsed);

/** The boxes that agents left or took between two drawings; undefined where they are too many. */
function shifted(a: Topology, b: Topology): Box[] | undefined {
  if (anyFolded(a) || anyFolded(b)) return undefined;
  const gone = new Set(a.agents.map((x) => x.id)),
    boxes: Box[] = [];
  for (const { id } of b.agents) {
    const was = gone.delete(id) ? boxIn(a, id) : undefined,
      now = boxIn(b, id);
    if (was?.x === now.x && was.y === now.y) continue;
    boxes.push(now, ...(was ? [was] : []));
    if (boxes.length > 2 * few) return undefined;
  }
  return gone.size > few ? undefined : [...boxes, ...[...gone].map((id) => boxIn(a, id))];
}

/** Returns whether a line between two boxes may need a new spot for its mark, compared with an earlier team. */
export function disturbed(was: Topology | undefined, now: Topology): (a: Box, b: Box) => boolean {
  const boxes = was && shifted(was, now);
  if (!boxes) return () => true;
  return (a, b) => {
    const left = Math.min(a.x, b.x) - reach,
      top = Math.min(a.y, b.y) - reach,
      right = Math.max(a.x + a.w, b.x + b.w) + reach,
      bottom = Math.max(a.y + a.h, b.y + b.h) + reach;
    return boxes.some((c) => c.x < right && c.x + c.w > left && c.y < bottom && c.y + c.h > top);
  };
}
