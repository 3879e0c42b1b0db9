export { FindBox } from "./FindBox";
export type { PaletteCommand } from "./items";
