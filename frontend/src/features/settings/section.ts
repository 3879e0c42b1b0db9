import { create } from "zustand";
import { useUi } from "@/stores/ui";

export const sections = ["gateways", "look", "keys", "about"] as const;
export type Section = (typeof sections)[number];

/** The gateway being added ("") or changed (its name). */
type State = { section?: Section; editing?: string };

/** Which part of the settings is open. On a phone none at first: the list itself is the page. */
export const useSection = create<State>()(() => ({}));

export function openSettings(section: Section = "gateways"): void {
  useSection.setState({ section, editing: undefined });
  useUi.getState().go("settings");
}

/** Leads to the form for a gateway; without a name, for a new one. */
export function editGateway(name = ""): void {
  useSection.setState({ section: "gateways", editing: name });
  useUi.getState().go("settings");
}
