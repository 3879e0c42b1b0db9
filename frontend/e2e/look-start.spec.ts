import { startScenes } from "./scenes/start.ts";
import { english, japanese, walkAll } from "./walk.ts";

walkAll(startScenes, english, japanese);
