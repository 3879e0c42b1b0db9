import { create } from "zustand";
import { useUi } from "./ui";

type Place = {
  /** Whose log is open. */ log?: string;
  /** Counts the times that it was asked for from elsewhere. */ asked: number;
};

/** Whose log is looked at, in the settings. */
export const useLogPlace = create<Place>()(() => ({ asked: 0 }));

export const openLog = (id: string | undefined) => useLogPlace.setState({ log: id });

/** Leads to the agent's log from wherever one is. */
export function showLog(id: string): void {
  useLogPlace.setState((s) => ({ log: id, asked: s.asked + 1 }));
  useUi.getState().go("settings");
}
