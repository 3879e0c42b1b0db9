import { forgetEndpoint } from "./endpoint";
import { openSocket, type LinkState } from "./stream";
import type { ChatFrame } from "./types";

const firstWait = 300, longestWait = 5_000;

/** Follows what happens in a gateway's sessions for as long as it is wanted. After each new link, histories must be read again. */
export function followChats(gateway: string, { onFrame, onLink }: { onFrame: (f: ChatFrame) => void; onLink: (s: LinkState) => void }): { stop: () => void; retryNow: () => void } {
  let socket: WebSocket | undefined, timer: ReturnType<typeof setTimeout> | undefined, wait = firstWait, stopped = false;
  const again = () => {
    if (stopped) return;
    onLink("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWait);
  };
  function connect() {
    clearTimeout(timer);
    openSocket(`/api/gateway/stream?${new URLSearchParams({ gateway }).toString()}`).then((ws) => {
      if (stopped) { ws.close(); return; }
      socket = ws;
      ws.onopen = () => { wait = firstWait; onLink("open"); };
      ws.onmessage = (e: MessageEvent<string>) => onFrame(JSON.parse(e.data) as ChatFrame);
      ws.onclose = () => { if (socket === ws) { socket = undefined; forgetEndpoint(); again(); } };
    }, again);
  }
  onLink("connecting");
  connect();
  return {
    retryNow: () => { if (!stopped && !socket) { wait = firstWait; connect(); } },
    stop: () => { stopped = true; clearTimeout(timer); socket?.close(); },
  };
}
