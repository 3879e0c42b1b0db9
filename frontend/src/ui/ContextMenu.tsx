import {
  cloneElement,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { KeysAhead } from "./KeysAhead";

/** A menu that was asked for: where on the screen, and what ends it. */
export type MenuPlace = { at: { x: number; y: number }; onClose: () => void };

type Props = {
  /** One element; it is asked anywhere in it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
  /** Called before the menu opens, with the element it is for. */
  onAsk?: (el: HTMLElement, at: MenuPlace["at"]) => void;
  /** The menu itself, a MenuAt; it may be fetched when it is first asked for. */
  menu: (place: MenuPlace) => ReactNode;
  disabled?: boolean;
};

/** How long a finger stays, and how little it moves meanwhile, until the menu opens. */
const stays = 500,
  wobble = 10;

/** A menu on a right click, the menu key, or a finger that stays, anywhere in its child. */
export function ContextMenu({ children, onAsk, menu, disabled }: Props) {
  const [at, setAt] = useState<MenuPlace["at"]>();
  const onClose = useCallback(() => setAt(undefined), []);
  const ask = (el: EventTarget, place: MenuPlace["at"]) => {
    if (disabled) return;
    onAsk?.(el as HTMLElement, place);
    setAt(place);
  };
  const finger = useFinger(ask);
  const part = children.props;
  const both =
    <E,>(theirs: ((e: E) => void) | undefined, ours: (e: E) => void) =>
    (e: E) => {
      theirs?.(e);
      ours(e);
    };
  return (
    <>
      {cloneElement(children, {
        onContextMenu: both(part.onContextMenu, (e: MouseEvent) => {
          finger.lift();
          e.preventDefault();
          ask(e.target, { x: e.clientX, y: e.clientY });
        }),
        onPointerDownCapture: both(part.onPointerDownCapture, finger.down),
        onPointerMoveCapture: both(part.onPointerMoveCapture, finger.move),
        onPointerUpCapture: both(part.onPointerUpCapture, finger.lift),
        onPointerCancelCapture: both(part.onPointerCancelCapture, finger.lift),
      })}
      {at && (
        <Suspense
          fallback={
            <KeysAhead
              onKey={(e) => {
                if (e.key === "Escape") onClose();
              }}
            />
          }
        >
          {menu({ at, onClose })}
        </Suspense>
      )}
    </>
  );
}

/** The finger that opened a menu is no click when it is lifted. */
function leaveOut(): void {
  const off = new AbortController(),
    on = { capture: true, passive: false, signal: off.signal };
  addEventListener(
    "touchend",
    (e) => {
      off.abort();
      e.preventDefault();
    },
    on,
  );
  addEventListener("touchcancel", () => off.abort(), on);
}

/** Watches for one finger that stays where it is; some browsers tell that as a right click, the others not at all. */
function useFinger(ask: (el: EventTarget, at: MenuPlace["at"]) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined),
    from = useRef<MenuPlace["at"]>(undefined);
  const lift = useCallback(() => {
    clearTimeout(timer.current);
    from.current = undefined;
  }, []);
  useEffect(() => lift, [lift]);
  return {
    lift,
    down: (e: PointerEvent) => {
      const second = !!from.current;
      lift();
      if (e.pointerType === "mouse" || second) return;
      const { target } = e,
        at = { x: e.clientX, y: e.clientY };
      from.current = at;
      timer.current = setTimeout(() => {
        lift();
        leaveOut();
        ask(target, at);
      }, stays);
    },
    move: (e: PointerEvent) => {
      if (from.current && Math.hypot(e.clientX - from.current.x, e.clientY - from.current.y) > wobble) lift();
    },
  };
}
