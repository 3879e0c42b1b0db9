import { settingsScenes } from "./scenes/settings.ts";
import { english, japanese, walkAll } from "./walk.ts";

walkAll(settingsScenes, english, japanese);
