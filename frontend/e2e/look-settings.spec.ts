import { settingsScenes } from "./scenes/settings.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(settingsScenes, englishLarge, japanese, largePhone);
