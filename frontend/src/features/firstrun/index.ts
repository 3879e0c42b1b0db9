export { StartHere, StartHereOver, useGuide } from "./StartHere";
export { showGuide, watchProgress } from "./progress";
export { Tour } from "./Tour";
export { startTour } from "./tour";
