export { TeamMenu } from "./TeamMenu";
export { openDialog, setRenaming } from "./dialogs";
export * as teamCommands from "./actions";
export * as fileCommands from "./files";
export { useTemplates } from "./useTemplates";
export { FileDrop } from "./FileDrop";
export { watchHanded } from "./handed";
