import { settingsScenes } from "./scenes/settings.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(settingsScenes, english, japanese, large, largePhone);
