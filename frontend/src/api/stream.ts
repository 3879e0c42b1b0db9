import { endpoint, forgetEndpoint } from "./endpoint";
import type { Notify } from "./types";

export type LinkState = "connecting" | "open" | "lost";
export type StreamEvents = { onNotify: (n: Notify) => void; onLink: (s: LinkState) => void };

const firstWait = 400;
const longestWait = 8_000;

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** A socket of the hub, opened with what opens the page. */
export async function openSocket(path: string): Promise<WebSocket> {
  const { url, token } = await endpoint();
  const address = url.replace(/^http/, "ws") + path;
  return token ? new WebSocket(address, ["agentflow", `bearer.${base64url(token)}`]) : new WebSocket(address);
}

/**
 * Follows the hub's events for as long as the page lives, reconnecting by itself. A frame that is
 * missing (a gap in seq) is never guessed: the whole picture is asked for again.
 */
export function followEvents({ onNotify, onLink }: StreamEvents): { stop: () => void; retryNow: () => void } {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait;
  let last: number | undefined;
  let stopped = false;

  const later = () => {
    if (stopped) return;
    onLink("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWait);
  };
  const onMessage = (text: string) => {
    const n = JSON.parse(text) as Notify;
    if (!n.reset && last !== undefined && n.seq > last + 1) { socket?.send(JSON.stringify({ resync: true })); last = undefined; return; }
    if (!n.reset && last === undefined) return;
    last = n.seq;
    onNotify(n);
  };
  function connect() {
    last = undefined;
    openSocket("/api/events").then((ws) => {
      if (stopped) { ws.close(); return; }
      socket = ws;
      ws.onopen = () => { wait = firstWait; onLink("open"); };
      ws.onmessage = (e: MessageEvent<string>) => onMessage(e.data);
      ws.onclose = () => { if (socket === ws) { socket = undefined; forgetEndpoint(); later(); } };
    }, later);
  }
  const retryNow = () => {
    if (stopped || socket) return;
    clearTimeout(timer);
    wait = firstWait;
    connect();
  };
  onLink("connecting");
  connect();
  globalThis.addEventListener?.("online", retryNow);
  return {
    retryNow,
    stop: () => { stopped = true; clearTimeout(timer); socket?.close(); globalThis.removeEventListener?.("online", retryNow); },
  };
}
