import { inboxScenes } from "./scenes/inbox.ts";
import { english, japanese, walkAll } from "./walk.ts";

walkAll(inboxScenes, english, japanese);
