import { foldText } from "@/ui";

export type Rankable = { id: string; kind: string; title: string; /** More to be found by: an id, a model, the other language. */ words?: string };

const starts = (text: string, at: number) => at === 0 || /[\s\-_/→:]/.test(text[at - 1] ?? "");

/** How well one word fits: the title's start before a word's start before its middle, and all that before the other words. */
function fit(title: string, words: string, word: string): number {
  if (title === word) return 100;
  const at = title.indexOf(word);
  if (at === 0) return 80;
  if (at > 0) return starts(title, at) ? 60 : 40;
  const other = words.indexOf(word);
  return other < 0 ? 0 : starts(words, other) ? 20 : 10;
}

/** 0: does not fit. Every word of the query has to. */
export function score(item: Rankable, query: string): number {
  const title = foldText(item.title), words = foldText(item.words ?? "");
  let sum = 0, n = 0;
  for (const word of foldText(query).split(/\s+/).filter(Boolean)) {
    const s = fit(title, words, word);
    if (!s) return 0;
    sum += s;
    n++;
  }
  const whole = title.startsWith(foldText(query).trim()) ? 5 : 0;
  return n ? sum / n + whole : 1;
}

export type Group<T> = { kind: string; items: T[] };
export type RankOptions = { /** Ids, the last used first. */ recent?: readonly string[]; /** How many of a kind at most. */ limit?: number; order: readonly string[] };

/** What fits, by kind; the kind with the best fit first, and what was used lately before its equals. */
export function rank<T extends Rankable>(items: readonly T[], query: string, { recent = [], limit = 8, order }: RankOptions): Group<T>[] {
  const found = new Map<string, { item: T; score: number; at: number }[]>();
  items.forEach((item, at) => {
    const s = score(item, query);
    if (!s) return;
    const used = recent.indexOf(item.id);
    const list = found.get(item.kind) ?? [];
    list.push({ item, at, score: s + (used < 0 ? 0 : 4 - Math.min(used, 8) / 4) });
    found.set(item.kind, list);
  });
  const place = (kind: string) => { const i = order.indexOf(kind); return i < 0 ? order.length : i; };
  return [...found]
    .map(([kind, list]) => ({ kind, list: list.sort((a, b) => b.score - a.score || a.at - b.at) }))
    .sort((a, b) => (query.trim() ? (b.list[0]?.score ?? 0) - (a.list[0]?.score ?? 0) : 0) || place(a.kind) - place(b.kind))
    .map(({ kind, list }) => ({ kind, items: list.slice(0, limit).map((x) => x.item) }));
}

/** Where a query stands in a title, for showing it: pairs of from and to. */
export function hits(title: string, query: string): [number, number][] {
  const t = foldText(title);
  if (t.length !== title.length) return [];
  return foldText(query).split(/\s+/).filter(Boolean).flatMap((w): [number, number][] => { const at = t.indexOf(w); return at < 0 ? [] : [[at, at + w.length]]; })
    .sort((a, b) => a[0] - b[0]).filter(([from], i, all) => i === 0 || from >= (all[i - 1]?.[1] ?? 0));
}
