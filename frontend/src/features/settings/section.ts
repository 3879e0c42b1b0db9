import { create } from "zustand";
import { useLogPlace } from "@/stores/logPlace";
import { decoded } from "@/stores/address";
import { useUi } from "@/stores/ui";

export const sections = [
  "gateways",
  "models",
  "agents",
  "calls",
  "trust",
  "security",
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
};

/** Which part of the settings is open. On a phone none at first: the list itself is the page. */
export const useSection = create<State>()(() => ({}));

useLogPlace.subscribe((now, before) => {
  if (now.asked !== before.asked) useSection.setState({ section: "agents", editing: undefined });
});

export function openSettings(section: Section = "gateways"): void {
  useSection.setState({ section, editing: undefined, address: undefined });
  useUi.getState().go("settings");
}

const screen = "#/settings";
const addressOf = ({ section, team }: State) =>
  [screen, ...(section ? [section] : []), ...(section === "trust" && team ? [encodeURIComponent(team)] : [])].join("/");
const isHere = () => location.hash === screen || location.hash.startsWith(`${screen}/`);

/** Another part was chosen from elsewhere: it stands, whatever part the address of the settings had last. */
let ahead = false;

function readAddress(): void {
  if (!isHere()) return;
  if (ahead) {
    ahead = false;
    history.replaceState(history.state, "", addressOf(useSection.getState()));
    return;
  }
  const [, , name, team] = location.hash.split("/"),
    section = sections.find((s) => s === name);
  const now = useSection.getState();
  if (section && (section !== now.section || (team && decoded(team) !== now.team)))
    useSection.setState({ section, editing: undefined, team: team ? decoded(team) : undefined });
}

if (typeof window !== "undefined") {
  readAddress();
  addEventListener("hashchange", readAddress);
  useSection.subscribe((now, before) => {
    if (now.section === before.section && now.team === before.team) return;
    if (!isHere()) ahead = true;
    else if (location.hash !== addressOf(now)) location.hash = addressOf(now);
  });
}

/** Leads to what a team asks of this computer. */
export function openTrust(team?: string): void {
  useSection.setState({ section: "trust", editing: undefined, team });
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
