import { foldText } from "@/ui";

export type Rankable = {
  id: string;
  kind: string;
  title: string;
  /** More to be found by: an id, a model, the other language. */ words?: string;
};

const starts = (text: string, at: number) => at === 0 || /[\s\-_/→:]/.test(text[at - 1] ?? "");

/** Every letter in order, each at a word's start or right after the one before; the first at a word's start: "sr" and "shrev" of "shop reviewer". */
function initials(text: string, word: string): boolean {
  let at = -1;
  for (const c of word) {
    let next = at + 1;
    if (text[next] !== c || at < 0) {
      for (next = at + 1; next < text.length && (text[next] !== c || !starts(text, next)); next++);
      if (next >= text.length) return false;
    }
    at = next;
  }
  return true;
}

/** Every letter somewhere, in order, the first at a word's start: "rvwr" in "reviewer". */
function scattered(text: string, word: string): boolean {
  let at = 0;
  for (; at < text.length && !(text[at] === word[0] && starts(text, at)); at++);
  for (const c of word) {
    at = text.indexOf(c, at);
    if (at < 0) return false;
    at++;
  }
  return true;
}

/** How well one word fits: the title's start before a word's start before its middle, then the other words, then letters here and there. */
function fit(title: string, words: string, word: string): number {
  if (title === word) return 100;
  const at = title.indexOf(word);
  if (at === 0) return 80;
  if (at > 0) return starts(title, at) ? 60 : 40;
  const other = words.indexOf(word);
  if (other >= 0) return starts(words, other) ? 20 : 10;
  if (word.length < 2) return 0;
  return initials(title, word) ? 8 : word.length > 2 && scattered(title, word) ? 4 : 0;
}

type Folded = { title: string; words: string };
/** Folding a text costs more than searching it, and the same things are searched with every key. */
const folded = new WeakMap<Rankable, Folded>();
function fold(item: Rankable): Folded {
  let f = folded.get(item);
  if (!f) folded.set(item, (f = { title: foldText(item.title), words: foldText(item.words ?? "") }));
  return f;
}

function scoreFolded({ title, words }: Folded, query: string, parts: readonly string[]): number {
  let sum = 0;
  for (const word of parts) {
    const s = fit(title, words, word);
    if (!s) return 0;
    sum += s;
  }
  return parts.length ? sum / parts.length + (title.startsWith(query) ? 5 : 0) : 1;
}

const split = (query: string) => query.split(/\s+/).filter(Boolean);

/** 0: does not fit. Every word of the query has to. */
export function score(item: Rankable, query: string): number {
  const q = foldText(query).trim();
  return scoreFolded(fold(item), q, split(q));
}

export type Group<T extends Rankable> = {
  kind: T["kind"];
  items: T[];
  /** How many fit, shown or not. */ total: number;
};
export type RankOptions = {
  /** Ids, the last used first. */ recent?: readonly string[];
  /** How many of a kind at most. */ limit?: number | ((kind: string) => number);
  order: readonly string[];
};

/** What fits, by kind; the kind with the best fit first, and what was used lately before its equals. */
export function rank<T extends Rankable>(
  items: readonly T[],
  query: string,
  { recent = [], limit = 8, order }: RankOptions,
): Group<T>[] {
  const q = foldText(query).trim(),
    parts = split(q),
    used = new Map(recent.map((id, i) => [id, i]));
  const found = new Map<T["kind"], { item: T; score: number; at: number }[]>();
  items.forEach((item, at) => {
    const s = scoreFolded(fold(item), q, parts);
    if (!s) return;
    const lately = used.get(item.id);
    const list = found.get(item.kind) ?? [];
    if (!list.length) found.set(item.kind, list);
    list.push({ item, at, score: s + (lately === undefined ? 0 : 4 - Math.min(lately, 8) / 4) });
  });
  const place = (kind: string) => {
    const i = order.indexOf(kind);
    return i < 0 ? order.length : i;
  };
  const most = (kind: string) => (typeof limit === "number" ? limit : limit(kind));
  return [...found]
    .map(([kind, list]) => ({ kind, list: list.sort((a, b) => b.score - a.score || a.at - b.at) }))
    .sort((a, b) => (q ? (b.list[0]?.score ?? 0) - (a.list[0]?.score ?? 0) : 0) || place(a.kind) - place(b.kind))
    .map(({ kind, list }) => ({ kind, items: list.slice(0, most(kind)).map((x) => x.item), total: list.length }));
}

/** Where a query stands in a title, for showing it: pairs of from and to. */
export function hits(title: string, query: string): [number, number][] {
  const t = foldText(title);
  if (t.length !== title.length) return [];
  return split(foldText(query))
    .flatMap((w): [number, number][] => {
      const at = t.indexOf(w);
      return at < 0 ? [] : [[at, at + w.length]];
    })
    .sort((a, b) => a[0] - b[0])
    .filter(([from], i, all) => i === 0 || from >= (all[i - 1]?.[1] ?? 0));
}
