import { useCallback, useEffect, useRef, useState } from "react";

/** How many of the texts that were typed since the focus came are remembered. */
const remembered = 100;

/**
 * The text of a field that somebody may be typing in. What is typed is never replaced: a value that follows from it,
 * even one that the owner has tidied up, waits until the focus has gone, and every value waits while an input method
 * is composing. A value that somebody else has set is shown at once: otherwise the next key would overwrite it.
 */
export function useDraftText(value: string, onText: (text: string) => void) {
  const [text, setText] = useState(value);
  const focused = useRef(false);
  const composing = useRef(false);
  const latest = useRef(value);
  const awaits = useRef(false); // something was typed, and no value has followed yet
  const typed = useRef<string[]>([]);
  useEffect(() => {
    if (latest.current === value) return;
    latest.current = value;
    const own = focused.current && (awaits.current || typed.current.includes(value));
    awaits.current = false;
    if (!own && !composing.current) setText(value);
  }, [value]);

  const change = useCallback(
    (next: string) => {
      setText(next);
      if (composing.current) return;
      awaits.current = true;
      typed.current = [...typed.current.slice(1 - remembered), next];
      onText(next);
    },
    [onText],
  );
  return {
    text,
    /** Takes the outside value now, for Escape. */
    reset: () => setText(latest.current),
    /** Shows another text, also while somebody is in the field. */
    show: setText,
    bind: {
      value: text,
      onChange: (e: { target: { value: string } }) => change(e.target.value),
      onFocus: () => {
        focused.current = true;
        awaits.current = false;
        typed.current = [];
      },
      onBlur: () => {
        focused.current = false;
        composing.current = false;
        setText(latest.current);
      },
      onCompositionStart: () => {
        composing.current = true;
      },
      onCompositionEnd: (e: { currentTarget: { value: string } }) => {
        composing.current = false;
        change(e.currentTarget.value);
      },
    },
  };
}
