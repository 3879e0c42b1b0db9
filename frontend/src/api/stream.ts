import { keepSocket, type LinkState } from "./socket";
import type { Notify } from "./types";

export type StreamEvents = { onNotify: (n: Notify) => void; onLink: (s: LinkState) => void };

/**
 * Follows the hub's events for as long as the page lives, and reconnects automatically. After a missing
 * frame (a gap in seq), it requests the whole state again.
 */
export function followEvents({ onNotify, onLink }: StreamEvents): { stop: () => void; retryNow: () => void } {
  let last: number | undefined;
  const onFrame = (frame: object) => {
    const n = frame as Notify;
    if (!n.reset && last !== undefined && n.seq > last + 1) {
      socket.send(JSON.stringify({ resync: true }));
      last = undefined;
      return;
    }
    if (!n.reset && last === undefined) return;
    last = n.seq;
    onNotify(n);
  };
  const socket = keepSocket(
    () => {
      last = undefined;
      return "/api/events";
    },
    { onFrame, onLink, pulse: true },
  );
  return socket;
}
