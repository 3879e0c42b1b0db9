import { marked } from "../unseen";

// Runs of blanks and empty lines stay: lines are wrapped and numbered, so nothing hides behind them.
const single = /[\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?![\n\r\t])\p{Cc}/gu;

/** A text to read, with marks where characters turn its direction or aren't seen. Its lines stay. */
export const seen = (text: string): string => text.replace(single, marked);

/** Where such characters are in a text, as a mark with its line from 1. */
export function unseenIn(text: string): { mark: string; line: number }[] {
  const out: { mark: string; line: number }[] = [];
  let at = 0,
    line = 1;
  for (const found of text.matchAll(single)) {
    line += text.slice(at, found.index).split("\n").length - 1;
    at = found.index;
    out.push({ mark: marked(found[0]), line });
  }
  return out;
}
