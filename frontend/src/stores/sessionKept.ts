import { begin, begunText } from "./begun";
import { loadDesk } from "./desk";
import type { Sent } from "./sessionSent";

/** The most characters that the hub keeps of one text, with room to spare. */
const most = 60_000;

const placeOf = (gateway: string, session: string) => `sent ${gateway}/${session}`;

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
