import type { useReactFlow } from "@xyflow/react";
import { LANE } from "@/flow";
import { useTeam } from "@/stores/team";
import { EVERYONE_BOX, findGroup, frameInside, framesOf, placed, type Box, type Room } from "@/topology";
import { noteHeight } from "./arrange";
import { everyoneThere } from "./everyone";
import { useLane } from "./lane";

/** What is seen of the canvas, and the tools that lie over it, in the coordinates of the team. */
export type Sight = { view: Box; tools: Box[] };

type View = Pick<ReturnType<typeof useReactFlow>, "getZoom" | "screenToFlowPosition">;

/** What is in view must be so wholly, with so many pixels to spare. */
export const EDGE = 8;

export function sightOf(flow: View, area: HTMLElement | null): Sight | undefined {
  const zoom = flow.getZoom();
  const boxOf = (el: Element, inset = 0): Box => {
    const r = el.getBoundingClientRect(),
      { x, y } = flow.screenToFlowPosition({ x: r.left + inset, y: r.top + inset });
    return { x, y, w: (r.width - 2 * inset) / zoom, h: (r.height - 2 * inset) / zoom };
  };
  if (!area) return undefined;
  return { view: boxOf(area, EDGE + 1), tools: [...area.querySelectorAll(".float")].map((el) => boxOf(el)) };
}

const common = (a: Box, b: Box): Box => {
  const x = Math.max(a.x, b.x),
    y = Math.max(a.y, b.y);
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
};

/** All above the team: the node of everyone would move out of view for what comes there. */
const above = ({ y, h }: Box): Box => ({ x: -FAR, y: y - FAR, w: 2 * FAR, h: FAR + h + EVERYONE_BOX.apart });
const FAR = 1e6;

/** The room for something new: in view if it can be, and under no frame but that of the group it comes into. */
export function roomFor(sight: Sight | undefined, into?: string): Room {
  const { topology } = useTeam.getState(),
    frames = framesOf(topology);
  const own = new Set([into, findGroup(topology, into)?.parent]),
    frame = into === undefined ? undefined : frames.get(into);
  const everyone = everyoneThere(),
    cards = useLane.getState().lane.nodes.map((n): Box => ({ ...n.position, w: LANE.w, h: LANE.h }));
  return {
    taken: [
      ...placed(topology, noteHeight),
      ...[...frames].flatMap(([id, box]) => (own.has(id) ? [] : [box])),
      ...cards,
      ...(everyone ? [everyone] : []),
    ],
    within: sight ? [...(frame ? [common(frameInside(frame), sight.view)] : []), sight.view] : [],
    over: sight && [...sight.tools, ...(everyone ? [above(everyone)] : [])],
  };
}
