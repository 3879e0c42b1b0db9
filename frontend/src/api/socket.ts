import { client, take, within } from "./client";
import { endpoint, forgetEndpoint } from "./endpoint";
import { isSignedOut, pageKey } from "./login";

export type LinkState = "connecting" | "open" | "lost";

export type SocketEvents = {
  /** What a frame holds. What is no JSON object never comes here: the connection that brought it is given up. */
  onFrame: (frame: object) => void;
  onLink: (s: LinkState) => void;
  /** Told the code of a socket that was closed; true when nothing more will come and it is not to be opened again. */
  onClose?: (code: number) => boolean;
};

/** A socket of the hub that is opened again whenever it is lost, until it is stopped. */
export type KeptSocket = {
  /** Says something, if the socket is open. */
  send: (text: string) => void;
  /** Gives this connection up and opens the next one. */
  renew: () => void;
  /** Tries at once, if there is no connection. */
  retryNow: () => void;
  stop: () => void;
};

const firstWait = 300, longestWait = 5_000;

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function openSocket(path: string): Promise<WebSocket> {
  const { url, token } = await endpoint();
  const address = url.replace(/^http/, "ws") + path;
  if (token) return new WebSocket(address, ["agentflow", `bearer.${base64url(token)}`]);
  if (isSignedOut()) throw new Error("this browser is not signed in");
  const key = pageKey();
  return key ? new WebSocket(address, ["agentflow", `page.${key}`]) : new WebSocket(address);
}

/** A socket does not tell why it was refused: an answer does, and a login that has ended is heard by it. */
const askWhy = () => take(client.GET("/api/logins", { signal: within() })).catch(() => undefined);

function asObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a socket open at the path, which is asked for anew at every try. */
export function keepSocket(path: () => string, { onFrame, onLink, onClose }: SocketEvents): KeptSocket {
  let socket: WebSocket | undefined, timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait, stopped = false;
  const again = () => {
    if (stopped) return;
    onLink("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWait);
  };
  function connect() {
    clearTimeout(timer);
    openSocket(path()).then((ws) => {
      if (stopped) { ws.close(); return; }
      socket = ws;
      let opened = false;
      ws.onopen = () => { opened = true; wait = firstWait; onLink("open"); };
      ws.onmessage = (e: MessageEvent<string>) => {
        if (socket !== ws) return;
        const frame = asObject(e.data);
        if (frame) { onFrame(frame); return; }
        wait = longestWait; // what is broken will hardly be better at once
        ws.close();
      };
      ws.onclose = (e) => {
        if (socket !== ws) return;
        socket = undefined;
        if (!opened) void askWhy();
        forgetEndpoint();
        if (onClose?.(e.code)) stop(); else again();
      };
    }, again);
  }
  const retryNow = () => { if (!stopped && !socket) { wait = firstWait; connect(); } };
  function stop() {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
    socket = undefined;
    globalThis.removeEventListener?.("online", retryNow);
  }
  onLink("connecting");
  connect();
  globalThis.addEventListener?.("online", retryNow);
  return { retryNow, stop, renew: () => socket?.close(), send: (text) => { if (socket?.readyState === WebSocket.OPEN) socket.send(text); } };
}
