import { talkScenes } from "./scenes/talk.ts";
import { english, japanese, walkAll } from "./walk.ts";

walkAll(talkScenes, english, japanese);
