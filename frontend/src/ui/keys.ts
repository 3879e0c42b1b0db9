export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Ctrl or, on a Mac, Command. */
export function mod(e: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return isMac ? e.metaKey : e.ctrlKey;
}

const mac: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Enter: "⏎", Delete: "⌫", Escape: "esc" };
const other: Record<string, string> = { Mod: "Ctrl", Enter: "Enter", Delete: "Del", Escape: "Esc" };

/** "Mod+Shift+Z" as assistive technology is told of it. */
export const shortcut = (keys: string) => (keys === "+" ? "Plus" : keys.replace("Mod", isMac ? "Meta" : "Control"));

/** "Mod+Shift+Z" as this platform writes it. */
export function keyLabel(keys: string): string {
  const names = isMac ? mac : other;
  return keys
    .split("+")
    .map((k) => names[k] ?? k)
    .join(isMac ? "" : "+");
}
