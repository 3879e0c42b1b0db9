import { Popover as P } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

export type CoachProps = {
  /** What is spoken of; without it the card stands in the middle below. */
  target: () => Element | null;
  /** Read aloud as the name of the card. */
  label: string;
  /** Changes with every step: the focus goes to the card then. */
  step: string;
  children: ReactNode;
  onLeave: () => void;
};

/** A card beside a part of the real screen, with a ring around the part. The screen stays usable. */
export function Coach({ target, label, step, children, onLeave }: CoachProps) {
  const ring = useRef<HTMLDivElement>(null),
    card = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState<"bottom" | "left" | "right">("bottom");
  const anchor = useRef({
    getBoundingClientRect: () =>
      target()?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight - 120, 0, 0),
  });
  useEffect(() => {
    anchor.current.getBoundingClientRect = () =>
      target()?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight - 120, 0, 0);
    let frame = 0,
      last: string | undefined;
    const follow = () => {
      frame = requestAnimationFrame(follow);
      const r = target()?.getBoundingClientRect(),
        el = ring.current;
      const now = r ? `${r.x},${r.y},${r.width},${r.height}` : "";
      if (!el || now === last) return;
      last = now;
      el.hidden = !r;
      // A part as high as the window leaves no room above or below it, and at the edge stand others of its kind.
      setSide(
        r && r.right < 72
          ? "right"
          : !r || r.height < innerHeight * 0.6
            ? "bottom"
            : r.x + r.width / 2 > innerWidth / 2
              ? "left"
              : "right",
      );
      if (r)
        Object.assign(el.style, {
          left: `${r.x - 4}px`,
          top: `${r.y - 4}px`,
          width: `${r.width + 8}px`,
          height: `${r.height + 8}px`,
        });
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [target]);
  useEffect(() => {
    card.current?.focus();
  }, [step]);
  return (
    <>
      {createPortal(<div ref={ring} className="coach-ring" hidden aria-hidden />, document.body)}
      <P.Root open>
        <P.Anchor virtualRef={anchor} />
        <P.Portal>
          <P.Content
            ref={card}
            key={step}
            className="coach"
            aria-label={label}
            tabIndex={-1}
            side={side}
            sideOffset={12}
            collisionPadding={12}
            updatePositionStrategy="always"
            onOpenAutoFocus={(e) => {
              e.preventDefault();
              card.current?.focus();
            }}
            onInteractOutside={(e) => e.preventDefault()}
            onFocusOutside={(e) => e.preventDefault()}
            onEscapeKeyDown={(e) => {
              e.preventDefault();
              onLeave();
            }}
            onKeyDown={(e) => {
              if (e.key === "Escape") {
                e.stopPropagation();
                onLeave();
              }
            }}
          >
            {children}
            <P.Arrow className="coach-arrow" width={14} height={7} />
          </P.Content>
        </P.Portal>
      </P.Root>
    </>
  );
}
