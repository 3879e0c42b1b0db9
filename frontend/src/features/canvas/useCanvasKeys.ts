import { useReactFlow } from "@xyflow/react";
import { useEffect, type RefObject } from "react";
import { groupOfNode } from "@/flow";
import { useDrawing } from "@/stores/drawing";
import { useUi } from "@/stores/ui";
import { KINDS, refusal } from "@/topology";
import { composing, inField, isMac, mod } from "@/ui";
import { connectAgents } from "./actions";
import { movesOn, takeLost } from "./goTo";
import { tellWhy } from "./refused";
import { aimAt, askKind, stopConnecting, useConnecting } from "./connecting";
import { anywhere, chordOf, onCanvas, type Canvas } from "./keys";
import { aimMenu, bringIntoView, focusNode, screenPlace } from "./view";
import { isDirection, nextInDirection, walkOrder } from "./walk";

type Options = { area: RefObject<HTMLElement | null>; enabled: boolean } & Omit<Canvas, "flow">;

/** Keys while a connection is drawn with them: arrows aim, Enter and 1 2 3 connect, Escape ends. */
function whileConnecting(e: KeyboardEvent, area: HTMLElement | null): boolean {
  const { from, targets, aimed, byKeys } = useConnecting.getState();
  if (!from) return false;
  if (e.key === "Escape") {
    stopConnecting();
    return true;
  }
  if (!byKeys || !targets) return false;
  const topology = useDrawing.getState().topology;
  if (isDirection(e.key)) {
    aimAt(nextInDirection(topology, aimed ?? from, e.key, targets) ?? aimed);
    return true;
  }
  const kind = KINDS[Number(e.key) - 1];
  if (aimed && kind && !refusal(topology, { from, to: aimed, kind })) {
    stopConnecting();
    connectAgents({ from, to: aimed, kind });
    return true;
  }
  if (aimed && e.key === "Enter") {
    askKind(from, aimed, screenPlace(area, aimed));
    return true;
  }
  return e.key === "Tab";
}

/** Tab goes from agent to agent, and to the groups around them, in reading order, and leaves the canvas at its ends. */
function walk(e: KeyboardEvent, flow: Canvas["flow"], area: HTMLElement | null): boolean {
  const here = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  const order = walkOrder(useDrawing.getState().topology),
    gone = takeLost();
  const at = here ? order.indexOf(here) : document.activeElement?.matches(".canvas-menu") ? gone : undefined;
  if (at === undefined || at < 0) return false;
  const next = order[at + (e.shiftKey ? -1 : here ? 1 : 0)];
  if (!next) return false;
  const group = groupOfNode(next);
  useUi.getState().choose(group === undefined ? { agents: [next] } : { groups: [group] });
  bringIntoView(flow, area, next);
  focusNode(area, next);
  return true;
}

/** Ctrl+Enter reviews from the inspector's fields, too: what is typed there is saved by then. */
const reviewsFromField = (e: KeyboardEvent) =>
  mod(e) && e.key === "Enter" && !!(e.target as HTMLElement).closest(".panel--side :is(input, textarea)");

/** The keys of the canvas. Letters and arrows act only when no field has the focus. */
export function useCanvasKeys({ area, enabled, add, write, paste }: Options): void {
  const flow = useReactFlow();
  useEffect(() => {
    if (!enabled) return;
    const given: Canvas = { flow, add, write, paste };
    const inCanvas = (e: KeyboardEvent) => area.current?.contains(e.target as Node) || e.target === document.body;
    const plain = (e: KeyboardEvent) => !e.ctrlKey && !e.metaKey && !e.altKey;

    const take = (e: KeyboardEvent): boolean => {
      const drawn = useDrawing.getState().topology;
      const chord = chordOf(e),
        always = anywhere[chord],
        canvas = { ...given, ...movesOn(flow, area.current, () => walkOrder(drawn)) };
      if (always) return always(canvas) !== false || tellWhy(chord, canvas.focused);
      // A letter or an arrow may mean something to a button or a tab; a chord does not.
      if (!inCanvas(e) && (plain(e) || isDirection(e.key))) return false;
      if (plain(e) && whileConnecting(e, area.current)) return true;
      if (plain(e) && e.key === "Tab") return walk(e, flow, area.current);
      if (chord === "ContextMenu" || chord === "Shift+F10") {
        aimMenu(area.current, useUi.getState().chosen.agents[0], isMac);
        return isMac;
      }
      if (e.key === "Enter" && (e.target as HTMLElement).closest("button")) return false;
      const act = onCanvas[chord];
      return !!act && (act(canvas) !== false || tellWhy(chord, canvas.focused));
    };
    const onKey = (e: KeyboardEvent) => {
      if (composing(e) || e.defaultPrevented || (inField(e.target) && !reviewsFromField(e))) return;
      if (take(e)) e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [area, enabled, flow, add, write, paste]);
}
