import { getViewportForBounds, type useReactFlow } from "@xyflow/react";
import { fitOptions, framesFor, groupOfNode, LANE, nodeBox, shownAs } from "@/flow";
import { useTeam } from "@/stores/team";
import { bounds, findAgent, noMarks, placed, type AgentID, type Box, type Point, type Topology } from "@/topology";
import { lasting } from "@/ui";
import { noteHeight } from "./arrange";
import { everyoneThere, isEveryone } from "./everyone";
import { useLane } from "./lane";
import { EDGE } from "./room";

/** As far as the view goes out. */
const least = 0.05;

// Positions of elements of the canvas on the screen.

const nodeIn = (area: HTMLElement | null, id: string) =>
  area?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);

/** Focuses a node's element; it may have to be scrolled into view and mounted first. */
export function focusNode(area: HTMLElement | null, id: string, tries = 12): void {
  const el = nodeIn(area, id);
  if (el) el.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusNode(area, id, tries - 1));
}

/** Below an agent, for what opens about it. */
export function screenPlace(area: HTMLElement | null, id: string): Point {
  const box = nodeIn(area, id)?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.bottom } : { x: innerWidth / 2, y: innerHeight / 2 };
}

/**
 * Before the menu key does its work: it goes to what has the focus, so the focus goes to what is chosen. Where the
 * platform has no such key, the menu is asked for here.
 */
export function aimMenu(area: HTMLElement | null, agent: AgentID | undefined, ask: boolean): void {
  const here = document.activeElement;
  const el =
    here && here !== document.body
      ? here
      : ((agent && nodeIn(area, agent)) ?? area?.querySelector<HTMLElement>(".canvas-menu"));
  if (el instanceof HTMLElement) el.focus({ preventScroll: true });
  if (!ask || !el) return;
  const box = el.getBoundingClientRect();
  el.dispatchEvent(
    new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: box.left + 16, clientY: box.top + 16 }),
  );
}

/** The agent under a point of the screen, for dropping a line anywhere on a node. */
export function agentAt(x: number, y: number): AgentID | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>(".react-flow__node-agent")?.dataset.id;
}

/** Where an agent, a note or a group is shown: itself, its frame, or the folded group around it. */
function boxOf(t: Topology, node: string): Box | undefined {
  const card = useLane.getState().lane.nodes.find((n) => n.id === node);
  if (card) return { ...card.position, w: LANE.w, h: LANE.h };
  if (isEveryone(node)) return everyoneThere();
  if (node.startsWith("note:")) return placed(t, noteHeight, { agents: [], notes: [node.slice(5)] })[0];
  const group = groupOfNode(node),
    f = framesFor(t, false, noMarks);
  const frame = group === undefined ? undefined : f.boxes.get(group);
  if (frame && ![...f.folded.values()].includes(group ?? "")) return frame;
  return frame || findAgent(t, node) ? nodeBox(t, f, group === undefined ? shownAs(f, node) : node) : undefined;
}

/** A box of the team, and what is going to stand beside it: the channels, and what every agent inherits. */
function withBeside(team: Box): Box {
  const cards = useLane.getState().lane.nodes.map((n) => ({ ...n.position, w: LANE.w, h: LANE.h })),
    everyone = everyoneThere(),
    all = everyone ? [team, everyone] : [team];
  if (!cards.length) return bounds(all);
  const { h } = bounds(cards),
    y = team.y + Math.max(0, team.h - h) / 2;
  return bounds([...all, { x: team.x - LANE.aside - LANE.w, y, w: LANE.w, h }]);
}

/** Fits all of the draft into the view as it is going to stand: its nodes may still be on their way there. */
export function fitDraft(flow: ReturnType<typeof useReactFlow>, area: HTMLElement | null): void {
  const { topology } = useTeam.getState(),
    f = framesFor(topology, false, noMarks),
    all = withBeside(bounds([...placed(topology, noteHeight), ...f.boxes.values()]));
  const r = area?.getBoundingClientRect(),
    { padding, maxZoom, duration } = fitOptions();
  if (!r || !all.w) return;
  void flow.setViewport(
    getViewportForBounds(
      { x: all.x, y: all.y, width: all.w, height: all.h },
      r.width,
      r.height,
      least,
      maxZoom,
      padding,
    ),
    { duration },
  );
}

/** Moves the view only when the agent or group is not wholly in it. */
export function bringIntoView(flow: ReturnType<typeof useReactFlow>, area: HTMLElement | null, id: string): void {
  const b = boxOf(useTeam.getState().topology, id);
  if (!b || !area) return;
  const r = area.getBoundingClientRect(),
    zoom = flow.getZoom();
  const at = flow.flowToScreenPosition(b);
  const { left, top, right, bottom } = r;
  if (at.x > left + EDGE && at.x + b.w * zoom < right - EDGE && at.y > top + EDGE && at.y + b.h * zoom < bottom - EDGE)
    return;
  void flow.setCenter(b.x + b.w / 2, b.y + b.h / 2, { zoom: Math.max(zoom, 0.6), duration: lasting(160) });
}
