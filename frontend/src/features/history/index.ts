export { followVersion, showVersion } from "./useChosen";
