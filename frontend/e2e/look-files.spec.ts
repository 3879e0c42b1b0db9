import { fileScenes } from "./scenes/files.ts";
import { englishLarge, japanese, largePhone, phone, walkAll } from "./walk.ts";

walkAll(fileScenes, englishLarge, japanese, largePhone, phone);
