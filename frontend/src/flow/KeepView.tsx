import { getViewportForBounds, useReactFlow, useStore, useStoreApi, type FitViewOptions } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";

type Size = { width: number; height: number; outer: string; /** When the window got its size. */ at: number };

/** How long panels can take to follow a new size of the window, in ms. */
const settling = 500;

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
    height = useStore((s) => s.height);
  const last = useRef<Size>(undefined);
  useLayoutEffect(() => {
    if (!width || !height) return;
    const was = last.current,
      outer = `${innerWidth} ${innerHeight}`;
    const now = performance.now(),
      resized = was && was.outer !== outer ? now : (was?.at ?? -settling);
    last.current = { width, height, outer, at: resized };
    // While somebody draws, a panel that opens moves nothing: only the window does.
    const inside = was?.outer === outer,
      settled = now - resized >= settling;
    if (!was || (inside && settled && !panes) || !getNodes().length) return;
    const {
        transform: [x, y, zoom],
        minZoom,
      } = store.getState(),
      all = getNodesBounds(getNodes());
    const fitted = (w: number, h: number) => getViewportForBounds(all, w, h, minZoom, most, padding);
    const then = fitted(was.width, was.height),
      whole = Math.abs(then.zoom - zoom) < 0.001 && Math.abs(then.x - x) < 2 && Math.abs(then.y - y) < 2;
    if (inside && !whole) return;
    void setViewport(
      whole ? fitted(width, height) : { x: x + (width - was.width) / 2, y: y + (height - was.height) / 2, zoom },
    );
  }, [width, height, padding, most, panes, store, getNodes, getNodesBounds, setViewport]);
  return null;
}
