export { showVersion } from "./useChosen";
