import { create, type StoreApi, type UseBoundStore } from "zustand";
import { followRoom } from "../api/roomSocket";
import type { LinkState } from "../api/socket";
import { talk } from "../api/talk";
import { freshId, type RoomLive, type RoomMessage, type RoomStatus } from "../topology";
import { asApiError, type ApiError } from "./faults";
import { onHub } from "./hub";

export { HUB_NAME } from "../api/constants";

/** A message on its way to the hub. */
export type Outgoing = {
  clientId: string;
  text: string;
  at: string;
  /** The hub has it; it comes with the others. */ stored?: boolean;
  error?: ApiError;
};

/** An answer that is being written: nothing of it is stored yet. Agents that answer the same message share the id of the turn. */
export type Growing = { turnId: string; agent: string; text: string };

/** Whether a message is the written part of an answer that was stopped. */
export const isStopped = (m: RoomMessage): boolean => m.type === "chat" && m.cause?.code === "answer_stopped";

/** Whether a person wrote a message or caused it by a stop: it isn't news to them. */
export const isOwn = (m: RoomMessage, me: string): boolean =>
  m.sender === me ||
  ((isStopped(m) || (m.type === "system" && m.cause?.code === "stopped")) && m.cause?.params?.by === me);

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

  const take = (list: RoomMessage[]) =>
    set((s) => {
      newest = Math.max(newest, list.at(-1)?.id ?? 0);
      const ours = new Set(list.filter((m) => m.sender === sender).map((m) => m.clientMessageId));
      const outbox = s.outbox.some((o) => ours.has(o.clientId))
        ? s.outbox.filter((o) => !ours.has(o.clientId))
        : s.outbox;
      if (s.newer) return { outbox, unloaded: s.unloaded + list.length };
      const last = s.messages.at(-1)?.id ?? 0,
        fresh = list.filter((m) => m.id > last);
      return { outbox, messages: fresh.length ? [...s.messages, ...fresh] : s.messages };
    });

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
      set((s) => ({
        status: "ready",
        error: undefined,
        messages,
        older: messages.length === page,
        newer: false,
        unloaded: 0,
        busy: undefined,
        outbox: s.outbox.filter((o) => !here.has(o.clientId)),
      }));
      socket = followRoom(room, sender, messages.at(-1)?.id ?? 0, {
        onMessages: take,
        onLive: live,
        onLink: (link) => {
          set(link === "lost" ? { link, growing: [] } : { link });
          if (link === "open") deliverAll();
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

  const under = new Set<string>();
  const amend = (clientId: string, change: Partial<Outgoing>) =>
    set((s) => ({ outbox: s.outbox.map((x) => (x.clientId === clientId ? { ...x, ...change } : x)) }));
  const drop = (clientId: string) => set((s) => ({ outbox: s.outbox.filter((x) => x.clientId !== clientId) }));

  /** The same id again stores nothing twice, so it is sent until the hub has it or refuses it. */
  async function deliver(clientId: string, tries = 0): Promise<void> {
    const o = get().outbox.find((x) => x.clientId === clientId);
    if (!o || o.stored || closed || under.has(clientId)) return;
    under.add(clientId);
    try {
      const m = await talk.post({ room, sender, message: o.text, clientMessageId: clientId });
      if (m.id <= newest) drop(clientId);
      else amend(clientId, { stored: true });
    } catch (e) {
      const error = asApiError(e);
      if (!error.temporary) amend(clientId, { error });
      else setTimeout(() => void deliver(clientId, tries + 1), Math.min(8_000, 1_000 * 2 ** tries));
    } finally {
      under.delete(clientId);
    }
  }
  const deliverAll = () => {
    for (const o of get().outbox) if (!o.error) void deliver(o.clientId);
  };

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
    send: (text) => {
      const o: Outgoing = { clientId: freshId(), text, at: new Date().toISOString() };
      set((s) => ({ outbox: [...s.outbox, o] }));
      void deliver(o.clientId);
    },
    retry: (clientId) => {
      amend(clientId, { error: undefined });
      void deliver(clientId);
    },
    discard: drop,
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
      const off = onHub({ back: () => socket?.retryNow() });
      void load();
      return () => {
        closed = true;
        off();
        socket?.stop();
      };
    },
  };
}
