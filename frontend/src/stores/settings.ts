import { hub } from "../api/hub";
import type { Settings } from "../topology";
import { attempt } from "./faults";
import { useHub } from "./hub";

export const useSettings = () => useHub((s) => s.settings);

/** Whether things that are dragged catch on what stands near; Ctrl or ⌘ turns it round for the moment. */
export const snapping = () => useHub.getState().settings.snap !== "off";
export const useSnapping = () => useHub((s) => s.settings.snap !== "off");
export const setSnapping = (on: boolean) => attempt("settings", () => changeSettings({ snap: on ? "on" : "off" }));

/** Shows the new settings at once; puts the old ones back when the hub will not have them. */
export async function changeSettings(patch: Partial<Settings>): Promise<void> {
  const before = useHub.getState().settings;
  const settings = { ...before, ...patch };
  useHub.setState({ settings });
  try {
    useHub.setState({ settings: await hub.saveSettings(settings) });
  } catch (e) {
    if (useHub.getState().settings === settings) useHub.setState({ settings: before });
    throw e;
  }
}

export const about = () => hub.about();
export { licences, type Licence } from "../api/licences";
export { inWindow, saveTeamFile as saveText } from "../api/files";
