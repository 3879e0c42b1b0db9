export { followChange, undoApply } from "./store";
