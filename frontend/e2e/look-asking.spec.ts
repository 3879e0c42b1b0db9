import { askingScenes } from "./scenes/asking.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(askingScenes, english, japanese, large, largePhone);
