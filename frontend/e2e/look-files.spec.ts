import { fileScenes } from "./scenes/files.ts";
import { english, japanese, large, largePhone, phone, walkAll } from "./walk.ts";

walkAll(fileScenes, english, japanese, large, largePhone, phone);
