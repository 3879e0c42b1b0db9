import type { useReactFlow } from "@xyflow/react";
import { useDrawing } from "@/stores/drawing";
import { findAgent, NODE_H, NODE_W, type AgentID, type Point } from "@/topology";

// Where things of the drawing are on the screen.

const nodeIn = (area: HTMLElement | null, id: string) => area?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);

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
  const el = here && here !== document.body ? here : ((agent && nodeIn(area, agent)) ?? area?.querySelector<HTMLElement>(".canvas-menu"));
  if (el instanceof HTMLElement) el.focus({ preventScroll: true });
  if (!ask || !el) return;
  const box = el.getBoundingClientRect();
  el.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: box.left + 16, clientY: box.top + 16 }));
}

/** The agent under a point of the screen, for dropping a line anywhere on a node. */
export function agentAt(x: number, y: number): AgentID | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>(".react-flow__node-agent")?.dataset.id;
}

/** Moves the view only when the agent is not wholly in it. */
export function bringIntoView(flow: ReturnType<typeof useReactFlow>, area: HTMLElement | null, id: AgentID): void {
  const t = useDrawing.getState().topology, p = findAgent(t, id) ? (t.layout?.[id] ?? { x: 0, y: 0 }) : undefined;
  if (!p || !area) return;
  const r = area.getBoundingClientRect(), zoom = flow.getZoom();
  const at = flow.flowToScreenPosition(p);
  if (at.x > r.left + 8 && at.y > r.top + 8 && at.x + NODE_W * zoom < r.right - 8 && at.y + NODE_H * zoom < r.bottom - 8) return;
  void flow.setCenter(p.x + NODE_W / 2, p.y + NODE_H / 2, { zoom: Math.max(zoom, 0.6), duration: 160 });
}
