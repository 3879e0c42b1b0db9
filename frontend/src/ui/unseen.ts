/** A piece of a text: as it is, or a mark in the place of what nobody sees. */
export type Piece = { text: string; mark?: true };

/** Long runs of blanks and of empty lines, and characters that have no width, turn the direction, or look like a blank. */
const unseen =
  /[ \t]{20,}|(?:\r?\n){5,}|\r(?!\n)|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u115F\u1160\u3164\uFFA0]|(?![\n\r\t])\p{Cc}/gu;

function markOf(run: string): string {
  const first = run.codePointAt(0) ?? 0;
  if (run.length > 2 && (first === 0x20 || first === 9)) return `␣×${run.length}`;
  if (run.includes("\n")) return `⏎×${run.split("\n").length - 1}`;
  return `⟨U+${first.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** A text in pieces, with visible marks where something is that nobody sees. */
export function piecesOf(text: string): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(unseen)) {
    if (found.index > at) out.push({ text: text.slice(at, found.index) });
    out.push({ text: found[0].includes("\n") ? `${markOf(found[0])}\n` : markOf(found[0]), mark: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) out.push({ text: text.slice(at) });
  return out;
}

/** A text with its marks. */
export const marked = (text: string): string =>
  piecesOf(text)
    .map((p) => p.text)
    .join("");

/** The same in one line: line ends are marks, too. */
export const markedLine = (text: string): string =>
  marked(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .trim();
