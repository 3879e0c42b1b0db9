import { Dialog as D } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { cx } from "./cx";
import { composing } from "./ime";
import { workPlace } from "./workPlace";

export type DialogProps = {
  open: boolean;
  onOpen: (open: boolean) => void;
  title: string;
  children: ReactNode;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  width?: number;
  /** Near the top, for search. */
  top?: boolean;
  hideTitle?: boolean;
  /** After it has gone, when the focus goes back. */
  onClosed?: () => void;
};

/** What had the focus last outside of what lies above the page: a dialog that goes gives it back. */
let below: HTMLElement | undefined;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && !target.closest("[role=dialog], [role=menu], [role=listbox]")) below = target;
  });
}

/** What a dialog says. Where it scrolls and holds nothing to stop at, it is itself a stop, or the keyboard could not scroll it. */
function Body({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(false);
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const look = () =>
      setStop(
        (el.scrollHeight > el.clientHeight || el.scrollWidth > el.clientWidth) &&
          !el.querySelector("a[href], button:not(:disabled), input:not(:disabled), textarea, summary, [tabindex='0']"),
      );
    const sizes = new ResizeObserver(look),
      parts = new MutationObserver(look);
    sizes.observe(el);
    parts.observe(el, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      parts.disconnect();
    };
  }, []);
  return (
    <div ref={box} tabIndex={stop ? 0 : undefined}>
      {children}
    </div>
  );
}

/** Asks or takes input above everything. Escape and a click outside close it; the focus goes back to where it was. */
export function Dialog({ open, onOpen, title, children, footer, width, top, hideTitle, onClosed }: DialogProps) {
  return (
    <D.Root open={open} onOpenChange={onOpen}>
      <D.Portal>
        <D.Overlay className="scrim" />
        <D.Content
          className={cx("dialog", top && "dialog--top")}
          style={width ? { width: `calc(${width} * var(--u))` } : undefined}
          aria-describedby={undefined}
          onEscapeKeyDown={(e) => {
            if (composing(e)) e.preventDefault();
          }}
          onCloseAutoFocus={(e) => {
            e.preventDefault();
            if (below) (below.isConnected ? below : workPlace())?.focus({ preventScroll: true });
            onClosed?.();
          }}
        >
          {hideTitle ? (
            <D.Title className="sr-only">{title}</D.Title>
          ) : (
            <header role="presentation">
              <D.Title className="text-16 font-[600] wrap-anywhere">{title}</D.Title>
            </header>
          )}
          {hideTitle ? children : <Body>{children}</Body>}
          {footer && <footer role="presentation">{footer}</footer>}
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}
