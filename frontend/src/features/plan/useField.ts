import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { composing, isEnter } from "@/ui";

/** Saves a text. False when it was refused. */
export type Commit = (text: string) => Promise<boolean>;

/**
 * A field whose text counts once the person has left it, or pressed Enter in a single line: one step of undo. A text
 * that was refused stays, and is unsaved: it is tried again when the person leaves the field, until Escape.
 */
export function useField(value: string, commit: Commit, lines = false) {
  const [text, setText] = useState(value),
    [unsaved, setUnsaved] = useState(false);
  const typed = useRef<string>(undefined);
  useEffect(() => {
    if (typed.current === undefined) setText(value);
  }, [value]);
  const settle = () => {
    const now = typed.current;
    typed.current = undefined;
    setUnsaved(false);
    if (now === undefined || now === value) return;
    void commit(now).then((saved) => {
      if (saved || typed.current !== undefined) return;
      typed.current = now;
      setText(now);
      setUnsaved(true);
    });
  };
  const last = useRef(settle);
  useEffect(() => {
    last.current = settle;
  });
  useEffect(() => () => last.current(), []); // another task is chosen while the field has the focus
  return {
    value: text,
    unsaved,
    onText: (next: string) => {
      typed.current = next;
      setText(next);
    },
    onBlur: settle,
    onKeyDown: (e: KeyboardEvent<HTMLElement>) => {
      if (e.key === "Escape" && !composing(e)) {
        typed.current = undefined;
        setText(value);
        setUnsaved(false);
        (e.target as HTMLElement).blur();
        e.stopPropagation();
      }
      if (!lines && isEnter(e)) {
        e.preventDefault();
        settle();
      }
    },
  };
}
