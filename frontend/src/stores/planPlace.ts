import { useSyncExternalStore } from "react";
import { decoded } from "./address";

const first = "#/plan";

/** The plan that the address names, or "". */
const read = () => {
  const [screen, id] = location.hash.replace(/^#\//, "").split("/");
  return screen === "plan" && id ? decoded(id) : "";
};

function subscribe(on: () => void): () => void {
  addEventListener("hashchange", on);
  return () => removeEventListener("hashchange", on);
}

export const useShownPlan = () => useSyncExternalStore(subscribe, read);

/** Shows a plan; "" shows where one is made. */
export function showPlan(id: string): void {
  location.hash = id ? `${first}/${encodeURIComponent(id)}` : first;
}
