import type { KeyIn } from "@/i18n/textKeys";

export type KeyRow = { id: KeyIn<"settings.keys">; chords: string[] };

/** The keys that act, as the canvas and the palette take them. */
export const keyGroups: { id: KeyIn<"settings.keys.group">; keys: KeyRow[] }[] = [
  {
    id: "anywhere",
    keys: [
      { id: "palette", chords: ["Mod+K"] },
      { id: "undo", chords: ["Mod+Z"] },
      { id: "redo", chords: ["Mod+Shift+Z", "Mod+Y"] },
      { id: "review", chords: ["Mod+Enter"] },
      { id: "save", chords: ["Mod+S"] },
      { id: "saveAs", chords: ["Mod+Shift+S"] },
      { id: "cheatSheet", chords: ["?"] },
      { id: "closeIt", chords: ["Escape"] },
    ],
  },
  {
    id: "chosen",
    keys: [
      { id: "walk", chords: ["Tab", "Shift+Tab"] },
      { id: "follow", chords: ["Alt+↑", "Alt+↓", "Alt+←", "Alt+→"] },
      { id: "lines", chords: ["L", "Shift+L"] },
      { id: "inspect", chords: ["Enter"] },
      { id: "rename", chords: ["F2"] },
      { id: "move", chords: ["↑", "↓", "←", "→"] },
      { id: "moveFine", chords: ["Shift+↑"] },
      { id: "clip", chords: ["Mod+C", "Mod+X"] },
      { id: "paste", chords: ["Mod+V"] },
      { id: "duplicate", chords: ["Mod+D"] },
      { id: "dragCopy", chords: ["Alt"] },
      { id: "dragFree", chords: ["Mod"] },
      { id: "remove", chords: ["Delete"] },
      { id: "all", chords: ["Mod+A"] },
      { id: "menu", chords: ["Shift+F10"] },
    ],
  },
  {
    id: "arrange",
    keys: [
      { id: "alignSides", chords: ["Alt+A", "Alt+H", "Alt+D"] },
      { id: "alignLevels", chords: ["Alt+W", "Alt+V", "Alt+S"] },
      { id: "spreadX", chords: ["Alt+Shift+H"] },
      { id: "spreadY", chords: ["Alt+Shift+V"] },
    ],
  },
  {
    id: "groups",
    keys: [
      { id: "makeGroup", chords: ["Mod+G"] },
      { id: "ungroup", chords: ["Mod+Shift+G"] },
      { id: "fold", chords: ["F"] },
      { id: "lock", chords: ["Mod+Shift+L"] },
    ],
  },
  {
    id: "line",
    keys: [
      { id: "label", chords: ["F2"] },
      { id: "kind", chords: ["1", "2", "3"] },
      { id: "reverse", chords: ["R"] },
      { id: "removeLine", chords: ["Delete"] },
      { id: "backToAgent", chords: ["Escape"] },
    ],
  },
  {
    id: "draw",
    keys: [
      { id: "addAgent", chords: ["A"] },
      { id: "addNote", chords: ["N"] },
      { id: "connect", chords: ["C"] },
      { id: "kind", chords: ["1", "2", "3"] },
      { id: "select", chords: ["V"] },
      { id: "hand", chords: ["H"] },
    ],
  },
  {
    id: "view",
    keys: [
      { id: "fit", chords: ["0"] },
      { id: "zoomIn", chords: ["+"] },
      { id: "zoomOut", chords: ["-"] },
    ],
  },
  {
    id: "inbox",
    keys: [
      { id: "nextQuestion", chords: ["J", "K"] },
      { id: "allowOnce", chords: ["Y"] },
      { id: "denyIt", chords: ["N"] },
      { id: "putOff", chords: ["E"] },
    ],
  },
  {
    id: "panels",
    keys: [
      { id: "resize", chords: ["↑", "↓", "←", "→"] },
      { id: "resizeMuch", chords: ["Shift+↑"] },
      { id: "resizeEnds", chords: ["Home", "End"] },
      { id: "foldPanel", chords: ["Enter"] },
    ],
  },
];
