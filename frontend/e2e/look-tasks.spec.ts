import { planScenes } from "./scenes/plan.ts";
import { taskScenes } from "./scenes/tasks.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll([...taskScenes, ...planScenes], english, japanese, large, largePhone);
