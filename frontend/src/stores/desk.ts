import { create } from "zustand";
import { talk } from "../api/talk";
import type { Place } from "../topology";
import { onHub } from "./hub";

type Desk = {
  known: boolean;
  /** A name to begin with. */ person: string;
  places: Record<string, Pick<Place, "read" | "draft">>;
};

/** What was read in each conversation, and what was begun to be written. It is kept in the hub: drafts may hold what no browser should keep. */
export const useDesk = create<Desk>()(() => ({ known: false, person: "", places: {} }));

let asked: Promise<void> | undefined;

/** Resolves when the hub has told; asks again after a failure. */
export function loadDesk(): Promise<void> {
  asked ??= talk
    .desk()
    .then((d) => {
      useDesk.setState((s) => ({
        known: true,
        person: d.person,
        places: {
          ...s.places,
          ...Object.fromEntries(d.places.map((p) => [p.conversation, { ...p, ...s.places[p.conversation] }])),
        },
      }));
    })
    .catch((e: unknown) => {
      asked = undefined;
      throw e;
    });
  return asked;
}

const patience = { draft: 500, read: 100 };
const waiting = new Map<string, { read?: string; draft?: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits; what the hub does not take waits for the link to come back. */
function flush(leaving = false): void {
  clearTimeout(timer);
  timer = undefined;
  for (const [conversation, change] of waiting) {
    waiting.delete(conversation);
    talk.putPlace({ conversation, ...change }, leaving).catch(() => {
      waiting.set(conversation, { ...change, ...waiting.get(conversation) });
    });
  }
}

/** Asks for drafts that other windows can have changed. Those that this window has yet to send stay. */
export async function reloadDrafts(of: RegExp): Promise<void> {
  const had = useDesk.getState().places,
    { places } = await talk.desk(),
    now = new Map(places.map((p) => [p.conversation, p.draft]));
  useDesk.setState((s) => {
    const next = { ...s.places };
    for (const at of new Set([...Object.keys(next), ...now.keys()]))
      if (of.test(at) && !waiting.has(at) && next[at]?.draft === had[at]?.draft)
        next[at] = { ...next[at], draft: now.get(at) ?? "" };
    return { places: next };
  });
}

function put(conversation: string, change: { read?: string; draft?: string }): void {
  useDesk.setState((s) => ({ places: { ...s.places, [conversation]: { ...s.places[conversation], ...change } } }));
  waiting.set(conversation, { ...waiting.get(conversation), ...change });
  if (change.read !== undefined) {
    clearTimeout(timer);
    timer = setTimeout(flush, patience.read);
  }
  timer ??= setTimeout(flush, patience.draft);
}

export const keepDraft = (conversation: string, draft: string) => put(conversation, { draft });

/** Rooms number their messages; sessions have times. */
const further = (conversation: string, read: string, had: string | undefined) =>
  !had || (conversation.startsWith("room:") ? Number(read) > Number(had) : read > had);

/** Notes what was read, unless that much was read before. */
export function keepRead(conversation: string, read: string): void {
  if (further(conversation, read, useDesk.getState().places[conversation]?.read)) put(conversation, { read });
}

/** Takes in what was read in other windows. */
function takeRead(marks: readonly { conversation: string; read: string }[]): void {
  useDesk.setState((s) => {
    const news = marks.filter((m) => further(m.conversation, m.read, s.places[m.conversation]?.read));
    return news.length
      ? {
          places: {
            ...s.places,
            ...Object.fromEntries(news.map((m) => [m.conversation, { ...s.places[m.conversation], read: m.read }])),
          },
        }
      : {};
  });
}

onHub({
  back: () => flush(),
  notify: (n) => {
    if (n.desk?.read) takeRead(n.desk.read);
  },
});
globalThis.addEventListener?.("pagehide", () => flush(true));
