import { useEffect, useRef } from "react";
import { composing } from "./ime";

/**
 * Stands for what was asked for and is being fetched: keys pressed meanwhile are meant for it, so they go to `onKey` and
 * nowhere else.
 */
export function KeysAhead({ onKey }: { onKey: (e: KeyboardEvent) => void }) {
  const latest = useRef(onKey);
  useEffect(() => { latest.current = onKey; });
  useEffect(() => {
    const take = (e: KeyboardEvent) => {
      if (composing(e)) return;
      e.preventDefault();
      e.stopPropagation();
      latest.current(e);
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
