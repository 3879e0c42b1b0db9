import { useEffect, useRef } from "react";
import { composing } from "./ime";

/**
 * Stands for what was asked for and is being fetched: keys pressed meanwhile are meant for it, so they go to `onKey` and
 * nowhere else. `only` leaves the others alone.
 */
export function KeysAhead({
  onKey,
  only,
}: {
  onKey: (e: KeyboardEvent) => void;
  only?: (e: KeyboardEvent) => boolean;
}) {
  const latest = useRef({ onKey, only });
  useEffect(() => {
    latest.current = { onKey, only };
  });
  useEffect(() => {
    const take = (e: KeyboardEvent) => {
      if (composing(e) || latest.current.only?.(e) === false) return;
      e.preventDefault();
      e.stopPropagation();
      latest.current.onKey(e);
    };
    document.addEventListener("keydown", take, true);
    return () => document.removeEventListener("keydown", take, true);
  }, []);
  return null;
}

/** What the text would be after a key, for text that no field is there for yet. */
export function typedOn(text: string, e: KeyboardEvent): string {
  if (e.ctrlKey || e.metaKey || e.altKey) return text;
  return e.key === "Backspace" ? text.slice(0, -1) : e.key.length === 1 ? text + e.key : text;
}

/** A key that writes, pressed where nothing takes it. */
export const writesNowhere = (e: KeyboardEvent) =>
  !e.ctrlKey &&
  !e.metaKey &&
  !e.altKey &&
  (e.key.length === 1 || e.key === "Backspace") &&
  (e.target === document.body || e.target === null);
