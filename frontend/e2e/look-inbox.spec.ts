import { inboxScenes } from "./scenes/inbox.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(inboxScenes, english, japanese, large, largePhone);
