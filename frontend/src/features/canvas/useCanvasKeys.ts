import { useReactFlow } from "@xyflow/react";
import { useEffect, type RefObject } from "react";
import { useDrawing } from "@/stores/drawing";
import { useUi } from "@/stores/ui";
import { findAgent, KINDS, nothing, readingOrder, refusal, type AgentID, type Point } from "@/topology";
import { composing, inField, mod } from "@/ui";
import { deleteChosen, duplicateChosen, nudge, openReview, redo, selectAll, undo } from "./actions";
import { aimAt, askKind, startConnecting, stopConnecting, useConnecting } from "./connecting";
import { connectAgents } from "./actions";
import { directions, isDirection, nextInDirection } from "./walk";
import { fitOptions } from "./ZoomControl";

type Options = { area: RefObject<HTMLElement | null>; enabled: boolean; startNaming: (id: AgentID) => void; addAt: (what: "agent" | "note") => void };

/** Focuses a node's element; it may have to be scrolled into view and mounted first. */
export function focusNode(area: HTMLElement | null, id: string, tries = 12): void {
  const el = area?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  if (el) el.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusNode(area, id, tries - 1));
}

/** The keys of the canvas. Letters and arrows act only when no field has the focus. */
export function useCanvasKeys({ area, enabled, startNaming, addAt }: Options): void {
  const flow = useReactFlow();
  useEffect(() => {
    if (!enabled) return;
    const onCanvas = (e: KeyboardEvent) => area.current?.contains(e.target as Node) || e.target === document.body;

    const withMod = (e: KeyboardEvent): boolean => {
      const key = e.key.toLowerCase();
      if (key === "z") void (e.shiftKey ? redo() : undo());
      else if (key === "y") void redo();
      else if (e.key === "Enter") { if (useDrawing.getState().unsent) openReview(); }
      else if (!onCanvas(e)) return false;
      else if (key === "a") selectAll();
      else if (key === "d") duplicateChosen();
      else return false;
      return true;
    };

    const whileConnecting = (e: KeyboardEvent): boolean => {
      const { from, targets, aimed, byKeys } = useConnecting.getState();
      if (!from) return false;
      if (e.key === "Escape") { stopConnecting(); return true; }
      if (!byKeys || !targets) return false;
      const topology = useDrawing.getState().topology;
      if (isDirection(e.key)) { aimAt(nextInDirection(topology, aimed ?? from, e.key, targets) ?? aimed); return true; }
      const kind = KINDS[Number(e.key) - 1];
      if (aimed && kind && !refusal(topology, { from, to: aimed, kind })) { stopConnecting(); connectAgents({ from, to: aimed, kind }); return true; }
      if (aimed && e.key === "Enter") { askKind(from, aimed, screenPlace(area.current, aimed)); return true; }
      return e.key === "Tab";
    };

    const walk = (e: KeyboardEvent): boolean => {
      const here = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
      if (!here) return false;
      const order = readingOrder(useDrawing.getState().topology);
      const next = order[order.indexOf(here) + (e.shiftKey ? -1 : 1)];
      if (!next || !order.includes(here)) return false;
      useUi.getState().choose({ agents: [next] });
      bringIntoView(flow, area.current, next);
      focusNode(area.current, next);
      return true;
    };

    const plain = (e: KeyboardEvent): boolean => {
      const ui = useUi.getState(), only = ui.chosen.agents.length === 1 ? ui.chosen.agents[0] : undefined;
      if (isDirection(e.key)) {
        if (!ui.chosen.agents.length && !ui.chosen.notes.length) return false;
        const d = directions[e.key], step = e.shiftKey ? 1 : 8;
        nudge(d.x * step, d.y * step);
        return true;
      }
      const acts: Record<string, (() => void) | undefined> = {
        Delete: deleteChosen, Backspace: deleteChosen, Escape: () => ui.choose(nothing), "0": () => void flow.fitView(fitOptions),
        "+": () => void flow.zoomIn({ duration: 160 }), "=": () => void flow.zoomIn({ duration: 160 }), "-": () => void flow.zoomOut({ duration: 160 }),
        v: () => ui.setTool("select"), h: () => ui.setTool("hand"), a: () => addAt("agent"), n: () => addAt("note"),
        c: only ? () => startConnecting(only, true) : undefined, F2: only ? () => startNaming(only) : undefined,
        Enter: only ? () => ui.askField("name") : undefined,
      };
      const act = acts[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      act?.();
      return !!act;
    };

    const onKey = (e: KeyboardEvent) => {
      if (composing(e) || e.defaultPrevented || inField(e.target)) return;
      const used = mod(e) && !e.altKey ? withMod(e)
        : e.ctrlKey || e.metaKey || e.altKey || !onCanvas(e) ? false
        : whileConnecting(e) || (e.key === "Tab" ? walk(e) : e.key === "Enter" && (e.target as HTMLElement).closest("button") ? false : plain(e));
      if (used) e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [area, enabled, flow, startNaming, addAt]);
}

function screenPlace(area: HTMLElement | null, id: AgentID): Point {
  const box = area?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.bottom } : { x: innerWidth / 2, y: innerHeight / 2 };
}

/** Moves the view only when the agent is not wholly in it. */
export function bringIntoView(flow: ReturnType<typeof useReactFlow>, area: HTMLElement | null, id: AgentID): void {
  const t = useDrawing.getState().topology, p = findAgent(t, id) ? (t.layout?.[id] ?? { x: 0, y: 0 }) : undefined;
  if (!p || !area) return;
  const r = area.getBoundingClientRect(), zoom = flow.getZoom();
  const at = flow.flowToScreenPosition(p);
  if (at.x > r.left + 8 && at.y > r.top + 8 && at.x + 180 * zoom < r.right - 8 && at.y + 70 * zoom < r.bottom - 8) return;
  void flow.setCenter(p.x + 90, p.y + 35, { zoom: Math.max(zoom, 0.6), duration: 160 });
}
