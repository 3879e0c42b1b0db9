import { taskScenes } from "./scenes/tasks.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(taskScenes, english, japanese, large, largePhone);
