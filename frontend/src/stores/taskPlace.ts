import { useSyncExternalStore } from "react";
import { decoded } from "./address";

const first = "#/tasks";

/** The task that the address names, or "". */
const read = () => {
  const [screen, id] = location.hash.replace(/^#\//, "").split("/");
  return screen === "tasks" && id ? decoded(id) : "";
};

function subscribe(on: () => void): () => void {
  addEventListener("hashchange", on);
  return () => removeEventListener("hashchange", on);
}

export const useShownTask = () => useSyncExternalStore(subscribe, read);

/** Shows a task; "" shows none. The address names it, so that it can be kept and sent. */
export function showTask(id: string): void {
  location.hash = id ? `${first}/${encodeURIComponent(id)}` : first;
}

export const taskLink = (id: string) => `${location.origin}${location.pathname}${first}/${encodeURIComponent(id)}`;
