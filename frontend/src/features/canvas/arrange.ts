import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import {
  align,
  distribute,
  LEAST_NOTE,
  moveItems,
  placed,
  placesOf,
  type Alignment,
  type Axis,
  type Chosen,
  type Note,
} from "@/topology";

export const leastNote = LEAST_NOTE.height;
const heights = new Map<string, number>();

/** Remembers how high the page drew a note; it grows with its text. */
export const sawNote = (id: string, height: number) => heights.set(id, height);
export const noteHeight = (n: Note) => n.height || heights.get(n.id) || leastNote;

export const canAlign = (c: Chosen) => c.agents.length + c.notes.length > 1;
export const canDistribute = (c: Chosen) => c.agents.length + c.notes.length > 2;

/** Lines up or spreads out what is chosen, as one step. */
export function arrange(how: { align: Alignment } | { distribute: Axis }): void {
  const { chosen } = useUi.getState();
  const boxes = placed(useTeam.getState().topology, noteHeight, chosen);
  const next = "align" in how ? align(boxes, how.align) : distribute(boxes, how.distribute);
  const moved = next.filter((b, i) => Math.round(b.x) !== boxes[i]?.x || Math.round(b.y) !== boxes[i]?.y);
  if (moved.length)
    useTeam
      .getState()
      .edit(`edit.${"align" in how ? "align" : "distribute"}|${boxes.length}`, (d) => moveItems(d, placesOf(moved)));
}
