import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { composing, isEnter } from "@/ui";

/** A field whose text counts once the person has left it, or pressed Enter in a single line: one step of undo. */
export function useField(value: string, commit: (text: string) => void, lines = false) {
  const [text, setText] = useState(value);
  const typed = useRef<string>(undefined);
  useEffect(() => {
    if (typed.current === undefined) setText(value);
  }, [value]);
  const settle = () => {
    const now = typed.current;
    typed.current = undefined;
    if (now !== undefined && now !== value) commit(now);
  };
  const last = useRef(settle);
  useEffect(() => {
    last.current = settle;
  });
  useEffect(() => () => last.current(), []); // another task is chosen while the field has the focus
  return {
    value: text,
    onText: (next: string) => {
      typed.current = next;
      setText(next);
    },
    onBlur: settle,
    onKeyDown: (e: KeyboardEvent<HTMLElement>) => {
      if (e.key === "Escape" && !composing(e)) {
        typed.current = undefined;
        setText(value);
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
