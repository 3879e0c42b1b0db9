import { useMemo } from "react";
import { begin, begunText } from "./begun";
import { loadDesk, reloadDrafts, useDesk } from "./desk";
import type { Broken } from "./sessionBroken";
import type { Sent } from "./sessionSent";

/** The most characters that the hub keeps of one text, with room to spare. */
const most = 60_000;

const placeOf = (gateway: string, session: string) => `sent ${gateway}/${session}`;
const brokenAt = (gateway: string, session: string) => `broken ${gateway}/${session}`;

/**
 * Keeps what was sent in a session and isn't in its history yet, so that a reload doesn't lose it. The hub keeps it, as
 * it keeps drafts.
 */
export function keepSent(gateway: string, session: string, sent: readonly Sent[]): void {
  const text = sent.length ? JSON.stringify(sent.map(({ error: _, ...o }) => o)) : "",
    place = placeOf(gateway, session);
  if (text.length <= most && text !== begunText(place)) begin(place, text);
}

/**
 * What was sent before the page was loaded. Nobody knows what became of a message that the gateway had not taken by
 * then, so it counts as not saved until the history shows it. Rejects with ApiError.
 */
export async function keptSent(gateway: string, session: string): Promise<Sent[]> {
  await loadDesk();
  const text = begunText(placeOf(gateway, session));
  if (!text) return [];
  return (JSON.parse(text) as Sent[]).map((o) => (o.runId === undefined ? { ...o, unkept: true } : o));
}

/** Keeps what came of answers that broke off: no gateway has it. */
export function keepBroken(gateway: string, session: string, broken: readonly Broken[]): void {
  const text = broken.length ? JSON.stringify(broken) : "",
    place = brokenAt(gateway, session);
  if (text.length <= most && text !== begunText(place)) begin(place, text);
}

/** The answers that broke off before the page was loaded, once keptSent has resolved. */
export function keptBroken(gateway: string, session: string): Broken[] {
  const text = begunText(brokenAt(gateway, session));
  return text ? (JSON.parse(text) as Broken[]) : [];
}

/** Asks the hub again for what other windows have sent. Rejects with ApiError. */
export const reloadKept = (): Promise<void> => reloadDrafts(/^begun:(sent|broken) /);

/** The last message that was sent in a session and isn't in its history yet, as far as the hub has told. */
export function useLastKept(gateway: string, session: string): Sent | undefined {
  const text = useDesk(() => begunText(placeOf(gateway, session)));
  return useMemo(() => (text ? (JSON.parse(text) as Sent[]).at(-1) : undefined), [text]);
}
