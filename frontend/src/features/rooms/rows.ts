import { isOwn, type Growing, type Outgoing } from "@/stores/conversation";
import type { RoomMessage } from "@/topology";

/** One line of what is shown: a message, or one on its way; with what stands above it. */
export type Row = {
  key: string;
  /** The first of its day. */ day?: string;
  /** The first that was not read. */ fresh?: boolean;
  /** The room begins here. */ start?: boolean;
  message?: RoomMessage;
  out?: Outgoing;
  grows?: Growing;
};

const dayOf = (at: string) => {
  const d = new Date(at);
  return `${d.getFullYear()}-${d.getMonth()}-${d.getDate()}`;
};

export type Reading = {
  messages: readonly RoomMessage[];
  outbox: readonly Outgoing[];
  /** Answers that are being written. */ growing?: readonly Growing[];
  /** All before the first is loaded. */ whole: boolean;
  /** The newest that was read when the room was opened. */ read: number;
  me: string;
};

/** What is shown of a room, in order. */
export function rowsOf({ messages, outbox, growing = [], whole, read, me }: Reading): Row[] {
  const fresh = messages.find((m) => m.id > read && !isOwn(m, me))?.id;
  // Whether the first one begins its day is only known when the one before it is.
  let day = whole ? "" : dayOf(messages[0]?.timestamp ?? "");
  const rows = messages.map((message, i): Row => {
    const before = day;
    day = dayOf(message.timestamp);
    return {
      key: String(message.id),
      message,
      day: day === before ? undefined : message.timestamp,
      fresh: (message.id === fresh && (i > 0 || !whole) && read > 0) || undefined,
      start: (whole && i === 0) || undefined,
    };
  });
  const turn = (id: string | undefined, agent: string) => `turn:${id} ${agent}`;
  const stored = new Set(growing.length ? messages.slice(-200).map((m) => turn(m.clientMessageId, m.sender)) : []);
  const written = growing.map((grows): Row => ({ key: turn(grows.turnId, grows.agent), grows }));
  return [
    ...rows,
    ...written.filter((r) => r.grows?.text && !stored.has(r.key)),
    ...outbox.map((out): Row => ({ key: `out:${out.clientId}`, out })),
  ];
}
