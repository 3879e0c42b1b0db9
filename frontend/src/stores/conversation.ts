import { create, type StoreApi, type UseBoundStore } from "zustand";
import { followRoom } from "../api/roomSocket";
import type { LinkState } from "../api/socket";
import { talk } from "../api/talk";
import type { RoomLive, RoomMessage, RoomStatus } from "../topology";
import { asApiError, type ApiError } from "./faults";
import { onHub } from "./hub";
import {
  deliverAll,
  dropOutgoing,
  outboxOf,
  recoverOutbox,
  sendAgain,
  sendToRoom,
  useOutbox,
  watchOutbox,
  type Outgoing,
} from "./roomOutbox";

export { HUB_NAME } from "../api/constants";

export type { Outgoing };

/** An answer that is being written: nothing of it is stored yet. Agents that answer the same message share the id of the turn. */
export type Growing = { turnId: string; agent: string; text: string };

/** Whether a message is the written part of an answer that was stopped. */
export const isStopped = (m: RoomMessage): boolean => m.type === "chat" && m.cause?.code === "answer_stopped";

/** Whether a person wrote a message or caused it by a stop: it isn't news to them. */
export const isOwn = (m: RoomMessage, me: string): boolean =>
  m.sender === me ||
  ((isStopped(m) || (m.type === "system" && ["stopped", "wrap_up"].includes(m.cause?.code ?? ""))) &&
    m.cause?.params?.by === me);

export type Conversation = {
  status: "loading" | "ready" | "failed" | "gone";
  error?: ApiError;
  link: LinkState;
  /** In the order of ids, without a gap from the first to the last. */
  messages: RoomMessage[];
  outbox: Outgoing[];
  /** There are more before the first, and after the last. */
  older: boolean;
  newer: boolean;
  busy?: "older" | "newer";
  /** Known of, and not loaded: what came while an earlier part is shown. */
  unloaded: number;
  /** Who does what, where agents take turns. */
  floor?: RoomStatus;
  growing: Growing[];
};

export type RoomView = {
  use: UseBoundStore<StoreApi<Conversation>>;
  send: (text: string) => void;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
  loadOlder: () => void;
  loadNewer: () => void;
  /** Shows the part around a message. */
  goTo: (id: number) => Promise<void>;
  /** Shows the newest part. */
  toNewest: () => Promise<void>;
  /** Joins the room; returns how it is left. */
  start: () => () => void;
};

const page = 100,
  bigPage = 200;
const empty: Conversation = {
  status: "loading",
  link: "connecting",
  messages: [],
  outbox: [],
  older: false,
  newer: false,
  unloaded: 0,
  growing: [],
};

/** A room as the person reads it, once it is started: its messages as they come, and those of before as they are wanted. */
export function viewRoom(room: string, sender: string): RoomView {
  const use = create<Conversation>()(() => empty);
  const { setState: set, getState: get } = use;
  let socket: ReturnType<typeof followRoom> | undefined,
    closed = false,
    round = 0;
  let newest = 0; // id that is known of

  const take = (list: RoomMessage[]) => {
    newest = Math.max(newest, list.at(-1)?.id ?? 0);
    const ours = new Set(list.filter((m) => m.sender === sender).map((m) => m.clientMessageId));
    dropOutgoing(room, (o) => ours.has(o.clientId));
    set((s) => {
      if (s.newer) return { unloaded: s.unloaded + list.length };
      const last = s.messages.at(-1)?.id ?? 0,
        fresh = list.filter((m) => m.id > last);
      return { messages: fresh.length ? [...s.messages, ...fresh] : s.messages };
    });
  };

  const live = (l: RoomLive) => {
    const { type, status, turnId = "", agent = "", text = "", whole } = l;
    if (type === "status" && status)
      set((s) => ({
        floor: status,
        growing: s.growing.filter((g) => status.agents.some((a) => a.turnId === g.turnId && a.name === g.agent)),
      }));
    const same = (g: Growing) => g.turnId === turnId && g.agent === agent;
    if (type === "end") set((s) => ({ growing: s.growing.filter((g) => !same(g)) }));
    if (type === "partial")
      set((s) => {
        const had = s.growing.find(same);
        const now = { turnId, agent, text: whole ? text : (had?.text ?? "") + text };
        return { growing: had ? s.growing.map((g) => (g === had ? now : g)) : [...s.growing, now] };
      });
  };

  /** Loads the newest part and follows the room from there. */
  async function load(): Promise<void> {
    const mine = ++round;
    socket?.stop();
    try {
      const messages = await talk.messages(room, { limit: page });
      if (closed || mine !== round) return;
      newest = Math.max(newest, messages.at(-1)?.id ?? 0);
      const here = new Set(messages.map((m) => m.clientMessageId));
      dropOutgoing(room, (o) => here.has(o.clientId));
      set({
        status: "ready",
        error: undefined,
        messages,
        older: messages.length === page,
        newer: false,
        unloaded: 0,
        busy: undefined,
      });
      socket = followRoom(room, sender, messages.at(-1)?.id ?? 0, {
        onMessages: take,
        onLive: live,
        onLink: (link) => {
          set(link === "lost" ? { link, growing: [] } : { link });
          if (link === "open") void deliverAll(room);
        },
        onGone: (why) => {
          if (why === "deleted") set({ status: "gone" });
          else void load();
        },
      });
    } catch (e) {
      if (!closed && mine === round) set({ status: "failed", error: asApiError(e) });
    }
  }

  async function more(way: "older" | "newer"): Promise<void> {
    const { busy, messages } = get(),
      mine = round;
    const at = way === "older" ? messages[0]?.id : messages.at(-1)?.id;
    if (busy || at === undefined || !get()[way]) return;
    set({ busy: way });
    try {
      const list = await talk.messages(
        room,
        way === "older" ? { before: at, limit: bigPage } : { after: at, limit: bigPage },
      );
      if (closed || mine !== round) return;
      const whole = list.length < bigPage && (way === "older" || (list.at(-1)?.id ?? at) >= newest);
      set((s) =>
        way === "older"
          ? { busy: undefined, older: !whole, messages: [...list, ...s.messages] }
          : {
              busy: undefined,
              newer: !whole,
              messages: [...s.messages, ...list],
              unloaded: whole ? 0 : Math.max(0, s.unloaded - list.length),
            },
      );
    } catch {
      if (!closed && mine === round) set({ busy: undefined }); // scrolling on asks again
    }
  }

  return {
    use,
    send: (text) => sendToRoom(room, sender, text),
    retry: (clientId) => sendAgain(room, clientId),
    discard: (clientId) => dropOutgoing(room, (o) => o.clientId === clientId),
    loadOlder: () => void more("older"),
    loadNewer: () => void more("newer"),
    goTo: async (id) => {
      if (get().messages.some((m) => m.id === id)) return;
      const mine = round,
        half = page / 2;
      const [before, after] = await Promise.all([
        talk.messages(room, { before: id, limit: half }),
        talk.messages(room, { after: id - 1, limit: half }),
      ]);
      if (closed || mine !== round) return;
      round++;
      set({
        messages: [...before, ...after],
        older: before.length === half,
        newer: after.length === half || (after.at(-1)?.id ?? 0) < newest,
        unloaded: 0,
        busy: undefined,
      });
    },
    toNewest: load,
    start: () => {
      closed = false;
      // What an earlier page kept as unsent can have arrived just before it closed.
      const mine = () => {
        const here = new Set(get().messages.map((m) => m.clientMessageId));
        set({ outbox: outboxOf(room).filter((o) => o.sender === sender && !here.has(o.clientId)) });
      };
      mine();
      const offs = [
        onHub({ back: () => (get().status === "failed" ? void load() : socket?.retryNow()) }),
        useOutbox.subscribe(mine),
        watchOutbox(room, () => newest),
      ];
      recoverOutbox(room).catch(() => undefined); // the hub is away; what it keeps comes at the next start
      void load();
      return () => {
        closed = true;
        for (const off of offs) off();
        socket?.stop();
      };
    },
  };
}
