export { HistoryScreen } from "./HistoryScreen";
export { showVersion } from "./useChosen";
