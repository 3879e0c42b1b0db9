// The page's keyboard shortcuts. Screens dispatch them (useShortcuts). Buttons, menus and the palette show them (keysOf).
// The cheat sheet, the settings and docs/reference/keyboard-shortcuts.md list them in this order.

/** What keeps a shortcut from acting: a field with the focus or one that just went, an open dialog, a widget. */
export type Guard = "field" | "dialog" | "prevented";

type Row =
  | {
      /** Where it acts. The rows of a scope that nobody dispatches describe keys of a widget or of the browser. */
      scope: string;
      /** Its group in the cheat sheet. */
      group: string;
      chords: readonly string[];
      /** Further chords, which the cheat sheet leaves out. */
      also?: readonly string[];
      /** Guards that don't count. */
      even?: readonly Guard[];
      /** A key that is held down acts once. */
      once?: boolean;
    }
  /** Another meaning of a shortcut, which its handler tells apart. */
  | { group: string; as: string };

const table = {
  palette: {
    scope: "everywhere",
    group: "anywhere",
    chords: ["Mod+K"],
    even: ["field", "dialog", "prevented"],
    once: true,
  },
  save: {
    scope: "everywhere",
    group: "anywhere",
    chords: ["Mod+S"],
    even: ["field", "dialog", "prevented"],
    once: true,
  },
  saveAs: {
    scope: "everywhere",
    group: "anywhere",
    chords: ["Mod+Shift+S"],
    even: ["field", "dialog", "prevented"],
    once: true,
  },
  cheatSheet: { scope: "everywhere", group: "anywhere", chords: ["?"], even: ["dialog"] },
  closeIt: { scope: "widget", group: "anywhere", chords: ["Escape"] },

  undo: { scope: "canvas", group: "canvas", chords: ["Mod+Z"] },
  redo: { scope: "canvas", group: "canvas", chords: ["Mod+Shift+Z", "Mod+Y"] },
  review: { scope: "canvas", group: "canvas", chords: ["Mod+Enter"], even: ["field"] },

  walk: { scope: "canvas", group: "chosen", chords: ["Tab", "Shift+Tab"] },
  follow: { scope: "canvas", group: "chosen", chords: ["Alt+↑", "Alt+↓", "Alt+←", "Alt+→"] },
  lines: { scope: "canvas", group: "chosen", chords: ["L", "Shift+L"] },
  inspect: { scope: "canvas", group: "chosen", chords: ["Enter"] },
  rename: { scope: "canvas", group: "chosen", chords: ["F2"] },
  move: { scope: "canvas", group: "chosen", chords: ["↑", "↓", "←", "→"] },
  moveFine: { scope: "canvas", group: "chosen", chords: ["Shift+↑"], also: ["Shift+↓", "Shift+←", "Shift+→"] },
  clip: { scope: "browser", group: "chosen", chords: ["Mod+C", "Mod+X"] },
  paste: { scope: "browser", group: "chosen", chords: ["Mod+V"] },
  duplicate: { scope: "canvas", group: "chosen", chords: ["Mod+D"] },
  dragCopy: { scope: "pointer", group: "chosen", chords: ["Alt"] },
  dragFree: { scope: "pointer", group: "chosen", chords: ["Mod"] },
  remove: { scope: "canvas", group: "chosen", chords: ["Delete"], also: ["Backspace"] },
  all: { scope: "canvas", group: "chosen", chords: ["Mod+A"] },
  menu: { scope: "canvas", group: "chosen", chords: ["Shift+F10"], also: ["ContextMenu"] },

  alignSides: { scope: "canvas", group: "arrange", chords: ["Alt+A", "Alt+H", "Alt+D"] },
  alignLevels: { scope: "canvas", group: "arrange", chords: ["Alt+W", "Alt+V", "Alt+S"] },
  spreadX: { scope: "canvas", group: "arrange", chords: ["Alt+Shift+H"] },
  spreadY: { scope: "canvas", group: "arrange", chords: ["Alt+Shift+V"] },

  makeGroup: { scope: "canvas", group: "groups", chords: ["Mod+G"] },
  ungroup: { scope: "canvas", group: "groups", chords: ["Mod+Shift+G"] },
  fold: { scope: "canvas", group: "groups", chords: ["F"] },
  lock: { scope: "canvas", group: "groups", chords: ["Mod+Shift+L"] },

  label: { group: "line", as: "rename" },
  kind: { scope: "canvas", group: "line", chords: ["1", "2", "3"] },
  reverse: { scope: "canvas", group: "line", chords: ["R"] },
  removeLine: { group: "line", as: "remove" },
  backToAgent: { scope: "canvas", group: "line", chords: ["Escape"] },

  addAgent: { scope: "canvas", group: "draw", chords: ["A"] },
  addNote: { scope: "canvas", group: "draw", chords: ["N"] },
  connect: { scope: "canvas", group: "draw", chords: ["C"] },
  select: { scope: "canvas", group: "draw", chords: ["V"] },
  hand: { scope: "canvas", group: "draw", chords: ["H"] },

  // Tab and Shift do nothing else while a connection is drawn.
  aim: {
    scope: "connecting",
    group: "connecting",
    chords: ["↑", "↓", "←", "→"],
    also: ["Tab", "Shift+Tab", "Shift+↑", "Shift+↓", "Shift+←", "Shift+→"],
  },
  askKind: { scope: "connecting", group: "connecting", chords: ["Enter"] },
  connectAs: { scope: "connecting", group: "connecting", chords: ["1", "2", "3"] },
  stopConnecting: { scope: "connecting", group: "connecting", chords: ["Escape"] },

  fit: { scope: "canvas", group: "view", chords: ["0"] },
  zoomIn: { scope: "canvas", group: "view", chords: ["+"], also: ["="] },
  zoomOut: { scope: "canvas", group: "view", chords: ["-"] },
  findAgent: { scope: "search", group: "view", chords: ["Mod+F"], even: ["field", "prevented"] },
  nextMatch: { scope: "searchBar", group: "view", chords: ["Enter", "Shift+Enter"], also: ["F3", "Shift+F3"] },

  nextChange: { scope: "review", group: "review", chords: ["N", "P"], also: ["J", "K", "↓", "↑", "→", "←"] },
  apply: { scope: "review", group: "review", chords: ["Mod+Enter"], even: ["prevented"] },
  backToCanvas: { scope: "reviewHead", group: "review", chords: ["Escape"] },

  nextConflict: { scope: "merge", group: "merge", chords: ["J", "K"], also: ["↓", "↑"] },
  chooseSide: { scope: "merge", group: "merge", chords: ["1", "2", "3", "4"] },
  undoChoice: { scope: "merge", group: "merge", chords: ["Mod+Z"] },
  goOn: { scope: "merge", group: "merge", chords: ["Mod+Enter"], even: ["prevented"] },
  decideLater: { group: "merge", as: "backToCanvas" },

  nextQuestion: { scope: "inbox", group: "inbox", chords: ["J", "K"], also: ["↓", "↑"], once: true },
  allowOnce: { scope: "inbox", group: "inbox", chords: ["Y"], once: true },
  denyIt: { scope: "inbox", group: "inbox", chords: ["N"], once: true },
  putOff: { scope: "inbox", group: "inbox", chords: ["E"], once: true },
  sendAnswer: { scope: "answer", group: "inbox", chords: ["Mod+Enter"] },

  undoPlan: { scope: "plan", group: "plan", chords: ["Mod+Z"] },
  redoPlan: { scope: "plan", group: "plan", chords: ["Mod+Shift+Z", "Mod+Y"] },
  moveTask: { scope: "planTree", group: "plan", chords: ["Alt+↑", "Alt+↓", "Alt+→", "Alt+←"] },
  deleteTask: { scope: "planTree", group: "plan", chords: ["Delete"], also: ["Backspace"] },
  setStatus: { scope: "planBoard", group: "plan", chords: ["Alt+→", "Alt+←"] },
  removeTask: { scope: "planGraph", group: "plan", chords: ["Delete"], also: ["Backspace"] },
  addNeed: { scope: "planGraph", group: "plan", chords: ["C"] },
  walkNeeds: { scope: "planGraph", group: "plan", chords: ["L", "Shift+L"] },
  zoomPlan: { scope: "planGraph", group: "plan", chords: ["+", "-", "0"] },

  findTeam: { scope: "library", group: "library", chords: ["/", "Mod+F"] },
  openTeam: { scope: "card", group: "library", chords: ["Enter"] },
  renameTeam: { scope: "cards", group: "library", chords: ["F2"] },
  duplicateTeam: { scope: "cards", group: "library", chords: ["Mod+D"] },
  deleteTeam: { scope: "cards", group: "library", chords: ["Delete"], also: ["Backspace"] },

  resize: { scope: "splitter", group: "panels", chords: ["↑", "↓", "←", "→"] },
  resizeMuch: { scope: "splitter", group: "panels", chords: ["Shift+↑"] },
  resizeEnds: { scope: "splitter", group: "panels", chords: ["Home", "End"] },
  foldPanel: { scope: "splitter", group: "panels", chords: ["Enter"] },
} as const satisfies Record<string, Row>;

type Table = typeof table;
export type ShortcutId = keyof Table;
export type Scope = Extract<Table[ShortcutId], { scope: string }>["scope"];
export type ShortcutGroup = Table[ShortcutId]["group"];
/** The shortcuts of a scope. */
export type IdOf<S extends Scope> = { [I in ShortcutId]: Table[I] extends { scope: S } ? I : never }[ShortcutId];

export const shortcuts: Readonly<Record<ShortcutId, Row & { group: ShortcutGroup }>> = table;
export const shortcutIds = Object.keys(table) as ShortcutId[];

/** The chords of a shortcut, as the cheat sheet shows them. */
export function chordsOf(id: ShortcutId): readonly string[] {
  const row = shortcuts[id];
  return "as" in row ? chordsOf(row.as as ShortcutId) : row.chords;
}

/** The chord that a button or a menu shows: the first one, or the nth from 0. */
export const keysOf = (id: ShortcutId, n = 0): string => chordsOf(id)[n] ?? "";

/** The shortcut that a chord means in a scope, and which of its chords it is. */
export function shortcutOf<S extends Scope>(scope: S, chord: string) {
  for (const id of shortcutIds) {
    const row = shortcuts[id];
    if ("as" in row || row.scope !== scope) continue;
    const n = [...row.chords, ...(row.also ?? [])].indexOf(chord);
    if (n >= 0) return { id: id as IdOf<S>, n, ...row };
  }
  return undefined;
}
