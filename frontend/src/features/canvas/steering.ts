import { create } from "zustand";
import { groupNodeId, type FlowNode } from "@/flow";
import { useTeam } from "@/stores/team";
import { snapping } from "@/stores/settings";
import {
  bounds,
  insideOf,
  NODE_H,
  NODE_W,
  NOTE_W,
  snapper,
  type Box,
  type Gap,
  type Guide,
  type Point,
  type Snap,
} from "@/topology";
import { snap as toGrid } from "./actions";

// A drag on its way: it catches on what stands near, and with Alt it leaves a copy.

/** Where nodes stand while they are dragged, by node id. */
export type Places = ReadonlyMap<string, Point>;
export type View = { transform: readonly [number, number, number]; width: number; height: number };

/** How near, in pixels of the screen, things catch. */
const reach = 6;
const freely: Snap = { dx: 0, dy: 0, caught: { x: false, y: false }, guides: [], gaps: [] };

/** What is drawn while things are dragged. */
export const useGuides = create<{ guides: readonly Guide[]; gaps: readonly Gap[] }>()(() => ({ guides: [], gaps: [] }));
const hide = () => {
  if (useGuides.getState().guides.length || useGuides.getState().gaps.length)
    useGuides.setState({ guides: [], gaps: [] });
};

type Drag = { snap: (b: Box, reach: number) => Snap; transform: View["transform"]; at: Places };
let drag: Drag | undefined;
/** The keys that are held; a pointer's event tells them before React Flow acts on it. */
const held = { free: false, copy: false };

const boxOf = (n: FlowNode, at: Point = n.position): Box => ({
  ...at,
  w: n.width ?? n.measured?.width ?? (n.type === "note" ? NOTE_W : NODE_W),
  h: n.height ?? n.measured?.height ?? NODE_H,
});

/** What stays and is in view; a frame that changes with what is dragged does not count. */
function others(nodes: readonly FlowNode[], moved: Places, { transform: [x, y, zoom], width, height }: View): Box[] {
  const t = useTeam.getState().topology;
  const grows = new Set(
    (t.groups ?? [])
      .filter((g) => moved.has(groupNodeId(g.id)) || insideOf(t, g.id).some((id) => moved.has(id)))
      .map((g) => groupNodeId(g.id)),
  );
  const carried = new Set(
    (t.groups ?? []).filter((g) => moved.has(groupNodeId(g.id))).flatMap((g) => insideOf(t, g.id)),
  );
  const left = -x / zoom,
    top = -y / zoom,
    right = left + width / zoom,
    bottom = top + height / zoom;
  return nodes
    .filter((n) => !moved.has(n.id) && !grows.has(n.id) && !carried.has(n.id))
    .map((n) => boxOf(n))
    .filter((b) => b.x < right && b.x + b.w > left && b.y < bottom && b.y + b.h > top);
}

/** Where things really go that the pointer has brought to `at`: to what they catch on, else to the grid. */
export function steer(at: Places, nodes: readonly FlowNode[], view: View): Places {
  if (!drag || drag.transform !== view.transform)
    drag = { snap: snapper(others(nodes, at, view)), transform: view.transform, at };
  const byId = new Map(nodes.map((n) => [n.id, n]));
  const box = bounds(
    [...at].flatMap(([id, p]) => {
      const n = byId.get(id);
      return n ? [boxOf(n, p)] : [];
    }),
  );
  const on = snapping() !== held.free;
  const s = on ? drag.snap(box, reach / view.transform[2]) : freely;
  const by = {
    x: s.caught.x ? s.dx : on ? toGrid(box.x) - box.x : 0,
    y: s.caught.y ? s.dy : on ? toGrid(box.y) - box.y : 0,
  };
  if (s.guides.length || s.gaps.length) useGuides.setState({ guides: s.guides, gaps: s.gaps });
  else hide();
  drag.at = new Map([...at].map(([id, p]) => [id, { x: p.x + by.x, y: p.y + by.y }]));
  return drag.at;
}

/** Ends the drag: where things were last, and whether copies of them go there instead. Undefined where nothing moved. */
export function settle(): { at: Places; copy: boolean } | undefined {
  const ended = drag && { at: drag.at, copy: held.copy };
  drag = undefined;
  hide();
  return ended;
}

/** Watches the keys that change a drag; `copying` learns of Alt while something is dragged. */
export function watchHeld(copying: (on: boolean) => void): () => void {
  const see = (e: PointerEvent | KeyboardEvent) => {
    held.free = e.ctrlKey || e.metaKey;
    held.copy = e.altKey;
    copying(!!drag && held.copy);
  };
  const names = ["pointermove", "pointerup", "keydown", "keyup"] as const;
  for (const n of names) addEventListener(n, see, true);
  return () => {
    for (const n of names) removeEventListener(n, see, true);
  };
}

/** Where a copy of a node would stand; it cannot be touched. */
export const ghostOf = (n: FlowNode, at: Point): FlowNode => ({
  ...n,
  id: `copy ${n.id}`,
  position: at,
  selected: true,
  selectable: false,
  draggable: false,
  connectable: false,
  focusable: false,
  zIndex: 3,
});
