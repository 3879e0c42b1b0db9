import { changeScenes } from "./scenes/changes.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(changeScenes.slice(0, 2), englishLarge, japanese, largePhone);
