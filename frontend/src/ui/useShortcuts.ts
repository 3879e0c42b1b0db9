import { useEffect, useRef } from "react";
import { fieldGone } from "./fieldGone";
import { composing, inField } from "./ime";
import { chordOf } from "./keys";
import { shortcutOf, type Guard, type IdOf, type Scope } from "./shortcuts";

/** What a shortcut does. `n` is the place of the chord in its row; false means that it did nothing, and leaves the key. */
export type Handlers<S extends Scope> = { [I in IdOf<S>]: (n: number, e: KeyboardEvent) => unknown };

type Options<S extends Scope> = {
  /** A condition of the scope, or of one of its shortcuts. */
  when?: (e: KeyboardEvent, id: IdOf<S>) => boolean;
  /** Guards that don't count for the whole scope. */
  even?: readonly Guard[];
};

export const dialogIsOpen = () => !!document.querySelector("[role=dialog]");
/** Whether a dialog covers the page. A popover doesn't. */
export const modalIsOpen = () => !!document.querySelector(".scrim");

/** Gives a key to its shortcut in a scope. True says that the key is taken. */
export function takeShortcut<S extends Scope>(
  scope: S,
  handlers: Handlers<S>,
  e: KeyboardEvent,
  { when, even = [] }: Options<S> = {},
): boolean {
  const meant = composing(e) ? undefined : shortcutOf(scope, chordOf(e));
  if (!meant) return false;
  const counts = (guard: Guard) => !even.includes(guard) && !meant.even?.includes(guard);
  if (counts("prevented") && e.defaultPrevented) return false;
  if (counts("field") && (inField(e.target) || fieldGone())) return false;
  if (counts("dialog") && dialogIsOpen()) return false;
  if (when && !when(e, meant.id)) return false;
  if (!(meant.once && e.repeat) && handlers[meant.id](meant.n, e) === false) return false;
  e.preventDefault();
  return true;
}

/** The shortcuts of a scope, for as long as the component is there. Each has its handler. */
export function useShortcuts<S extends Scope>(scope: S, handlers: Handlers<S>, options?: Options<S>): void {
  const latest = useRef({ handlers, options });
  useEffect(() => {
    latest.current = { handlers, options };
  });
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => void takeShortcut(scope, latest.current.handlers, e, latest.current.options);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [scope]);
}
