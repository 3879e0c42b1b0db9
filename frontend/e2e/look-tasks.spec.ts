import { planScenes } from "./scenes/plan.ts";
import { taskScenes } from "./scenes/tasks.ts";
import { englishLarge, japanese, largePhone, walkAll } from "./walk.ts";

walkAll([...taskScenes, ...planScenes], englishLarge, japanese, largePhone);
