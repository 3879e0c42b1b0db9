import { useStore, useStoreApi } from "@xyflow/react";
import { memo, useEffect, useId, useRef } from "react";

/** How far dots are apart and how large they are, in units. */
const gap = 16,
  size = 2;
/** If dots would be closer than this on the screen, every other one is left out. */
const closest = 8;
/** A team of more things is moved as one image: redrawing it in each frame takes too long. */
const many = 60;
/** How long after its last move the view counts as still, in ms. */
const stillAfter = 500;

const stepAt = (zoom: number) => {
  let step = gap;
  while (step * zoom < closest) step *= 2;
  return step * zoom;
};

/**
 * The dotted paper behind a drawing. It is drawn once a zoom, one step larger than the view, and then only moved; while the
 * view moves and nothing else, the same is asked for everything on it.
 */
export const Paper = memo(function Paper() {
  const ref = useRef<SVGSVGElement>(null),
    id = useId();
  const store = useStoreApi(),
    zoom = useStore((s) => s.transform[2]);
  const step = stepAt(zoom),
    r = (size / 2) * Math.min(1, zoom);
  useEffect(() => {
    const el = ref.current,
      view = el?.parentElement?.querySelector<HTMLElement>(".react-flow__viewport");
    if (!el) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const still = () => {
      if (view) view.style.willChange = "";
    };
    const place = () => {
      const [x, y] = store.getState().transform,
        scale = devicePixelRatio,
        to = (n: number) => Math.round((((n % step) + step) % step) * scale) / scale;
      el.style.transform = `translate(${to(x)}px, ${to(y)}px)`;
    };
    place();
    const off = store.subscribe((s, was) => {
      const [x, y, k] = s.transform,
        [px, py, pk] = was.transform;
      if (k !== pk) {
        clearTimeout(timer);
        still();
        return;
      }
      if (x === px && y === py) return;
      place();
      if (!view || s.nodes.length <= many) return;
      view.style.willChange = "transform";
      clearTimeout(timer);
      timer = setTimeout(still, stillAfter);
    });
    return () => {
      off();
      clearTimeout(timer);
      still();
    };
  }, [store, step]);
  return (
    <svg
      ref={ref}
      className="paper"
      style={{ left: -step, top: -step, width: `calc(100% + ${2 * step}px)`, height: `calc(100% + ${2 * step}px)` }}
      aria-hidden
    >
      <pattern id={id} width={step} height={step} patternUnits="userSpaceOnUse">
        <circle cx={step / 2} cy={step / 2} r={r} />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
});
