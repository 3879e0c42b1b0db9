import { useReactFlow, useStoreApi, type Viewport } from "@xyflow/react";
import { useEffect, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useUi } from "@/stores/ui";
import { nothing, type Chosen, type Point } from "@/topology";
import { useConnecting } from "./connecting";
import { settle } from "./steering";

/** The middle of the fingers, and how far they are apart. */
function grip(fingers: Iterable<Point>): { at: Point; spread: number } {
  const all = [...fingers],
    n = all.length || 1;
  const at = { x: all.reduce((s, p) => s + p.x, 0) / n, y: all.reduce((s, p) => s + p.y, 0) / n };
  return { at, spread: all.reduce((s, p) => s + Math.hypot(p.x - at.x, p.y - at.y), 0) / n };
}

/** The view in which the fingers still hold what they took hold of. */
export function viewHeld(
  was: Viewport,
  from: ReturnType<typeof grip>,
  to: ReturnType<typeof grip>,
  least: number,
  most: number,
): Viewport {
  const zoom = Math.min(
      most,
      Math.max(least, from.spread && to.spread ? (was.zoom * to.spread) / from.spread : was.zoom),
    ),
    by = zoom / was.zoom;
  return { zoom, x: to.at.x - (from.at.x - was.x) * by, y: to.at.y - (from.at.y - was.y) * by };
}

/** A drag or a box that the first finger had begun is none: a second one moves the view. */
function letGo(first: { id: number; target: EventTarget; touch?: Touch }): void {
  settle();
  first.target.dispatchEvent(
    new PointerEvent("pointercancel", { pointerId: first.id, pointerType: "touch", isPrimary: true, bubbles: true }),
  );
  if (first.touch)
    first.target.dispatchEvent(
      new TouchEvent("touchcancel", { changedTouches: [first.touch], bubbles: true, cancelable: true }),
    );
}

/**
 * While things are selected with a finger, two fingers move the view and zoom it, wherever they are put down; React Flow
 * has either a box or a pinch for a finger on the canvas. Tells whether it is a finger that is used.
 */
export function useFingers(area: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const flow = useReactFlow(),
    store = useStoreApi();
  const [touch, setTouch] = useState(() => matchMedia("(pointer: coarse)").matches);
  useEffect(() => {
    const el = area.current,
      off = new AbortController(),
      on = { signal: off.signal, capture: true };
    // It comes before the finger is down, so that what happens then is already what a finger means.
    el?.addEventListener(
      "pointerover",
      (e) => {
        const now = e.pointerType === "touch";
        flushSync(() => setTouch(now));
      },
      on,
    );
    return () => off.abort();
  }, [area]);
  useEffect(() => {
    const el = area.current;
    if (!el || !enabled) return;
    const fingers = new Map<number, Point>(),
      off = new AbortController(),
      on = { signal: off.signal, capture: true };
    let first: Parameters<typeof letGo>[0] | undefined,
      held: { was: Viewport; from: ReturnType<typeof grip> } | undefined,
      chosen: Chosen = nothing;
    const place = (e: PointerEvent): Point => {
      const r = el.getBoundingClientRect();
      return { x: e.clientX - r.left, y: e.clientY - r.top };
    };
    const hold = () => {
      held = { was: flow.getViewport(), from: grip(fingers.values()) };
    };
    const down = (e: PointerEvent) => {
      if (
        e.pointerType !== "touch" ||
        !(e.target instanceof Element) ||
        !e.target.closest(".react-flow") ||
        useConnecting.getState().from
      )
        return;
      if (!fingers.size) {
        first = { id: e.pointerId, target: e.target };
        chosen = useUi.getState().chosen;
      }
      fingers.set(e.pointerId, place(e));
      if (fingers.size < 2) return;
      e.stopPropagation();
      if (!held && first) {
        letGo(first);
        store.setState({ userSelectionActive: false, userSelectionRect: null });
        useUi.getState().choose(chosen);
      }
      hold();
    };
    const move = (e: PointerEvent) => {
      if (!fingers.has(e.pointerId)) return;
      fingers.set(e.pointerId, place(e));
      if (!held) return;
      e.stopPropagation();
      const { minZoom, maxZoom } = store.getState();
      void flow.setViewport(viewHeld(held.was, held.from, grip(fingers.values()), minZoom, maxZoom));
    };
    const up = (e: PointerEvent) => {
      if (!e.isTrusted || !fingers.delete(e.pointerId) || !held) return;
      if (fingers.size) hold();
      else held = undefined;
    };
    el.addEventListener("pointerdown", down, on);
    el.addEventListener("pointermove", move, on);
    el.addEventListener("pointerup", up, on);
    el.addEventListener("pointercancel", up, on);
    el.addEventListener(
      "touchstart",
      (e) => {
        if (held) e.stopPropagation();
        else if (first) first.touch = e.changedTouches[0];
      },
      on,
    );
    el.addEventListener(
      "touchmove",
      (e) => {
        if (held) e.stopPropagation();
      },
      on,
    );
    return () => off.abort();
  }, [area, enabled, flow, store]);
  return touch;
}
