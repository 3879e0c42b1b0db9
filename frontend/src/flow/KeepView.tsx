import {
  getViewportForBounds,
  useReactFlow,
  useStore,
  useStoreApi,
  type FitViewOptions,
  type Rect,
} from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";

type Size = {
  width: number;
  height: number;
  outer: string;
  /** When the window got its size. */ at: number;
  /** The bounds of the drawing. */ all: Rect;
};

/** How long panels can take to follow a new size of the window, in ms. */
const settling = 500;

/** A smaller canvas is one that a panel covers until it follows the window. */
const least = 100;

/**
 * When the window becomes another size: all of the drawing stays in view where it was fitted in, else the middle stays in the
 * middle. With `panes` a panel that opens counts, too, where the drawing was fitted in.
 */
export function KeepView({
  fit: { padding, maxZoom: most },
  panes,
}: {
  fit: { padding: NonNullable<FitViewOptions["padding"]>; maxZoom: number };
  panes?: boolean;
}) {
  const { getNodes, getNodesBounds, setViewport } = useReactFlow();
  const store = useStoreApi(),
    width = useStore((s) => s.width),
    height = useStore((s) => s.height),
    count = useStore((s) => s.nodes.length);
  const last = useRef<Size>(undefined);
  useLayoutEffect(() => {
    if (width < least || height < least) return;
    const was = last.current,
      all = getNodesBounds(getNodes()),
      outer = `${innerWidth} ${innerHeight}`;
    const now = performance.now(),
      resized = was && was.outer !== outer ? now : (was?.at ?? -settling);
    last.current = { width, height, outer, at: resized, all };
    // While somebody draws, a panel that opens moves nothing: only the window does.
    const inside = was?.outer === outer,
      same = was?.width === width && was.height === height,
      settled = now - resized >= settling;
    if (!was || (settled && (same || (inside && !panes))) || !count) return;
    const {
      transform: [x, y, zoom],
      minZoom,
    } = store.getState();
    const fitted = (bounds: Rect, w: number, h: number) => getViewportForBounds(bounds, w, h, minZoom, most, padding);
    // What is drawn can change with the size: the channels leave a phone.
    const whole = [was.all, all].some((bounds) => {
      const then = fitted(bounds, was.width, was.height);
      return Math.abs(then.zoom - zoom) < 0.001 && Math.abs(then.x - x) < 2 && Math.abs(then.y - y) < 2;
    });
    if (inside && !whole) return;
    void setViewport(
      whole ? fitted(all, width, height) : { x: x + (width - was.width) / 2, y: y + (height - was.height) / 2, zoom },
    );
  }, [width, height, count, padding, most, panes, store, getNodes, getNodesBounds, setViewport]);
  return null;
}
