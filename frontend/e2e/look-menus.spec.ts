import { canvasScenes } from "./scenes/canvas.ts";
import { english, japanese, large, largePhone, walkAll } from "./walk.ts";

walkAll(canvasScenes.slice(1), english, japanese, large, largePhone);
