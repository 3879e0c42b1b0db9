import { useSyncExternalStore } from "react";

const subscribe = (on: () => void) => {
  document.addEventListener("visibilitychange", on);
  return () => document.removeEventListener("visibilitychange", on);
};

/** Whether the page can be seen, kept current. */
export const usePageVisible = () => useSyncExternalStore(subscribe, () => document.visibilityState === "visible");
