import { useEffect, useRef, type RefObject } from "react";

export type Hold = {
  /** What is taken when a finger is held on an element; nothing where that cannot be moved. */
  take: (at: Element) => { id: string; name: string } | undefined;
  /** The finger is over an element with what it has taken. */
  over: (id: string, at: Element | null, y: number) => void;
  drop: (id: string, at: Element | null, y: number) => void;
  end: () => void;
};

const wait = 380,
  still = 8,
  edge = 44;

/** Dragging with a finger: what it is held on for a moment goes where it goes; before that the finger scrolls. */
export function useHold(box: RefObject<HTMLElement | null>, hold: Hold, enabled: boolean): void {
  const hands = useRef(hold);
  useEffect(() => {
    hands.current = hold;
  });
  useEffect(() => {
    const el = box.current;
    if (!el || !enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined,
      from = { x: 0, y: 0 },
      held: { id: string; ghost: HTMLElement } | undefined,
      touch = new AbortController();
    const off = new AbortController(),
      on = { signal: off.signal, passive: false };
    const under = (t: Touch) => document.elementFromPoint(t.clientX, t.clientY);
    const end = () => {
      touch.abort();
      clearTimeout(timer);
      timer = undefined;
      if (held) {
        held.ghost.remove();
        hands.current.end();
      }
      held = undefined;
    };
    const follow = (t: Touch) => {
      if (held) held.ghost.style.transform = `translate(${t.clientX + 8}px, ${t.clientY - 44}px)`;
    };
    el.addEventListener(
      "touchstart",
      (e) => {
        end();
        const t = e.touches[0],
          target = e.target;
        if (e.touches.length !== 1 || !t || !(target instanceof Element)) return;
        from = { x: t.clientX, y: t.clientY };
        touch = new AbortController();
        // Once scrolled out of a long list, the touched element leaves the page: then only it gets the touch events.
        const alone = { signal: touch.signal, passive: false },
          out = (tell: (e: TouchEvent) => void) => (e: Event) => {
            if (!el.contains(target)) tell(e as TouchEvent);
          };
        target.addEventListener("touchmove", out(move), alone);
        target.addEventListener("touchend", out(release), alone);
        target.addEventListener("touchcancel", out(end), alone);
        timer = setTimeout(() => {
          const taken = hands.current.take(target);
          if (!taken) return;
          const ghost = Object.assign(document.createElement("div"), {
            className: "plan-ghost",
            textContent: taken.name,
          });
          document.body.append(ghost);
          held = { id: taken.id, ghost };
          follow(t);
          hands.current.over(taken.id, under(t), t.clientY);
        }, wait);
      },
      on,
    );
    const move = (e: TouchEvent) => {
      const t = e.touches[0];
      if (!t) return;
      if (!held) {
        if (Math.hypot(t.clientX - from.x, t.clientY - from.y) > still) clearTimeout(timer);
        return;
      }
      e.preventDefault();
      follow(t);
      const at = under(t),
        list = at?.closest<HTMLElement>(".plan-tree, .plan-cards"),
        r = list?.getBoundingClientRect();
      if (list && r) list.scrollTop += t.clientY < r.top + edge ? -12 : t.clientY > r.bottom - edge ? 12 : 0;
      hands.current.over(held.id, at, t.clientY);
    };
    const release = (e: TouchEvent) => {
      const t = e.changedTouches[0];
      if (held && t) {
        e.preventDefault();
        hands.current.drop(held.id, under(t), t.clientY);
      }
      end();
    };
    el.addEventListener("touchmove", move, on);
    el.addEventListener("touchend", release, on);
    el.addEventListener("touchcancel", end, on);
    el.addEventListener(
      "contextmenu",
      (e) => {
        if (held || timer) e.preventDefault();
      },
      on,
    );
    return () => {
      end();
      off.abort();
    };
  }, [box, enabled]);
}
