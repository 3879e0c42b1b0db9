export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Ctrl or, on a Mac, Command. */
export function mod(e: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return isMac ? e.metaKey : e.ctrlKey;
}

/**
 * Leaves Mod+Enter to the shortcuts of the screen. A trigger of Radix opens by Enter with any modifier, unless its
 * event is prevented. That mark is set on React's event only, because a shortcut asks the browser's.
 */
export function leaveModEnter(e: { key: string; ctrlKey: boolean; metaKey: boolean; defaultPrevented: boolean }): void {
  if (e.key === "Enter" && mod(e)) e.defaultPrevented = true;
}

const mac: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Enter: "⏎", Delete: "⌫", Escape: "esc" };
const other: Record<string, string> = { Mod: "Ctrl", Enter: "Enter", Delete: "Del", Escape: "Esc" };

const arrows: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** The chord of a key press, as the table of shortcuts writes it. */
export function chordOf(e: KeyboardEvent): string {
  // With Alt a Mac types another letter, so there the place on the keyboard counts.
  const letter =
    e.altKey && /^Key[A-Z]$/.test(e.code) ? e.code.slice(3) : e.key.length === 1 ? e.key.toUpperCase() : e.key;
  const shift = e.shiftKey && (letter.length > 1 || /^[A-Z]$/.test(letter));
  const other = (e.ctrlKey || e.metaKey) && !mod(e) ? "Other+" : "";
  return `${other}${mod(e) ? "Mod+" : ""}${e.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${arrows[letter] ?? letter}`;
}

/** "Mod+Shift+Z" in the form that assistive technology expects. */
export const shortcut = (keys: string) => (keys === "+" ? "Plus" : keys.replace("Mod", isMac ? "Meta" : "Control"));

/** "Mod+Shift+Z" as this platform writes it. */
export function keyLabel(keys: string): string {
  const names = isMac ? mac : other;
  return keys
    .split("+")
    .map((k) => names[k] ?? k)
    .join(isMac ? "" : "+");
}
