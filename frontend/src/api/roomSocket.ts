import { forgetEndpoint } from "./endpoint";
import { openSocket, type LinkState } from "./stream";
import type { RoomLive, RoomMessage } from "./types";

export type RoomFrames = {
  /** What came, in the order of ids; never the same one twice. */
  onMessages: (list: RoomMessage[]) => void;
  /** What goes on besides: who does what, and answers that grow. After a connection anew all of it is told again. */
  onLive: (live: RoomLive) => void;
  onLink: (s: LinkState) => void;
  /** The room is deleted, or cannot be read: nothing more will come. */
  onGone: (why: "deleted" | "refused") => void;
};

const firstWait = 300, longestWait = 5_000;
const deleted = 1000, refused = 1008;

/** Reads a room from the message `after` on and is `sender` there, for as long as it is wanted; a lost link goes on where it was. */
export function followRoom(room: string, sender: string, after: number, { onMessages, onLive, onLink, onGone }: RoomFrames): { stop: () => void; retryNow: () => void } {
  let socket: WebSocket | undefined, timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait, last = after, stopped = false;
  let came: RoomMessage[] = [], due: ReturnType<typeof setTimeout> | undefined;

  // A burst is shown once a frame.
  const hand = () => { clearTimeout(due); due = undefined; const list = came; came = []; if (!stopped && list.length) onMessages(list); };
  const onFrame = (text: string) => {
    const m = JSON.parse(text) as RoomMessage | { error: unknown } | { live: RoomLive };
    if ("live" in m) {
      hand(); // an answer is there before it is said to be over
      onLive(m.live);
      return;
    }
    if ("error" in m || m.id <= last) return;
    last = m.id;
    came.push(m);
    due ??= setTimeout(hand, 16);
  };
  const again = () => {
    if (stopped) return;
    onLink("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWait);
  };
  function connect() {
    clearTimeout(timer);
    openSocket(`/ws?${new URLSearchParams({ room, sender, after: String(last), live: "1" }).toString()}`).then((ws) => {
      if (stopped) { ws.close(); return; }
      socket = ws;
      ws.onopen = () => { wait = firstWait; onLink("open"); };
      ws.onmessage = (e: MessageEvent<string>) => onFrame(e.data);
      ws.onclose = (e) => {
        if (socket !== ws) return;
        socket = undefined;
        forgetEndpoint();
        if (e.code === deleted || e.code === refused) { hand(); stopped = true; onGone(e.code === deleted ? "deleted" : "refused"); } else again();
      };
    }, again);
  }
  onLink("connecting");
  connect();
  return {
    retryNow: () => { if (!stopped && !socket) { wait = firstWait; connect(); } },
    stop: () => { stopped = true; clearTimeout(timer); clearTimeout(due); socket?.close(); },
  };
}
