import { useLayoutEffect, type RefObject } from "react";
import { setRead } from "@/stores/inbox";

const slack = 2;

/** Whether the end of a text is in view, within everything that scrolls around it. */
function inView(end: Element, view: Element): boolean {
  const { top, bottom } = end.getBoundingClientRect();
  for (let around = end.parentElement; around && view.contains(around); around = around.parentElement) {
    if (around.scrollHeight <= around.clientHeight || getComputedStyle(around).overflowY === "visible") continue;
    const box = around.getBoundingClientRect();
    if (bottom > box.bottom + slack || top < box.top - slack) return false;
  }
  return true;
}

/** Notes that a question was read once the end of everything it is about ([data-end]) has been in view. */
export function useRead(ref: RefObject<HTMLElement | null>, id: string): void {
  useLayoutEffect(() => {
    const view = ref.current;
    if (!view) return;
    const seen = new Set<string>();
    const look = () => {
      const ends = [...view.querySelectorAll<HTMLElement>("[data-end]")];
      for (const end of ends) if (inView(end, view)) seen.add(end.dataset.end ?? "");
      if (ends.every((end) => seen.has(end.dataset.end ?? ""))) setRead(id);
    };
    look();
    view.addEventListener("scroll", look, true);
    const sizes = new ResizeObserver(look);
    sizes.observe(view);
    return () => { view.removeEventListener("scroll", look, true); sizes.disconnect(); };
  }, [ref, id]);
}
