import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

const slack = 2;

/** Whether the end of a text is in view, within everything that scrolls around it and within the window. */
function inView(end: Element): boolean {
  const { top, bottom } = end.getBoundingClientRect();
  if (bottom > innerHeight + slack || top < -slack) return false;
  for (let around = end.parentElement; around; around = around.parentElement) {
    if (around.scrollHeight <= around.clientHeight || getComputedStyle(around).overflowY === "visible") continue;
    const box = around.getBoundingClientRect();
    if (bottom > box.bottom + slack || top < box.top - slack) return false;
  }
  return true;
}

/** Calls back once the end of each part ([data-end]) has been in view. A different `of` starts over. */
export function useSeen(ref: RefObject<HTMLElement | null>, of: string, onSeen: () => void): void {
  const told = useRef(onSeen);
  useEffect(() => {
    told.current = onSeen;
  });
  useLayoutEffect(() => {
    const view = ref.current;
    if (!view) return;
    const seen = new Set<string>();
    let done = false;
    const look = () => {
      const ends = [...view.querySelectorAll<HTMLElement>("[data-end]")];
      if (done || !view.checkVisibility({ visibilityProperty: true })) return;
      for (const end of ends) if (inView(end)) seen.add(end.dataset.end ?? "");
      if (!ends.every((end) => seen.has(end.dataset.end ?? ""))) return;
      done = true;
      told.current();
    };
    look();
    document.addEventListener("scroll", look, true);
    addEventListener("resize", look);
    const sizes = new ResizeObserver(look);
    sizes.observe(view);
    return () => {
      document.removeEventListener("scroll", look, true);
      removeEventListener("resize", look);
      sizes.disconnect();
    };
  }, [ref, of]);
}
