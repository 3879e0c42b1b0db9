import { useCallback, useMemo, useSyncExternalStore } from "react";
import { forText, onTextScale, textScale } from "./width";

/** How large text is, kept current. */
export const useTextScale = () => useSyncExternalStore(onTextScale, textScale);

/** Whether a media query holds, kept current; widths and heights are meant for text at its usual size. */
export function useMedia(query: string): boolean {
  const q = forText(query, useTextScale());
  const m = useMemo(() => matchMedia(q), [q]);
  const subscribe = useCallback(
    (on: () => void) => {
      m.addEventListener("change", on);
      return () => m.removeEventListener("change", on);
    },
    [m],
  );
  return useSyncExternalStore(subscribe, () => m.matches);
}
