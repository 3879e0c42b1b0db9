export { undoApply } from "./store";
