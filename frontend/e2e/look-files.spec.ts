import { fileScenes } from "./scenes/files.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(fileScenes, english, japanese, large, largePhone);
