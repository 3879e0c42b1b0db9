import { fileScenes } from "./scenes/files.ts";
import { english, japanese, walkAll } from "./walk.ts";

walkAll(fileScenes, english, japanese);
