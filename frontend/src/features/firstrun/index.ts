export { StartHere, StartHereOver, useGuide } from "./StartHere";
export { showGuide, watchProgress } from "./progress";
