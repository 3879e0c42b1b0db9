import { client, take, within } from "./client";
import { endpoint, forgetEndpoint, type Endpoint } from "./endpoint";
import { isSignedOut, pageKey } from "./login";

export type LinkState = "connecting" | "open" | "lost";

export type SocketEvents = {
  /** What a frame holds. What is no JSON object never comes here: the connection that brought it is given up. */
  onFrame: (frame: object) => void;
  onLink: (s: LinkState) => void;
  /** Told the code of a socket that was closed; true when nothing more will come and it is not to be opened again. */
  onClose?: (code: number) => boolean;
  /** The hub answers {"pulse":true} here with a frame: a connection that is dead without a word is noticed, and given up. */
  pulse?: boolean;
};

/** A socket of the hub that is opened again whenever it is lost, until it is stopped. */
export type KeptSocket = {
  /** Says something, if the socket is open. */
  send: (text: string) => void;
  /** Gives this connection up and opens the next one. */
  renew: () => void;
  /** Tries at once, if there is no connection, or none yet. */
  retryNow: () => void;
  stop: () => void;
};

const firstWait = 300,
  longestWait = 5_000;
/** How long the hub has to accept a socket; how long nothing may come before it is asked for a sign of life, and how long that may take. */
const patience = { connect: 10_000, silence: 25_000, answer: 8_000 };

/** Where one connection died without a word, as when the network changed, the others probably did. */
const doubters = new Set<() => void>();

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function openSocket(path: string, { url, token }: Endpoint): WebSocket {
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

/** Asks an open socket for a sign of life whenever nothing has come for a while; `dead` is called where none comes. */
function feelPulse(ws: WebSocket, dead: () => void): { heard: () => void; ask: () => void; stop: () => void } {
  let last = Date.now(),
    timer: ReturnType<typeof setTimeout>;
  const ask = () => {
    const asked = Date.now();
    ws.send(JSON.stringify({ pulse: true }));
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (last < asked) dead();
      else look();
    }, patience.answer);
  };
  const look = () => {
    const left = last + patience.silence - Date.now();
    if (left <= 0) ask();
    else timer = setTimeout(look, left);
  };
  look();
  return {
    heard: () => {
      last = Date.now();
    },
    ask,
    stop: () => clearTimeout(timer),
  };
}

/** Closes a socket that nobody listens to any more. One that is still being opened is closed once it is open, because browsers complain of it otherwise. */
function closeQuietly(ws: WebSocket): void {
  const connecting = 0;
  if (ws.readyState !== connecting) {
    ws.close();
    return;
  }
  const late = setTimeout(() => ws.close(), patience.connect);
  ws.onopen = () => ws.close();
  ws.onclose = () => clearTimeout(late);
}

/** Keeps a socket open at the path, which is evaluated at every attempt. */
export function keepSocket(path: () => string, { onFrame, onLink, onClose, pulse }: SocketEvents): KeptSocket {
  let socket: WebSocket | undefined,
    timer: ReturnType<typeof setTimeout> | undefined,
    beat: ReturnType<typeof feelPulse> | undefined;
  let wait = firstWait,
    stopped = false,
    attempt = 0;
  /** Leaves the connection, or the try, that there is: nothing that comes of it counts any more. */
  const leave = (close = (ws: WebSocket) => ws.close()) => {
    const ws = socket;
    attempt++;
    clearTimeout(timer);
    beat?.stop();
    beat = socket = undefined;
    if (ws) close(ws);
  };
  const again = () => {
    if (stopped) return;
    onLink("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, longestWait);
  };
  /** Of a connection that nobody said was over. */
  const giveUp = () => {
    leave();
    forgetEndpoint();
    again();
  };
  const dead = () => {
    for (const doubt of doubters) doubt();
  };
  const doubt = () => {
    if (socket?.readyState === WebSocket.OPEN) giveUp();
  };
  function connect() {
    leave();
    const mine = attempt;
    timer = setTimeout(giveUp, patience.connect);
    endpoint()
      .then((at) => {
        if (!stopped && mine === attempt) attach(openSocket(path(), at));
      })
      .catch(() => {
        if (mine === attempt) again();
      });
  }
  function attach(ws: WebSocket) {
    socket = ws;
    let opened = false;
    ws.onopen = () => {
      if (socket !== ws) return;
      opened = true;
      clearTimeout(timer);
      wait = firstWait;
      if (pulse) beat = feelPulse(ws, dead);
      onLink("open");
    };
    ws.onmessage = (e: MessageEvent<string>) => {
      if (socket !== ws) return;
      beat?.heard();
      const frame = asObject(e.data);
      if (frame) {
        onFrame(frame);
        return;
      }
      wait = longestWait; // what is broken will hardly be better at once
      giveUp();
    };
    ws.onclose = (e) => {
      if (socket !== ws) return;
      leave();
      if (!opened) void askWhy();
      forgetEndpoint();
      if (onClose?.(e.code)) stop();
      else again();
    };
  }
  const retryNow = () => {
    if (!stopped && socket?.readyState !== WebSocket.OPEN) {
      wait = firstWait;
      connect();
    }
  };
  /** The network changed: checks an open connection, or retries at once. */
  const online = () => {
    if (beat) beat.ask();
    else retryNow();
  };
  function stop() {
    stopped = true;
    leave(closeQuietly);
    doubters.delete(doubt);
    globalThis.removeEventListener?.("online", online);
  }
  onLink("connecting");
  connect();
  doubters.add(doubt);
  globalThis.addEventListener?.("online", online);
  return {
    retryNow,
    stop,
    renew: () => {
      if (socket) giveUp();
    },
    send: (text) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    },
  };
}
