import { useCallback, useEffect, useRef, type RefObject } from "react";

type Rows = {
  /** Moves the focus to the row with this key, which may have to be rendered first. */
  focusRow: (key: string) => void;
  /** The row that a key press is about: the one that is to have the focus, also before it has it. */
  rowOf: (target: EventTarget) => string | undefined;
};

/**
 * Focus in a virtualized list whose rows carry their key in `attribute`. A row that is scrolled to is rendered later. Until then the
 * box has the focus (it needs `focusHolder`), so that no key is lost and none is about the row before.
 */
export function useRowFocus(box: RefObject<HTMLElement | null>, attribute: "data-row" | "data-task"): Rows {
  const wanted = useRef<string>(undefined),
    rendered = useRef<MutationObserver>(undefined);
  const end = useCallback(() => {
    rendered.current?.disconnect();
    wanted.current = undefined;
  }, []);
  useEffect(() => end, [end]);
  const focusRow = useCallback(
    (key: string) => {
      end();
      const list = box.current;
      // A row that isn't measured yet is there, but hidden, and takes no focus.
      const reach = () => {
        const row = list?.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(key)}"]`);
        row?.focus({ preventScroll: true });
        return !!row && document.activeElement === row;
      };
      if (!list || reach()) return;
      wanted.current = key;
      list.focus({ preventScroll: true });
      rendered.current = new MutationObserver(() => {
        if (document.activeElement !== list || reach()) end(); // if the focus moved meanwhile, it stays there
      });
      rendered.current.observe(list, { subtree: true, childList: true, attributeFilter: ["style"] });
    },
    [box, attribute, end],
  );
  const rowOf = useCallback(
    (target: EventTarget) => {
      const own = (target as HTMLElement).closest<HTMLElement>(`[${attribute}]`)?.getAttribute(attribute);
      return own ?? wanted.current;
    },
    [attribute],
  );
  return { focusRow, rowOf };
}

/** Of the box of such a list. It has the focus for a moment only, so it shows no ring. */
export const focusHolder = { tabIndex: -1, style: { outline: "none" } } as const;
