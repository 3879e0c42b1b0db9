import { marked } from "../unseen";

// Runs of blanks and empty lines stay: lines are wrapped and numbered, so nothing hides behind them.
const single = /[\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?![\n\r\t])\p{Cc}/gu;

/** A text to read, with marks where characters turn its direction or aren't seen. Its lines stay. */
export const seen = (text: string): string => text.replace(single, marked);
