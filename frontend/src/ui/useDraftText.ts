import { useCallback, useEffect, useRef, useState } from "react";

/**
 * The text of a field that somebody may be typing in. While the field has the focus or an input
 * method is composing, a value that arrives from outside waits; what is typed is never replaced.
 */
export function useDraftText(value: string, onText: (text: string) => void) {
  const [text, setText] = useState(value);
  const focused = useRef(false);
  const composing = useRef(false);
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
    if (!focused.current && !composing.current) setText(value);
  }, [value]);

  const change = useCallback(
    (next: string) => {
      setText(next);
      if (!composing.current) onText(next);
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
