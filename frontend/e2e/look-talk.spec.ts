import { talkScenes } from "./scenes/talk.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(talkScenes, english, japanese, large, largePhone);
