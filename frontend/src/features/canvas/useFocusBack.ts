import type { KeyboardEvent, RefObject } from "react";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { findAgent, type AgentID } from "@/topology";
import { composing } from "@/ui";
import { focusOnly } from "./goTo";
import { lineOf } from "./lines";

/** What is being written in place on the canvas. */
type Writing = { agent?: AgentID; note?: string; connection?: string; group?: string };

/** Enter and Escape end writing in place; the focus then goes back to where it came from, so that the next key has a place to act. */
export function useFocusBack(
  area: RefObject<HTMLElement | null>,
  { agent, note, connection, group }: Writing,
): (e: KeyboardEvent) => void {
  return (e) => {
    if (
      composing(e) ||
      (e.key !== "Enter" && e.key !== "Escape") ||
      !(e.target as HTMLElement).matches("input, textarea")
    )
      return;
    const node =
      agent ??
      (note && `note:${note}`) ??
      (group && `group:${group}`) ??
      (connection && lineOf(useTeam.getState().topology, connection)?.from);
    if (!node) return;
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      // A new agent's id follows its name.
      const renamed =
        agent && !findAgent(useTeam.getState().topology, agent) ? useUi.getState().chosen.agents[0] : undefined;
      focusOnly(area.current, renamed ?? node);
    });
  };
}
