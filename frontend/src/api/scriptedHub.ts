import { vi } from "vitest";

/** The hub's side of a socket in tests, as far as the page can tell. */
export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState: number = FakeSocket.CONNECTING;
  closed = false;
  readonly sent: string[] = [];
  onopen?: () => void;
  onmessage?: (e: { data: string }) => void;
  onclose?: (e: { code: number }) => void;
  constructor(public url: string) {
    FakeSocket.made.push(this);
  }

  /** The page closes it. The close event of a socket whose other side is silent comes late or never. */
  close() {
    this.closed = true;
    this.readyState = 2;
  }
  send(text: string) {
    this.sent.push(text);
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }
  frame(value: unknown) {
    this.onmessage?.({ data: typeof value === "string" ? value : JSON.stringify(value) });
  }
  end(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

export type Asked = { method: string; path: string; query: URLSearchParams; body: unknown };
/** Answers one route. Throws an `Answer` for a failure, or returns what the body is to be. */
export type Route = (asked: Asked) => unknown;

/** An answer with a custom status. Status 0 means no answer at all. */
export class Answer extends Error {
  constructor(
    readonly status: number,
    readonly code = "UNAVAILABLE",
    readonly details: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

/** A hub for tests of stores: routes by "METHOD /path", sockets by hand. What has no route is answered with 404. */
export function scriptedHub(routes: Record<string, Route> = {}) {
  const asked: Asked[] = [];
  FakeSocket.made = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { origin: "http://hub", hash: "" });
  vi.stubGlobal("fetch", async (url: string, init: { method?: string; body?: unknown } = {}) => {
    const at = new URL(url),
      method = init.method ?? "GET";
    const one: Asked = {
      method,
      path: at.pathname,
      query: at.searchParams,
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
    };
    asked.push(one);
    const json = (status: number, what: unknown) =>
      new Response(JSON.stringify(what), { status, headers: { "content-type": "application/json" } });
    const route = routes[`${method} ${at.pathname}`];
    if (!route) return json(404, { error: { code: "NOT_FOUND", message: "not here" } });
    try {
      return json(200, (await route(one)) ?? {});
    } catch (e) {
      if (!(e instanceof Answer)) throw e;
      if (e.status === 0) throw new TypeError("Failed to fetch", { cause: e });
      return json(e.status, { error: { code: e.code, message: e.code, details: e.details } });
    }
  });
  return { routes, asked, sockets: FakeSocket.made, of: (path: string) => asked.filter((a) => a.path === path) };
}

/** A promise that is settled by hand. */
export function later<T = void>() {
  let resolve!: (value: T) => void, reject!: (e: unknown) => void;
  const promise = new Promise<T>((a, b) => {
    resolve = a;
    reject = b;
  });
  return { promise, resolve, reject };
}
