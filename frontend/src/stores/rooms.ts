import { create } from "zustand";
import { talk } from "../api/talk";
import type { RoomPolicy, RoomSummary } from "../topology";
import { isOwn } from "./conversation";
import { loadDesk, useDesk } from "./desk";
import { asApiError, type ApiError } from "./faults";
import { onHub } from "./hub";
import { useUi } from "./ui";
import { useWaiting } from "./waiting";
import { formatRoute } from "./routes";

type Rooms = { known: boolean; list: RoomSummary[]; error?: ApiError; unread: Record<string, number> };

/** The rooms, the latest message first, and how much was not read in each. */
export const useRooms = create<Rooms>()(() => ({ known: false, list: [], unread: {} }));

/** The address of a room within the page. */
export const roomLink = (room: string) => formatRoute("rooms", { room });
export const roomPlace = (room: string) => `room:${room}`;
/** What the person is called: as they said at this browser, else as their computer calls them. */
export const personName = () => useUi.getState().person || useDesk.getState().person;

const latest = (r: RoomSummary) => r.last?.timestamp ?? r.createdAt;
const sorted = (list: RoomSummary[]) =>
  list.sort((a, b) => (latest(a) < latest(b) ? 1 : latest(a) > latest(b) ? -1 : a.name.localeCompare(b.name)));

function take(changed: RoomSummary[] = [], gone: string[] = [], from: RoomSummary[] = useRooms.getState().list): void {
  const byName = new Map(from.map((r) => [r.name, r]));
  for (const r of changed) byName.set(r.name, r);
  for (const name of gone) byName.delete(name);
  useRooms.setState((s) => ({
    known: true,
    list: sorted([...byName.values()]),
    error: undefined,
    unread: Object.fromEntries(Object.entries(s.unread).filter(([name]) => byName.has(name))),
  }));
  tellUnread();
  for (const r of changed) soon(r.name);
}

/** How much is unread in all rooms that there are. */
const tellUnread = () =>
  useWaiting.setState({ rooms: Object.values(useRooms.getState().unread).reduce((a, b) => a + b, 0) });

/** More than this many unread messages are only "many". */
export const mostUnread = 100;
const settles = 500; // ms
const counting = new Set<string>(),
  again = new Set<string>();

const due = new Map<string, ReturnType<typeof setTimeout>>();
/** Counts in a while: what comes meanwhile is counted with it, and is read by then where the room is open. */
function soon(name: string): void {
  if (due.has(name)) return;
  due.set(
    name,
    setTimeout(() => {
      due.delete(name);
      count(name);
    }, settles),
  );
}

/** Counts what was not read in a room; one question at a time for each. */
function count(name: string): void {
  const room = useRooms.getState().list.find((r) => r.name === name),
    read = useDesk.getState().places[roomPlace(name)]?.read;
  const set = (n: number) => {
    if (!useRooms.getState().list.some((r) => r.name === name)) return; // it was deleted meanwhile
    useRooms.setState((s) => ({ unread: { ...s.unread, [name]: n } }));
    tellUnread();
  };
  if (!useDesk.getState().known || !room?.last || room.last.id <= Number(read ?? 0)) {
    set(0);
    return;
  }
  if (counting.has(name)) {
    again.add(name);
    return;
  }
  counting.add(name);
  talk
    .messages(name, { after: Number(read ?? 0), limit: mostUnread })
    .then(
      (list) => {
        const now = Number(useDesk.getState().places[roomPlace(name)]?.read ?? 0),
          me = personName();
        set(list.filter((m) => m.id > now && !isOwn(m, me)).length);
      },
      () => undefined,
    )
    .finally(() => {
      counting.delete(name);
      if (again.delete(name)) count(name);
    });
}

/** Lists that are being read, each with the rooms that the stream has updated since the request. */
const underway = new Set<{ newer: Set<string>; outdated: boolean }>();

/** Reads the list. It may be older than what the stream has sent since the request. */
async function readList(): Promise<void> {
  const reading = { newer: new Set<string>(), outdated: false };
  underway.add(reading);
  try {
    const [list] = await Promise.all([talk.rooms(), loadDesk()]);
    if (reading.outdated) return;
    const { newer } = reading,
      kept = useRooms.getState().list.filter((r) => newer.has(r.name));
    take([...list.filter((r) => !newer.has(r.name)), ...kept], [], []);
  } catch (e) {
    useRooms.setState({ error: asApiError(e) });
  } finally {
    underway.delete(reading);
  }
}

let following = false;
/** Follows the rooms for as long as the page lives; the first to need them starts it. */
export function followRooms(): void {
  if (!following) {
    following = true;
    onHub({
      notify: (n) => {
        if (!n.reset && !n.rooms && !n.roomsGone) return;
        for (const u of underway) {
          u.outdated ||= !!n.reset;
          for (const name of [...(n.rooms ?? []).map((r) => r.name), ...(n.roomsGone ?? [])]) u.newer.add(name);
        }
        take(n.rooms, n.roomsGone, n.reset ? [] : undefined);
      },
    });
    useDesk.subscribe((s, was) => {
      if (s.places !== was.places)
        for (const r of useRooms.getState().list)
          if (s.places[roomPlace(r.name)]?.read !== was.places[roomPlace(r.name)]?.read) count(r.name);
    });
  }
  void readList();
}

export const roomActions = {
  create: async (name: string, team?: string, agents?: string[]) => {
    const made = await talk.createRoom(name, team, agents);
    take([made]);
    return made;
  },
  steer: (name: string, how: "stop" | "pause" | "resume" | "wrapUp") =>
    how === "wrapUp"
      ? talk.wrapUp(name, personName())
      : how === "stop"
        ? talk.stopRoom(name, personName())
        : talk.steerRoom(name, how),
  /** An address that opens the room once, without the token, within ten minutes, where the hub is reached at `origin`. */
  link: async (name: string, origin: string) => `${origin}${await talk.link()}${roomLink(name)}`,
  setCast: (name: string, team: string, agents: string[]) => talk.setCast(name, team, agents),
  setPolicy: (name: string, policy: RoomPolicy) => talk.setPolicy(name, policy),
  remove: async (name: string) => {
    await talk.deleteRoom(name);
    take([], [name]);
  },
  /** Looks also into what system messages say in the reader's language. */
  search: (q: string, language: "en" | "ja", room?: string, before?: number) =>
    talk.searchMessages(q, room, language, before),
  file: (name: string, format: "markdown" | "json", language: "en" | "ja") => talk.exportRoom(name, format, language),
};

export { saveBytes } from "../api/files";
