import { changeScenes } from "./scenes/changes.ts";
import { english, japanese, large, largePhone, phone, walkAll } from "./walk.ts";

walkAll(changeScenes.slice(2), english, japanese, large, largePhone);
walkAll(changeScenes.slice(2, 3), phone);
