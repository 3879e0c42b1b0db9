import { hub } from "../api/hub";
import type { Settings } from "../topology";
import { attempt } from "./faults";
import { onHub, useHub } from "./hub";

export const useSettings = () => useHub((s) => s.settings);

/** Whether things that are dragged catch on what stands near; Ctrl or ⌘ turns it round for the moment. */
export const snapping = () => useHub.getState().settings.snap !== "off";
export const useSnapping = () => useHub((s) => s.settings.snap !== "off");
export const setSnapping = (on: boolean) => attempt("settings", () => changeSettings({ snap: on ? "on" : "off" }));

/** Changes on their way to the hub, the oldest first, and what the hub holds without them. */
let open: Partial<Settings>[] = [];
let held: Settings | undefined;
let lane: Promise<unknown> = Promise.resolve();
const showOpen = () => {
  if (held) useHub.setState({ settings: Object.assign({}, held, ...open) as Settings });
};

/** Shows a change at once and saves one after the other. What the hub rejects is taken back, and nothing else with it. */
export function changeSettings(patch: Partial<Settings>): Promise<void> {
  if (!open.length) held = useHub.getState().settings;
  open = [...open, patch];
  showOpen();
  const save = async () => {
    try {
      held = await hub.saveSettings({ ...(held ?? useHub.getState().settings), ...patch });
    } finally {
      open = open.filter((x) => x !== patch);
      showOpen();
    }
  };
  const saved = lane.then(save);
  lane = saved.catch(() => undefined);
  return saved;
}

// What the hub tells while changes are on their way does not hold all of them yet.
onHub({
  notify: ({ settings }) => {
    if (settings && open.length) {
      held = settings;
      showOpen();
    }
  },
});

export const about = () => hub.about();
export { inWindow, saveTeamFile as saveText } from "../api/files";
