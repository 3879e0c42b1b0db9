import type { TFunction } from "i18next";
import { formatList } from "@/i18n/format";
import type { Preview } from "@/topology";

/** As many agents are named; more are counted. */
export const fewNames = 3;

/** Whether the gateway restarts, in a few words. */
export const restartText = (t: TFunction, { needed, seconds, recreated }: Preview["restart"]) =>
  needed
    ? seconds
      ? t("review.restart", { seconds })
      : t("review.restartSome")
    : t(recreated?.length ? "review.maybeRestart" : "review.noRestart");

/** The new agents with the ID of a deleted one; "" without any. */
export const recreatedText = (t: TFunction, { recreated = [] }: Preview["restart"]) =>
  recreated.length ? t("review.recreated", { ids: formatList(recreated) }) : "";

export type Piece = { text: string; changed: boolean };

const tooMany = 200_000;
/** Words, runs of space, and single other characters; Japanese goes by character. */
const split = (s: string) => s.match(/[\p{Script=Latin}\p{N}_-]+|\s+|./gsu) ?? [];

/** `now` in pieces, marking what `was` does not have at that place. */
export function compareWords(was: string, now: string): Piece[] {
  const a = split(was),
    b = split(now);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const mine = a.slice(head, a.length - tail),
    yours = b.slice(head, b.length - tail);
  const kept = mine.length * yours.length > tooMany ? new Set<number>() : common(mine, yours);
  const pieces: Piece[] = [];
  const put = (text: string, changed: boolean) => {
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else if (text) pieces.push({ text, changed });
  };
  put(b.slice(0, head).join(""), false);
  yours.forEach((w, i) => put(w, !kept.has(i)));
  put(b.slice(b.length - tail).join(""), false);
  return bridged(pieces);
}

/** A space between two changed words counts as changed, so that a phrase is one mark. */
function bridged(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  pieces.forEach((p, i) => {
    const changed = p.changed || (!p.text.trim() && !!pieces[i - 1]?.changed && !!pieces[i + 1]?.changed);
    const last = out.at(-1);
    if (last?.changed === changed) last.text += p.text;
    else out.push({ text: p.text, changed });
  });
  return out;
}

/** Which of b's words stand in a longest common subsequence with a. */
function common(a: string[], b: string[]): Set<number> {
  const w = b.length + 1,
    table = new Uint32Array((a.length + 1) * w);
  const at = (i: number, j: number) => table[i * w + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * w + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.add(j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}
