import { create } from "zustand";
import { useLogPlace } from "@/stores/logPlace";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";

export const sections = [
  "gateways",
  "models",
  "agents",
  "calls",
  "trust",
  "security",
  "notices",
  "look",
  "keys",
  "data",
  "about",
  "licences",
] as const;
export type Section = (typeof sections)[number];

/** The gateway or provider being added ("") or changed (its name). */
type State = {
  section?: Section;
  editing?: string;
  /** The team whose permissions are asked for. */ team?: string;
  /** The address that a new gateway begins with. */ address?: string;
  /** The head of the part gets the focus. */ arrives?: boolean;
};

/** Which part of the settings is open. On a phone none at first: the list itself is the page. */
export const useSection = create<State>()(() => ({}));

useLogPlace.subscribe((now, before) => {
  if (now.asked !== before.asked) useSection.setState({ section: "agents", editing: undefined });
});

export function openSettings(section: Section = "gateways"): void {
  useSection.setState({ section, editing: undefined, address: undefined, arrives: true });
  useUi.getState().go("settings");
}

/** Keeps the part that is open, and the team whose permissions are asked for, in the address. */
export const followSection = () =>
  keepRoute("settings", {
    read: () => {
      const { section, team } = useSection.getState();
      return { section, team: section === "trust" ? team : undefined };
    },
    show: ({ section: name, team }) => {
      const section = sections.find((s) => s === name);
      if (section) useSection.setState((s) => ({ section, editing: undefined, team: team ?? s.team }));
    },
    follow: useSection.subscribe,
  });

/** Leads to what a team asks of this computer. */
export function openTrust(team?: string): void {
  useSection.setState({ section: "trust", editing: undefined, team, arrives: true });
  useUi.getState().go("settings");
}

/** Leads to the form for a gateway; without a name, for a new one. */
export function editGateway(name = "", address?: string): void {
  useSection.setState({ section: "gateways", editing: name, address });
  useUi.getState().go("settings");
}

/** Leads to the form for a new provider. */
export function addProvider(): void {
  useSection.setState({ section: "models", editing: "" });
  useUi.getState().go("settings");
}

/** Leads to the form for another agent that runs here. */
export function addAgent(): void {
  useSection.setState({ section: "agents", editing: "" });
  useUi.getState().go("settings");
}
