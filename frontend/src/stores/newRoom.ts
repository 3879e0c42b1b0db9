import { create } from "zustand";
import type { AgentID } from "../topology";
import { useUi } from "./ui";

/** Whether the dialog for a new room is open, and with which agents. */
export const useNewRoom = create<{ open: boolean; agents?: readonly AgentID[] }>()(() => ({ open: false }));

useUi.subscribe((s, was) => {
  if (was.screen === "rooms" && s.screen !== "rooms") useNewRoom.setState({ open: false, agents: undefined });
});

/** Asks for the name of a room of these agents. */
export function askForRoom(agents: readonly AgentID[]): void {
  useNewRoom.setState({ open: true, agents });
  useUi.getState().go("rooms");
}
