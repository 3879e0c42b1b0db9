import { changeScenes } from "./scenes/changes.ts";
import { englishLarge, japanese, largePhone, phone, walkAll } from "./walk.ts";

walkAll(changeScenes.slice(2), englishLarge, japanese, largePhone);
walkAll(changeScenes.slice(2, 3), phone);
