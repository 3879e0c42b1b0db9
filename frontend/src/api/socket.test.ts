import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, later, scriptedHub } from "./scriptedHub";
import type { WindowApp } from "./endpoint";
import { keepSocket, type KeptSocket, type LinkState } from "./socket";

const made = () => FakeSocket.made;
const kept: KeptSocket[] = [];
let links: LinkState[], frames: object[];
const keep = (pulse = false, path = "/api/events") => {
  const s = keepSocket(() => path, { onFrame: (f) => frames.push(f), onLink: (l) => links.push(l), pulse });
  kept.push(s);
  return s;
};
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const opened = async (pulse = false, path?: string) => {
  const socket = keep(pulse, path);
  await wait(0);
  made().at(-1)!.open();
  return { socket, ws: made().at(-1)! };
};

describe("a socket that is kept", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    scriptedHub();
    links = [];
    frames = [];
  });
  afterEach(() => {
    for (const s of kept.splice(0)) s.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is reopened when it ends, and sooner on request", async () => {
    const { socket, ws } = await opened();
    ws.end();
    expect(links).toEqual(["connecting", "open", "lost"]);
    await wait(450);
    expect(made()).toHaveLength(2);
    made()[1]!.end();
    socket.retryNow();
    await wait(0);
    expect(made()).toHaveLength(3);
  });

  it("that hangs while opening is given up after a while, and at once on request", async () => {
    const socket = keep();
    await wait(0);
    expect(made()).toHaveLength(1);
    socket.retryNow();
    await wait(0);
    expect(made()).toHaveLength(2);
    expect(made()[0]!.closed).toBe(true);
    await wait(10_500);
    expect(made()).toHaveLength(3);
    expect(made()[1]!.closed).toBe(true);
    made()[0]!.open(); // too late: it is another's turn
    expect(links).not.toContain("open");
    made()[2]!.open();
    expect(links.at(-1)).toBe("open");
    await wait(60_000);
    expect(made()).toHaveLength(3);
  });

  it("is opened once, however often it is asked for while the window says where the hub is", async () => {
    const where = later<{ url: string; token: string }>();
    vi.stubGlobal("window", { go: { main: { App: { Endpoint: () => where.promise } as unknown as WindowApp } } });
    const socket = keep();
    socket.retryNow();
    socket.retryNow();
    where.resolve({ url: "http://hub", token: "t" });
    await wait(50);
    expect(made()).toHaveLength(1);
  });

  it("of which nothing comes any more is noticed by its pulse, and left though the other side never says that it is closed", async () => {
    const { ws } = await opened(true);
    await wait(24_000);
    ws.frame({ seq: 1 });
    expect(ws.sent).toEqual([]);
    await wait(26_000);
    expect(ws.sent).toEqual(['{"pulse":true}']);
    ws.frame({ seq: 2 });
    await wait(20_000);
    expect(links.at(-1)).toBe("open");
    expect(frames).toEqual([{ seq: 1 }, { seq: 2 }]);
    await wait(14_000); // asked a second time; nothing comes
    expect(ws.sent).toHaveLength(2);
    expect(links.at(-1)).toBe("lost");
    expect(ws.closed).toBe(true);
    await wait(500);
    expect(made()).toHaveLength(2);
    ws.frame({ seq: 3 });
    ws.end();
    expect(frames).toHaveLength(2);
    expect(made()).toHaveLength(2);
  });

  it("takes the others with it: they went through the same network", async () => {
    const { ws: room } = await opened(false, "/ws"),
      { ws } = await opened(true);
    await wait(34_000);
    expect([ws.closed, room.closed]).toEqual([true, true]);
    await wait(500);
    expect(
      made()
        .slice(2)
        .map((s) => new URL(s.url).pathname)
        .sort(),
    ).toEqual(["/api/events", "/ws"]);
  });

  it("asks at once when the computer is online again, since it may be on another network", async () => {
    const events = new EventTarget();
    vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
    vi.stubGlobal("removeEventListener", events.removeEventListener.bind(events));
    const { ws } = await opened(true);
    await wait(1_000);
    events.dispatchEvent(new Event("online"));
    expect(ws.sent).toEqual(['{"pulse":true}']);
    await wait(8_500);
    expect(made().length).toBe(2);
  });

  it("says nothing more once it is stopped", async () => {
    const { socket, ws } = await opened(true);
    socket.stop();
    ws.frame({ seq: 1 });
    ws.end();
    await wait(120_000);
    expect(made()).toHaveLength(1);
    expect(frames).toEqual([]);
    expect(links).toEqual(["connecting", "open"]);
  });
});
