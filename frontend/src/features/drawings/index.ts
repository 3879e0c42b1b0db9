export { DrawingMenu } from "./DrawingMenu";
export { openDialog, setRenaming } from "./dialogs";
export * as drawingCommands from "./actions";
