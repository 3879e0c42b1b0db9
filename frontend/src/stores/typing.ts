/** Leaves the field that has the focus. Fields that save their text when they are left do it now. */
export function endTyping(): void {
  if (typeof HTMLElement !== "undefined" && document.activeElement instanceof HTMLElement)
    document.activeElement.blur();
}
