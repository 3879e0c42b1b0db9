import { inboxScenes } from "./scenes/inbox.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll(inboxScenes, englishLarge, japanese, largePhone);
