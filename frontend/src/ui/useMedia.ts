import { useCallback, useSyncExternalStore } from "react";
import { forText, onTextScale, textScale } from "./width";

/** How large text is, kept current. */
export const useTextScale = () => useSyncExternalStore(onTextScale, textScale);

/** Whether a media query holds, kept current; widths and heights are meant for text at its usual size. */
export function useMedia(query: string): boolean {
  const q = forText(query, useTextScale());
  const subscribe = useCallback((on: () => void) => {
    const m = matchMedia(q);
    m.addEventListener("change", on);
    return () => m.removeEventListener("change", on);
  }, [q]);
  return useSyncExternalStore(subscribe, () => matchMedia(q).matches);
}
