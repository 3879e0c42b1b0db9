import { talkScenes } from "./scenes/talk.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(talkScenes, englishLarge, japanese, largePhone);
