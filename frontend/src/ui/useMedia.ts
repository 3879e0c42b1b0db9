import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds, kept current. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback((on: () => void) => {
    const m = matchMedia(query);
    m.addEventListener("change", on);
    return () => m.removeEventListener("change", on);
  }, [query]);
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
