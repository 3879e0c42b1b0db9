import { startScenes } from "./scenes/start.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(startScenes, englishLarge, japanese, largePhone);
