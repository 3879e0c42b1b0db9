/** A text as a search sees it: full and half width, cases and both kana are the same. */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u30a1-\u30f6]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x60));
}

/** Every word of the query is somewhere in the text. */
export function matches(text: string, query: string): boolean {
  const t = foldText(text);
  return foldText(query)
    .split(/\s+/)
    .every((w) => t.includes(w));
}
