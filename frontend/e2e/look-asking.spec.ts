import { askingScenes } from "./scenes/asking.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(askingScenes, englishLarge, japanese, largePhone);
