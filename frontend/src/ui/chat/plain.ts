/** What Markdown says, in one line: without its signs, for where it is only hinted at. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, " ")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(
      /`+|\*\*+|~~+|(?<![\p{L}\p{N}*])\*(?=\S)|(?<=\S)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu,
      "",
    )
    .replace(/\s+/g, " ")
    .trim();
}

const before = 40,
  shown = 200;

/** The part of a text that holds the first of the words, in pieces: those of the words are `hit`. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!words.length) return [{ text: text.slice(0, shown), hit: false }];
  const any = new RegExp(`(${words.sort((a, b) => b.length - a.length).join("|")})`, "giu");
  // Whole characters only: half of a surrogate pair would show as a stray sign.
  const from = Array.from(text.slice(0, Math.max(0, text.search(any)))).length,
    all = Array.from(text),
    start = Math.max(0, from - before);
  const part = (start > 0 ? "…" : "") + all.slice(start, start + shown).join("");
  return part
    .split(any)
    .map((piece, i) => ({ text: piece, hit: i % 2 === 1 }))
    .filter((p) => p.text);
}
