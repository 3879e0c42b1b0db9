import { create } from "zustand";
import { talk } from "../api/talk";
import { freshId } from "../topology";
import { begin, begunText } from "./begun";
import { reloadDrafts } from "./desk";
import { asApiError, type ApiError } from "./faults";
import { onHub } from "./hub";

/** A message on its way to the hub. */
export type Outgoing = {
  clientId: string;
  sender: string;
  text: string;
  at: string;
  /** The hub has it; it comes with the others. */ stored?: boolean;
  error?: ApiError;
};

/**
 * What isn't in a room yet, by room. It is delivered whether the room is open or not, and the hub keeps it beside the
 * drafts, so that neither another screen nor a reload loses it.
 */
export const useOutbox = create<Record<string, Outgoing[]>>()(() => ({}));

/** The most characters that the hub keeps of one text, with room to spare. */
const most = 60_000;
const placeOf = (room: string) => `unsent ${room}`;
const none: Outgoing[] = [];

export const outboxOf = (room: string): Outgoing[] => useOutbox.getState()[room] ?? none;

/** What the hub doesn't have yet, as it is kept; "" if there is nothing. */
function unsentText(list: Outgoing[]): string {
  const unsent = list.flatMap(({ stored, error: _, ...o }) => (stored ? [] : [o]));
  return unsent.length ? JSON.stringify(unsent) : "";
}

function change(room: string, next: (list: Outgoing[]) => Outgoing[]): void {
  const had = outboxOf(room),
    list = next(had);
  if (list.length === had.length && list.every((o, i) => o === had[i])) return;
  useOutbox.setState({ [room]: list });
  const text = unsentText(list);
  if (text.length <= most && text !== begunText(placeOf(room))) begin(placeOf(room), text);
}

const amend = (room: string, clientId: string, patch: Partial<Outgoing>) =>
  change(room, (list) => list.map((o) => (o.clientId === clientId ? { ...o, ...patch } : o)));

/** Takes messages out: they are in the room, or nobody wants to send them any more. */
export const dropOutgoing = (room: string, is: (o: Outgoing) => boolean) =>
  change(room, (list) => (list.some(is) ? list.filter((o) => !is(o)) : list));

/** The newest message of each open room that is known. What the hub has beyond it comes with the room's others. */
const open = new Map<string, Set<() => number>>();

/** Says that a room is open, and what it knows, until the returned function is called. */
export function watchOutbox(room: string, newest: () => number): () => void {
  const watching = open.get(room) ?? new Set();
  open.set(room, watching.add(newest));
  return () => {
    watching.delete(newest);
    if (!watching.size) dropOutgoing(room, (o) => !!o.stored);
  };
}

const delivering = new Set<string>(),
  retries = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Sends what isn't in a room yet, one after the other in its order. The same id again stores nothing twice, so each is
 * sent until the hub has it or refuses it.
 */
export async function deliverAll(room: string, tries = 0): Promise<void> {
  if (delivering.has(room)) return;
  delivering.add(room);
  clearTimeout(retries.get(room));
  try {
    let o: Outgoing | undefined;
    while ((o = outboxOf(room).find((x) => !x.stored && !x.error))) await deliver(room, o);
  } catch {
    retries.set(
      room,
      setTimeout(() => void deliverAll(room, tries + 1), Math.min(8_000, 1_000 * 2 ** tries)),
    );
  } finally {
    delivering.delete(room);
  }
}

/** Rejects if the hub may take the message later. */
async function deliver(room: string, { clientId, sender, text }: Outgoing): Promise<void> {
  try {
    const m = await talk.post({ room, sender, message: text, clientMessageId: clientId });
    if ([...(open.get(room) ?? [])].some((newest) => m.id > newest())) amend(room, clientId, { stored: true });
    else dropOutgoing(room, (x) => x.clientId === clientId);
  } catch (e) {
    const error = asApiError(e);
    if (error.temporary) throw error;
    amend(room, clientId, { error });
  }
}

export function sendToRoom(room: string, sender: string, text: string): void {
  const o: Outgoing = { clientId: freshId(), sender, text, at: new Date().toISOString() };
  change(room, (list) => [...list, o]);
  void deliverAll(room);
}

export function sendAgain(room: string, clientId: string): void {
  amend(room, clientId, { error: undefined });
  void deliverAll(room);
}

const leftKey = (room: string) => `agentflow.unsent.${room}`;

/**
 * The hub can be away when the page goes: then only this tab can keep what was written. It does so until the room is
 * opened again, or the tab is closed.
 */
function keepInTab(): void {
  for (const [room, list] of Object.entries(useOutbox.getState())) {
    const text = unsentText(list);
    try {
      if (text) sessionStorage.setItem(leftKey(room), text);
    } catch {
      // the browser keeps nothing, and there is nobody left to tell
    }
  }
}
globalThis.addEventListener?.("pagehide", keepInTab);

/** What a page before this one left in the tab. It isn't kept there any longer. */
function takeFromTab(room: string): Outgoing[] {
  const text = globalThis.sessionStorage?.getItem(leftKey(room));
  if (!text) return none;
  sessionStorage.removeItem(leftKey(room));
  return JSON.parse(text) as Outgoing[];
}

/** Takes up what an earlier page could not deliver to a room. */
export async function recoverOutbox(room: string): Promise<void> {
  const left = takeFromTab(room);
  if (left.length) {
    change(room, (list) => [...left.filter((o) => !list.some((x) => x.clientId === o.clientId)), ...list]);
    void deliverAll(room);
  }
  await reloadDrafts(/^begun:unsent /); // another window may have sent or discarded it meanwhile
  const text = begunText(placeOf(room));
  if (!text) return;
  const had = new Set(outboxOf(room).map((o) => o.clientId)),
    kept = (JSON.parse(text) as Outgoing[]).filter((o) => !had.has(o.clientId));
  if (kept.length) change(room, (list) => [...kept, ...list]);
  void deliverAll(room);
}

onHub({
  back: () => {
    for (const room of Object.keys(useOutbox.getState())) void deliverAll(room);
  },
});
