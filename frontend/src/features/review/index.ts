export { ApplyNotices } from "./ApplyNotices";
export { ApplyStatus } from "./ApplyStatus";
export { MergeScreen } from "./MergeScreen";
export { ReviewScreen } from "./ReviewScreen";
export { undoApply } from "./store";
