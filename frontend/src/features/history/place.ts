import { create } from "zustand";

type Tab = "team" | "gateway";
/** Which snapshots of a gateway are listed. */
export type Show = "all" | "config" | "files";

/** What the history shows, beside the version that its address names. */
export const useHistoryPlace = create<{ tab: Tab; gateway?: string; snapshot?: string; show: Show }>()(() => ({
  tab: "team",
  show: "all",
}));

/** Has the history show a snapshot of a gateway, when it is opened next or at once. */
export const chooseSnapshot = (gateway: string, snapshot: string) =>
  useHistoryPlace.setState({ tab: "gateway", gateway, snapshot, show: "all" });
