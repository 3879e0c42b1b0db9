import { create } from "zustand";
import { talk } from "../api/talk";
import { loadDesk, keepRead, useDesk } from "./desk";
import { onHub, useHub } from "./hub";
import { textOf } from "./sessionSent";
import { useWaiting } from "./waiting";

export const sessionPlace = (gateway: string, key: string) => `session:${gateway}/${key}`;
/** Where a gateway's sessions were when it was first seen: what is older counts as read. */
const beginning = (gateway: string) => sessionPlace(gateway, "");

/** How far was read in a session. */
export function readIn(gateway: string, key: string): string | undefined {
  const { places } = useDesk.getState();
  return places[sessionPlace(gateway, key)]?.read ?? places[beginning(gateway)]?.read;
}

/** How many answers were not read in each session, by its place. */
export const useSessionNews = create<Readonly<Record<string, number>>>()(() => ({}));

/** How many answers were not read on a gateway. */
export const unreadAt = (news: Readonly<Record<string, number>>, gateway: string): number =>
  Object.entries(news).reduce((sum, [place, n]) => (place.startsWith(beginning(gateway)) ? sum + n : sum), 0);

/** What is known of a session: when its latest answers came. */
type Heard = { gateway: string; key: string; times: string[] };
const heard = new Map<string, Heard>(),
  inView = new Set<string>();

/** Says that a session's end is, or is no longer, before the person's eyes: what comes there is not unread for a moment. */
export function watchSession(gateway: string, key: string): () => void {
  const place = sessionPlace(gateway, key);
  inView.add(place);
  tell();
  return () => {
    inView.delete(place);
    tell();
  };
}

function tell(): void {
  const known = new Set(useHub.getState().gateways.map((g) => g.name)),
    next: Record<string, number> = {};
  for (const [place, { gateway, key, times }] of heard) {
    if (!known.has(gateway)) {
      heard.delete(place);
      continue;
    }
    const read = readIn(gateway, key),
      n = inView.has(place) || read === undefined ? 0 : times.filter((at) => at > read).length;
    if (n) next[place] = n;
  }
  useSessionNews.setState(next, true);
  useWaiting.setState({ sessions: Object.values(next).reduce((a, b) => a + b, 0) });
}

const settles = 700,
  mostUnread = 100;
const due = new Map<string, ReturnType<typeof setTimeout>>();
let asking: Promise<unknown> = Promise.resolve();

/** Asks in a while, and one after the other: what comes meanwhile is counted with it, and read by then where the session is open. */
function soon(gateway: string, key: string): void {
  const place = sessionPlace(gateway, key);
  if (due.has(place)) return;
  due.set(
    place,
    setTimeout(() => {
      due.delete(place);
      asking = asking.then(() => (key ? listen(gateway, key) : look(gateway))).catch(() => undefined); // asked again when the gateway is heard of again
    }, settles),
  );
}

/** Reads when the answers of a session came. */
async function listen(gateway: string, key: string): Promise<void> {
  const { messages } = await talk.history(gateway, key, mostUnread);
  heard.set(sessionPlace(gateway, key), {
    gateway,
    key,
    times: messages.flatMap((m) => (m.role === "assistant" && m.timestamp && textOf(m).trim() ? [m.timestamp] : [])),
  });
  tell();
}

/** Looks in which of a gateway's sessions there may be something new. */
async function look(gateway: string): Promise<void> {
  const list = await talk.sessions(gateway);
  await loadDesk();
  if (useDesk.getState().places[beginning(gateway)]?.read === undefined)
    keepRead(
      beginning(gateway),
      list.reduce((a, s) => (s.activeAt && s.activeAt > a ? s.activeAt : a), new Date(0).toISOString()),
    );
  const there = new Set(list.map((s) => s.sessionKey));
  for (const [place, h] of heard) if (h.gateway === gateway && !there.has(h.key)) heard.delete(place);
  tell();
  for (const s of list)
    if ((s.activeAt ?? "") > (readIn(gateway, s.sessionKey) ?? "")) await listen(gateway, s.sessionKey);
}

const configs = new Map<string, string | undefined>();
/** Looks again where the config is another: sessions go with a deleted agent. */
function lookAtChanged(): void {
  for (const g of useHub.getState().gateways) {
    if (configs.has(g.name) && configs.get(g.name) !== g.configHash && g.state === "connected") soon(g.name, "");
    configs.set(g.name, g.configHash);
  }
}

let following = false;
/** Counts what is unread in the sessions of all gateways, for as long as the page lives. */
export function followSessions(): void {
  if (following) return;
  following = true;
  const all = () => {
    for (const g of useHub.getState().gateways) if (g.state === "connected") soon(g.name, "");
  };
  onHub({
    notify: (n) => {
      if (n.reset) all();
      for (const s of n.desk?.said ?? []) soon(s.gateway, s.sessionKey ?? "");
      if (n.gateways) {
        tell();
        lookAtChanged();
      }
    },
  });
  useDesk.subscribe((s, was) => {
    if (s.places !== was.places) tell();
  });
  lookAtChanged();
  all();
}
