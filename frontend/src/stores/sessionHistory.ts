import type { SessionMessage } from "../topology";

type Messages = readonly SessionMessage[];

/** Gateways give messages no ids. What an agent does with a tool may have gone on since. */
const words = (m: SessionMessage) =>
  m.content
    .filter((p) => p.type === "text")
    .map((p) => p.text ?? "")
    .join("");
const same = (a: SessionMessage, b: SessionMessage) =>
  a.role === b.role && a.timestamp === b.timestamp && words(a) === words(b);

/** Where the beginning of one part stands in another; -1: nowhere. A few lines are compared, where there are so many. */
const placeOf = (part: Messages, within: Messages) =>
  within.findLastIndex((_, i) =>
    part.slice(0, 3).every((m, k) => within[i + k] === undefined || same(m, within[i + k]!)),
  );

/** Merges a session with its end, read again. Earlier messages stay. Undefined if there is a gap between the two. */
export function withEnd(had: Messages, end: Messages): Messages | undefined {
  if (!had.length || !end.length) return end;
  // The first line may be the rest of one that begins further back.
  for (let from = 0; from < Math.min(end.length, 3); from++) {
    const at = placeOf(end.slice(from), had);
    if (at >= 0) return [...had.slice(0, at), ...end.slice(from)];
  }
  return undefined;
}

/** A session with an older part before it, which may reach into what is known, or lie within it. */
export function withOlder(part: Messages, had: Messages): Messages {
  const first = had[0],
    last = part.at(-1),
    at = first ? part.findIndex((m) => same(m, first)) : -1;
  const within = at < 0 && last !== undefined && had.some((m) => same(m, last));
  const before = at >= 0 ? part.slice(0, at) : within ? [] : part;
  return before.length ? [...before, ...had] : had;
}
