export { CanvasScreen, type CanvasSlots } from "./CanvasScreen";
export { SavedState } from "./SavedState";
export * as canvasActions from "./actions";
export * as canvasGroups from "./groups";
