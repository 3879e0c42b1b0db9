import { startScenes } from "./scenes/start.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(startScenes, english, japanese, large, largePhone);
