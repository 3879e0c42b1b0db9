import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RoomMessage } from "./types";
import { followRoom } from "./roomSocket";

/** The hub's side of a socket, as far as the page can tell. */
class FakeSocket {
  static made: FakeSocket[] = [];
  static readonly OPEN = 1;
  onopen?: () => void;
  onmessage?: (e: { data: string }) => void;
  onclose?: (e: { code: number }) => void;
  constructor(public url: string) {
    FakeSocket.made.push(this);
  }
  close() {
    this.onclose?.({ code: 1006 });
  }
  frame(value: unknown) {
    this.onmessage?.({ data: typeof value === "string" ? value : JSON.stringify(value) });
  }
}

const message = (id: number): RoomMessage => ({
  id,
  room: "dev",
  sender: "a",
  message: `m${id}`,
  timestamp: "2026-11-21T09:00:00Z",
  type: "chat",
});
const sockets = async (n: number) => {
  while (FakeSocket.made.length < n) await vi.advanceTimersByTimeAsync(100);
  return FakeSocket.made[n - 1]!;
};

describe("the messages of a room", () => {
  let came: number[][];
  const events = {
    onMessages: (l: RoomMessage[]) => came.push(l.map((m) => m.id)),
    onLive: vi.fn(),
    onLink: vi.fn(),
    onGone: vi.fn(),
  };
  beforeEach(() => {
    vi.useFakeTimers();
    came = [];
    FakeSocket.made = [];
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { origin: "http://hub" });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("CH-9: a burst is handed on at once, in order and nothing twice", async () => {
    const room = followRoom("dev", "me", 0, events);
    const socket = await sockets(1);
    for (let id = 1; id <= 500; id++) {
      socket.frame(message(id));
      socket.frame(message(id));
    }
    expect(came).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(came).toEqual([Array.from({ length: 500 }, (_, i) => i + 1)]);
    room.stop();
  });

  it("CH-7: what is no message changes nothing; what is no JSON ends the connection, and the next goes on where it was", async () => {
    const room = followRoom("dev", "me", 0, events);
    const first = await sockets(1);
    first.frame(message(1));
    for (const bad of [
      {},
      [],
      { id: "2", message: "x", sender: "a" },
      { id: 2 },
      { id: 2, message: 5, sender: "a" },
      { error: { code: "X" } },
    ])
      first.frame(bad);
    first.frame(message(3));
    first.frame("{ not JSON");
    const second = await sockets(2);
    expect(new URL(second.url).searchParams.get("after")).toBe("3");
    second.frame(message(4));
    await vi.advanceTimersByTimeAsync(20);
    expect(came.flat()).toEqual([1, 3, 4]);
    for (const broken of ["null", "7", '"text"', ""]) {
      const n = FakeSocket.made.length;
      FakeSocket.made.at(-1)!.frame(broken);
      await sockets(n + 1);
    }
    expect(events.onGone).not.toHaveBeenCalled();
    room.stop();
  });
});
