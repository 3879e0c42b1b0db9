export { DrawingMenu } from "./DrawingMenu";
export { openDialog, setRenaming } from "./dialogs";
export * as drawingCommands from "./actions";
export * as fileCommands from "./files";
export { useTemplates } from "./useTemplates";
export { FileDrop } from "./FileDrop";
export { watchHanded } from "./handed";
