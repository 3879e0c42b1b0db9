export { FindBox } from "./FindBox";
export type { PaletteCommand, PaletteThing } from "./items";
