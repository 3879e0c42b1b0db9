import { keepSocket, type LinkState } from "./socket";
import type { RoomLive, RoomMessage } from "./types";

export type RoomFrames = {
  /** What came, in the order of ids; never the same one twice. */
  onMessages: (list: RoomMessage[]) => void;
  /** Live state besides messages: who does what, and growing answers. Sent in full after each reconnect. */
  onLive: (live: RoomLive) => void;
  onLink: (s: LinkState) => void;
  /** The room is deleted, or cannot be read: nothing more will come. */
  onGone: (why: "deleted" | "refused") => void;
};

const isMessage = (m: object): m is RoomMessage =>
  "id" in m &&
  typeof m.id === "number" &&
  "message" in m &&
  typeof m.message === "string" &&
  "sender" in m &&
  typeof m.sender === "string";

const deleted = 1000,
  refused = 1008;

/** Reads a room from the message `after` on and is `sender` there, for as long as it is wanted; a lost link goes on where it was. */
export function followRoom(
  room: string,
  sender: string,
  after: number,
  { onMessages, onLive, onLink, onGone }: RoomFrames,
): { stop: () => void; retryNow: () => void } {
  let last = after,
    stopped = false;
  let came: RoomMessage[] = [],
    due: ReturnType<typeof setTimeout> | undefined;

  // A burst is shown once a frame.
  const hand = () => {
    clearTimeout(due);
    due = undefined;
    const list = came;
    came = [];
    if (!stopped && list.length) onMessages(list);
  };
  const onFrame = (m: object) => {
    if ("live" in m) {
      hand(); // an answer is there before it is said to be over
      onLive(m.live as RoomLive);
      return;
    }
    if (!isMessage(m) || m.id <= last) return;
    last = m.id;
    came.push(m);
    due ??= setTimeout(hand, 16);
  };
  const onClose = (code: number) => {
    if (code !== deleted && code !== refused) return false;
    hand();
    onGone(code === deleted ? "deleted" : "refused");
    return true;
  };
  const socket = keepSocket(
    () => `/ws?${new URLSearchParams({ room, sender, after: String(last), live: "1" }).toString()}`,
    { onFrame, onLink, onClose },
  );
  return {
    retryNow: socket.retryNow,
    stop: () => {
      stopped = true;
      clearTimeout(due);
      socket.stop();
    },
  };
}
