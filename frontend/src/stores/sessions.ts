import { create } from "zustand";
import { followChats } from "../api/chatSocket";
import { talk } from "../api/talk";
import { freshId, type ChatFrame } from "../topology";
import { loadDesk } from "./desk";
import { asApiError } from "./faults";
import { onHub, useHub } from "./hub";
import { heardOf, stillBroken, surely, withBroken, withKept, without } from "./sessionBroken";
import { withEnd, withOlder } from "./sessionHistory";
import { keepBroken, keepSent, keptBroken, keptSent, reloadKept } from "./sessionKept";
import { afterRun, has, lost, saidAs, stillSent, waits, type Sent } from "./sessionSent";
import type { Chat, GatewayView, Run, Sessions } from "./sessionTypes";

export type { Chat, GatewayView, Run, Sessions } from "./sessionTypes";

/** The most that a gateway gives at once. */
export const mostMessages = 1000;
const firstPage = 100,
  listPatience = 300,
  silence = 3_000,
  longestSilence = 60_000;
const fresh: Chat = { status: "loading", messages: [], older: false, busy: false, sent: [] };
const messageId = () => `page-${freshId(12)}`;

const views = new Map<string, GatewayView>();

/** A gateway's sessions. What was sent and isn't in their histories yet is kept while other screens are looked at. */
export function viewOf(gateway: string): GatewayView {
  const view = views.get(gateway) ?? viewGateway(gateway);
  views.set(gateway, view);
  return view;
}

/** A gateway's sessions as the page shows them, once it is started. */
export function viewGateway(gateway: string): GatewayView {
  const unread = { status: "loading", link: "connecting", list: [] } as const;
  const use = create<Sessions>()(() => ({ ...unread, list: [], chats: {} }));
  const { getState: get, setState: set } = use;
  /** Where what is older begins, of gateways that give histories in parts; the others are asked for more and more of the end. */
  const offsets = new Map<string, number>();
  const limits = new Map<string, number>(),
    rounds = new Map<string, number>(),
    heard = new Map<string, number>(),
    ours = new Set<string>();
  /** The latest run that ended in a session: its end can be told before the hub has said which run a message is. */
  const over = new Map<string, string>();
  /** When an answer was stopped in a session, until it is known what became of the messages that waited behind it. */
  const stopped = new Map<string, string>();
  /** What has come of answers that are on their way, by session: a panel that is opened later shows it. */
  const growing = new Map<string, { f: ChatFrame; since: number }>();
  /** The sessions that somebody looks at, and how many do. */
  const looked = new Map<string, number>();
  /** Sessions of which it is known what was sent before the page was loaded. */
  const restored = new Set<string>();
  let socket: ReturnType<typeof followChats> | undefined,
    due: ReturnType<typeof setTimeout> | undefined,
    closed = true;

  const chat = (key: string) => get().chats[key] ?? fresh;
  const amend = (key: string, change: Partial<Chat> | ((c: Chat) => Partial<Chat>)) =>
    set((s) => {
      const c = s.chats[key] ?? fresh;
      return { chats: { ...s.chats, [key]: { ...c, ...(typeof change === "function" ? change(c) : change) } } };
    });

  use.subscribe(({ chats }, was) => {
    for (const [key, { sent, broken }] of Object.entries(chats)) {
      if (!restored.has(key)) continue;
      if (sent !== was.chats[key]?.sent) keepSent(gateway, key, sent);
      if (broken !== was.chats[key]?.broken) keepBroken(gateway, key, broken ?? []);
    }
  });

  /** Shows again what was sent before the page was loaded, and finds out whether the gateway has saved it. */
  async function restore(key: string, looks = patience(20)): Promise<void> {
    if (restored.has(key)) return;
    try {
      const kept = await keptSent(gateway, key),
        parts = keptBroken(gateway, key);
      if (restored.has(key)) return;
      restored.add(key);
      amend(key, (c) => ({
        sent: [...kept.filter((o) => !has(c.messages, o) && !c.sent.some((x) => x.key === o.key)), ...c.sent],
        broken: withKept(c, parts),
      }));
      if (waits(chat(key))) doubtAll(key, looks);
    } catch {
      // It is asked for again when the session is opened again.
    }
  }

  /** How often to look before a silent gateway has lost something. Newer ones tell which sessions are running. */
  const patience = (silent: number) =>
    useHub.getState().gateways.find((g) => g.name === gateway)?.listsRuns ? 2 : silent;

  function doubtAll(key: string, looks: number): void {
    stopped.set(key, new Date().toISOString());
    doubt(key, looks);
  }

  /**
   * The link to the gateway was lost, maybe because the gateway restarted. What came of its answers stays in view. An
   * answer that goes on has another event soon; of the others, and of what waits behind them, the history tells.
   */
  function breakOff(looks: number): void {
    const runs = new Map<string, Run>(),
      at = new Date().toISOString();
    for (const [key, { f, since }] of growing) runs.set(key, { runId: f.runId ?? "", text: f.text ?? "", since });
    growing.clear();
    for (const [key, { run }] of Object.entries(get().chats)) if (run) runs.set(key, run);
    for (const [key, run] of runs)
      amend(key, ({ broken = [] }) => ({ run: undefined, broken: withBroken(broken, { ...run, at }) }));
    for (const [key, c] of Object.entries(get().chats)) if (waits(c)) doubtAll(key, looks);
    void reloadKept().then(
      () => {
        for (const key of looked.keys()) if (restored.delete(key)) void restore(key, looks);
      },
      () => undefined, // what other windows have sent is shown after a reload
    );
  }

  async function readList(): Promise<void> {
    try {
      const [list] = await Promise.all([talk.sessions(gateway), loadDesk()]);
      if (!closed) set({ status: "ready", error: undefined, list });
    } catch (e) {
      if (!closed && get().status !== "ready") set({ status: "failed", error: asApiError(e) });
    }
  }
  const readListSoon = () => {
    clearTimeout(due);
    due = setTimeout(() => void readList(), listPatience);
  };

  /** True when the gateway has told what the session's history is. */
  async function read(key: string): Promise<boolean> {
    const round = (rounds.get(key) ?? 0) + 1,
      limit = limits.get(key) ?? firstPage;
    rounds.set(key, round);
    try {
      const end = await talk.history(gateway, key, limit),
        more = end.more === true;
      if (closed || rounds.get(key) !== round) return false;
      const had = chat(key),
        inParts = end.next !== undefined || offsets.has(key),
        known = inParts && had.messages.length ? withEnd(had.messages, end.messages) : undefined;
      if (inParts && !known) offsets.set(key, end.next ?? 0);
      const messages = known ?? end.messages,
        older = !inParts ? more && limit < mostMessages : known ? had.older : end.next !== undefined;
      amend(key, (c) => ({
        status: "ready",
        error: undefined,
        busy: false,
        messages,
        older,
        cut: more && !inParts && !older,
        sent: stillSent(c.sent, messages),
        broken: stillBroken(c.broken, messages),
      }));
      return true;
    } catch (e) {
      if (closed || rounds.get(key) !== round) return false;
      const error = asApiError(e),
        none = error.code === "NOT_FOUND" || error.details.code === "NOT_FOUND";
      // A session is there once something was said in it.
      if (none) amend(key, { status: "ready", busy: false, messages: [], older: false });
      else amend(key, (c) => ({ busy: false, ...(c.status === "ready" ? {} : { status: "failed", error }) }));
      return none;
    }
  }

  /** Reads the part before what is known. What was said since reaches into it: nothing is shown twice. */
  async function readOlder(key: string): Promise<void> {
    try {
      const part = await talk.history(gateway, key, 2 * firstPage, offsets.get(key) ?? 0);
      if (closed) return;
      offsets.set(key, part.next ?? 0);
      amend(key, (c) => ({
        busy: false,
        messages: withOlder(part.messages, c.messages),
        older: part.next !== undefined,
      }));
    } catch {
      if (!closed) amend(key, { busy: false });
    } // scrolling up again asks again
  }

  const readAll = () => {
    void readList();
    for (const key of looked.keys()) void read(key);
  };

  function take(f: ChatFrame): void {
    if (f.state === "resync") {
      breakOff(patience(3));
      readAll();
      return;
    }
    const key = f.sessionKey ?? "",
      id = f.runId ?? "";
    if (f.state !== "delta" && f.state !== "status") readListSoon();
    const had = growing.get(key);
    if (f.state === "delta") growing.set(key, { f, since: had?.f.runId === id ? had.since : Date.now() });
    else if (f.state !== "status") growing.delete(key);
    if (get().chats[key]) amend(key, (c) => heardOf(c, id, f.state === "final" && !!f.text && !looked.has(key)));
    if (!looked.has(key)) return; // it is read when it is opened again
    heard.set(key, Date.now());
    const { run } = chat(key);
    if (f.state === "delta" || f.state === "status") {
      if (run && run.runId !== id && !run.text) return;
      const begun = run?.runId === id ? run : { runId: id, text: "", since: Date.now() };
      amend(key, {
        run: { ...begun, text: f.text || begun.text, phase: f.state === "status" ? f.phase : begun.phase },
        ended: undefined,
      });
      if (run?.runId !== id && !ours.has(id)) void read(key); // somebody else asked: their words come first
      return;
    }
    over.set(key, id);
    if (f.state === "aborted") {
      stopped.set(key, new Date().toISOString());
      doubt(key);
    }
    // What came of it stays in view until the history shows it.
    amend(key, (c) => ({
      ended:
        f.state === "final" ? undefined : { state: f.state as "aborted" | "error", error: f.error, cause: f.cause },
      run: c.run?.runId === id ? { ...c.run, text: f.text || c.run.text } : c.run,
    }));
    const came = f.text || (run?.runId === id ? run.text : "");
    void read(key).then(() => {
      amend(key, (c) => afterRun(c, { ...f, runId: id, text: came }));
      if (f.state === "final" && chat(key).sent.some((o) => o.runId === id)) doubtAll(key, patience(20));
    });
  }

  /** A gateway that stops an answer can drop the messages that waited behind it, and says nothing about them. */
  function doubt(key: string, looks = 2): void {
    setTimeout(() => {
      const at = stopped.get(key);
      if (closed || !at || !looked.has(key)) return; // it is looked into when the session is opened again
      if (chat(key).run || get().list.some((s) => s.sessionKey === key && s.running)) {
        if (!chat(key).run) void readList();
        doubt(key, looks);
        return;
      }
      void read(key).then((seen) => {
        if (!seen || looks > 1) return doubt(key, seen ? looks - 1 : looks);
        stopped.delete(key);
        amend(key, (c) => ({ sent: lost(c.sent, c.messages, at), broken: surely(c.broken, at) }));
      });
    }, silence);
  }

  /** Where a gateway tells nothing, or its word was lost, the history is asked until the answer stands there, and less and less often. */
  function watch(key: string, runId: string, wait = silence): void {
    setTimeout(() => {
      const { run, messages } = chat(key);
      if (closed || !looked.has(key) || run?.runId !== runId) return;
      if (Date.now() - (heard.get(key) ?? 0) < silence) {
        watch(key, runId);
        return;
      }
      const before = messages.filter((m) => m.role === "assistant").length;
      void read(key).then(() => {
        const now = chat(key);
        if (now.messages.filter((m) => m.role === "assistant").length > before)
          amend(key, (c) =>
            c.run?.runId === runId ? { run: undefined, sent: c.sent.filter((o) => o.runId !== runId) } : {},
          );
        watch(key, runId, Math.min(2 * wait, longestSilence));
      });
    }, wait);
  }

  async function deliver(key: string, o: Sent): Promise<void> {
    ours.add(o.key);
    heard.set(key, Date.now());
    amend(key, (c) => ({ ended: undefined, run: c.run ?? { runId: o.key, text: "", since: Date.now() } }));
    try {
      const got = await talk.send(gateway, key, o.text, o.key);
      const runId = got.runId ?? o.key;
      ours.add(runId);
      amend(key, (c) => ({
        sent: stillSent(
          c.sent.map((x) => (x.key === o.key ? { ...x, runId } : x)),
          c.messages,
        ),
        run: c.run?.runId !== o.key ? c.run : over.get(key) === runId ? undefined : { ...c.run, runId },
      }));
      const begun = growing.get(key);
      if (begun?.f.runId === runId) take(begun.f); // it began before it was known to be the answer
      watch(key, runId);
      readListSoon();
    } catch (e) {
      amend(key, (c) => ({
        run: c.run?.runId === o.key ? undefined : c.run,
        sent: c.sent.map((x) => (x.key === o.key ? { ...x, error: asApiError(e) } : x)),
      }));
    }
  }

  return {
    use,
    start: () => {
      closed = false;
      growing.clear();
      socket = followChats(gateway, {
        onFrame: take,
        onLink: (link) => {
          if (link === "open" && get().link === "lost") breakOff(patience(20)); // the gateway may have been away too
          set({ link });
          if (link === "open") readAll();
        },
      });
      const off = onHub({ back: () => socket?.retryNow() });
      void readList();
      return () => {
        closed = true;
        off();
        clearTimeout(due);
        socket?.stop();
        const waiting = Object.entries(get().chats).filter(([, c]) => c.sent.length || c.broken?.length);
        set({
          ...unread,
          list: [],
          chats: Object.fromEntries(waiting.map(([k, c]) => [k, { ...fresh, sent: c.sent, broken: c.broken }])),
        });
      };
    },
    reload: () => {
      set({ status: "loading", error: undefined });
      readAll();
    },
    open: (key) => {
      const lookers = looked.get(key) ?? 0,
        c = get().chats[key];
      looked.set(key, lookers + 1);
      if (!lookers) {
        amend(key, c && c.status !== "failed" ? { run: undefined } : fresh);
        void read(key).then(() => restore(key));
        const f = growing.get(key);
        if (f) take(f.f);
        if (stopped.has(key)) doubt(key);
        else if (restored.has(key) && waits(chat(key))) doubtAll(key, patience(20));
      }
      return () => {
        const left = (looked.get(key) ?? 1) - 1;
        if (left > 0) looked.set(key, left);
        else looked.delete(key);
      };
    },
    older: (key) => {
      const c = chat(key);
      if (c.busy || !c.older) return;
      amend(key, { busy: true });
      if (offsets.has(key)) {
        void readOlder(key);
        return;
      }
      limits.set(key, Math.min(mostMessages, Math.max(firstPage, c.messages.length) * 2));
      void read(key);
    },
    send: (key, text) => {
      const o: Sent = {
        key: messageId(),
        text,
        at: new Date().toISOString(),
        after: chat(key).messages.at(-1)?.timestamp,
        had: saidAs(text, chat(key).messages).map((m) => m.sign),
      };
      amend(key, (c) => ({ sent: [...c.sent, o] }));
      void deliver(key, o);
    },
    retry: (key, sent) => {
      const had = chat(key).sent.find((x) => x.key === sent);
      if (!had) return;
      // A gateway answers the same id only once.
      const again = had.unkept ? { key: messageId(), runId: undefined, at: new Date().toISOString() } : {},
        after = chat(key).messages.at(-1)?.timestamp,
        o: Sent = { ...had, ...again, after, stopped: undefined, unkept: undefined, error: undefined };
      amend(key, (c) => ({
        sent: [...c.sent.filter((x) => x.key !== sent), o],
        broken: without(c.broken, had.runId ?? had.key),
      }));
      void deliver(key, o);
    },
    discard: (key, sent) => amend(key, (c) => ({ sent: c.sent.filter((x) => x.key !== sent) })),
    forget: (key, runId) => amend(key, (c) => ({ broken: without(c.broken, runId) })),
    stop: async (key) => {
      await talk.abort(gateway, key);
    },
  };
}
