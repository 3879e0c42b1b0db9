let composing: EventTarget | null = null;
globalThis.addEventListener?.("compositionstart", (e) => (composing = e.target), true);
globalThis.addEventListener?.("compositionend", () => (composing = null), true);

/** Leaves the field that has the focus. Fields that save their text when they are left do it now. */
export function endTyping(): void {
  if (typeof HTMLElement !== "undefined" && document.activeElement instanceof HTMLElement)
    document.activeElement.blur();
}

/** endTyping, unless an input method is still putting a word together: nobody has chosen that word yet. */
export function endWholeWords(): void {
  if (!composing || composing !== document.activeElement) endTyping();
}
