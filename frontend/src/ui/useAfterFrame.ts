import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** Where no frame is made, as in a page that nobody sees, it is done after so many milliseconds. */
const latest = 100;
/** What must find everything told: another key, a press (a screen reader may send the click alone), another field, another window, the end of the page. */
const turns = ["keydown", "pointerdown", "click", "focusout", "blur", "visibilitychange", "beforeunload", "pagehide"];

const waiting = new Set<() => void>();
const tellAll = () => {
  for (const tell of [...waiting]) tell();
};
let watching = false;
function watch(): void {
  if (watching) return;
  watching = true;
  for (const turn of turns) addEventListener(turn, tellAll, true);
}

/**
 * A function that does its work after the next frame, once for what it was last given: so a letter is seen before all that
 * follows from it is worked out. Nothing else that a person does comes before it.
 */
export function useAfterFrame<T>(act: (what: T) => void): (what: T) => void {
  const now = useRef(act),
    next = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    now.current = act;
  }, [act]);
  useEffect(() => () => next.current?.(), []);
  return useCallback((what: T) => {
    watch();
    if (next.current) waiting.delete(next.current);
    const tell = () => {
      clearTimeout(timer);
      if (!waiting.delete(tell)) return;
      next.current = undefined;
      now.current(what);
    };
    const timer = setTimeout(tell, latest);
    waiting.add(tell);
    next.current = tell;
    requestAnimationFrame(() => setTimeout(tell));
  }, []);
}
