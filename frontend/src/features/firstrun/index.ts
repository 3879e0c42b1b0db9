export { showGuide, useGuide, watchProgress } from "./progress";
export { startTour } from "./tour";
