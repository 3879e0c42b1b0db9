import { useEffect, useState, type ComponentType } from "react";
import { shortcut } from "./keys";

export type Side = "top" | "right" | "bottom" | "left";

/** What makes an element show its name, and its key, as a tip. Needs one TooltipProvider above. */
export const tip = (label: string, keys?: string, side?: Side) => ({
  "data-tip": label,
  "data-tip-keys": keys,
  "data-tip-side": side,
  "aria-keyshortcuts": keys && shortcut(keys),
});

/** How long the pointer rests on something before its tip shows, and how long after one the next shows at once. */
const rests = 500,
  goesOn = 200;

/** The part that shows tips comes after the page; without the hub there is none, and the page goes on. */
export const fetchTip = () => import("./Tip");

type Part = ComponentType<{ of: HTMLElement; onGone: () => void }>;

/** Shows the tip of what the pointer rests on, or of what the keyboard has come to. */
export function TooltipProvider() {
  const [shown, setShown] = useState<{ of: HTMLElement; Tip: Part; time: number }>();
  useEffect(() => {
    let wanted: HTMLElement | undefined;
    return watchTips((of) => {
      wanted = of;
      setShown(undefined);
      if (of)
        fetchTip().then(
          ({ Tip }) => {
            if (wanted === of) setShown({ of, Tip, time: performance.now() });
          },
          () => undefined,
        );
    });
  }, []);
  return shown && <shown.Tip key={shown.time} of={shown.of} onGone={() => setShown(undefined)} />;
}

/** Calls show with the element whose tip is to be shown. Touch shows none: nothing would put it away. */
export function watchTips(show: (el: HTMLElement | undefined) => void): () => void {
  let over: HTMLElement | undefined, shown: HTMLElement | undefined, pressed: HTMLElement | undefined;
  let gone = -Infinity,
    timer: ReturnType<typeof setTimeout> | undefined;
  const to = (el: HTMLElement | undefined) => {
    clearTimeout(timer);
    if (shown && !el) gone = performance.now();
    shown = el;
    show(el);
  };
  // A finger doesn't rest on anything. What gets the focus after a tap was not come to by keyboard.
  let touched = false;
  const noHover = matchMedia("(hover: none)");
  const tipped = (e: Event) =>
    e.target instanceof Element ? (e.target.closest<HTMLElement>("[data-tip]") ?? undefined) : undefined;
  const onOver = (e: PointerEvent) => {
    const byTouch = e.pointerType === "touch" || noHover.matches,
      el = byTouch ? undefined : tipped(e);
    if (!byTouch) touched = false;
    if (el === over) return;
    const goes = !!shown || performance.now() - gone < goesOn;
    over = el;
    if (el !== pressed) pressed = undefined;
    to(undefined);
    if (!el || el === pressed) return;
    if (goes) {
      to(el);
      return;
    }
    timer = setTimeout(() => to(el), rests);
  };
  const onLeave = () => {
    over = undefined;
    to(undefined);
  };
  const onDown = (e: PointerEvent) => {
    touched = e.pointerType === "touch" || noHover.matches;
    pressed = over;
    to(undefined);
  };
  const onFocus = (e: FocusEvent) => {
    const el = tipped(e);
    if (el === e.target && !touched && el.matches(":focus-visible")) to(el);
  };
  const onBlur = (e: FocusEvent) => {
    if (shown === e.target) to(undefined);
  };
  const onScroll = (e: Event) => {
    if (shown && e.target instanceof Node && e.target.contains(shown)) to(undefined);
  };
  const off = new AbortController(),
    { signal } = off;
  document.addEventListener("pointerover", onOver, { signal });
  document.documentElement.addEventListener("pointerleave", onLeave, { signal });
  document.addEventListener("pointerdown", onDown, { signal, capture: true });
  document.addEventListener("focusin", onFocus, { signal });
  document.addEventListener("focusout", onBlur, { signal });
  document.addEventListener("scroll", onScroll, { signal, capture: true });
  return () => {
    off.abort();
    clearTimeout(timer);
  };
}
