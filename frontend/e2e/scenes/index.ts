import { askingScenes } from "./asking.ts";
import { canvasScenes } from "./canvas.ts";
import { changeScenes } from "./changes.ts";
import { fileScenes } from "./files.ts";
import { inboxScenes } from "./inbox.ts";
import type { Scene } from "./scene.ts";
import { planScenes } from "./plan.ts";
import { settingsScenes } from "./settings.ts";
import { startScenes } from "./start.ts";
import { talkScenes } from "./talk.ts";
import { taskScenes } from "./tasks.ts";

/** Every screen there is, and what opens over it. */
export const scenes: Scene[] = [
  ...startScenes,
  ...canvasScenes,
  ...changeScenes,
  ...fileScenes,
  ...inboxScenes,
  ...planScenes,
  ...settingsScenes,
  ...talkScenes,
  ...taskScenes,
  ...askingScenes,
];
