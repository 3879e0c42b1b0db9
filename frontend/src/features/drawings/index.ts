export { DrawingMenu } from "./DrawingMenu";
export { DrawingDialogs } from "./DrawingDialogs";
export { openDialog, setRenaming } from "./dialogs";
export * as drawingCommands from "./actions";
