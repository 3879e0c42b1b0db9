type KeyLike = {
  key: string;
  keyCode?: number;
  isComposing?: boolean;
  nativeEvent?: { isComposing?: boolean; keyCode?: number };
};

/** True while an input method is still putting a word together: such a key belongs to it alone. */
export function composing(e: KeyLike): boolean {
  const n = e.nativeEvent ?? e;
  return n.isComposing === true || n.keyCode === 229;
}

/** Enter that the person meant for us, not for the input method. */
export function isEnter(e: KeyLike): boolean {
  return e.key === "Enter" && !composing(e);
}

/** True where typing belongs to a field, so that single-letter keys must not act. */
export function inField(target: EventTarget | null): boolean {
  const el = target as HTMLElement | null;
  return !!el?.closest?.(
    "input, textarea, select, [contenteditable='true'], [role='combobox'], [role='menu'], [role='dialog'], [role='listbox']",
  );
}
