import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { later, scriptedHub } from "../api/scriptedHub";
import type { Notify, RoomMessage, RoomSummary } from "../topology";
import { useDesk } from "./desk";
import { takeNotify } from "./hub";
import { followRooms, useRooms } from "./rooms";
import { useWaiting } from "./waiting";

const message = (room: string, id: number): RoomMessage => ({
  id,
  room,
  sender: "dev",
  message: `m${id}`,
  timestamp: "2026-11-21T09:00:00Z",
  type: "chat",
});
const room = (name: string, last = 5): RoomSummary =>
  ({ name, createdAt: "2026-11-21T08:00:00Z", agents: [], last: message(name, last) }) as unknown as RoomSummary;
const notify = (n: Partial<Notify>) => takeNotify({ seq: 1, ...n });
const settled = () => vi.advanceTimersByTimeAsync(1_000);

async function following(rooms: RoomSummary[]) {
  const hub = scriptedHub({
    "GET /api/rooms": () => ({ rooms }),
    "GET /api/desk": () => ({ person: "Mika", places: [] }),
    "GET /api/messages": ({ query }) => ({ messages: [1, 2, 3, 4, 5].map((id) => message(query.get("room")!, id)) }),
  });
  followRooms();
  await settled();
  return hub;
}
const names = () => useRooms.getState().list.map((r) => r.name);

describe("the rooms that there are", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    useRooms.setState({ known: false, list: [], unread: {} });
    useDesk.setState({ known: true, person: "", places: {} });
    useWaiting.setState({ rooms: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("APP-4: what was unread in a room is no longer counted once another window has deleted it", async () => {
    await following([room("a"), room("b")]);
    expect([useRooms.getState().unread, useWaiting.getState().rooms]).toEqual([{ a: 5, b: 5 }, 10]);
    notify({ roomsGone: ["a"] });
    expect([useRooms.getState().unread, useWaiting.getState().rooms]).toEqual([{ b: 5 }, 5]);
  });

  it("APP-4: a room that is deleted while its messages are counted is not counted", async () => {
    const hub = await following([]);
    const held = later<object>();
    hub.routes["GET /api/messages"] = () => held.promise;
    notify({ rooms: [room("a")] });
    await settled();
    notify({ roomsGone: ["a"] });
    held.resolve({ messages: [message("a", 1)] });
    await settled();
    expect([useRooms.getState().unread, useWaiting.getState().rooms]).toEqual([{}, 0]);
  });

  it("APP-4: a late list doesn't replace newer updates of the stream", async () => {
    const hub = await following([]);
    const held = later<object>();
    hub.routes["GET /api/rooms"] = () => held.promise;
    followRooms();
    await settled();
    notify({ rooms: [room("a", 7), room("gone", 7)] });
    notify({ roomsGone: ["gone"] });
    held.resolve({ rooms: [room("a", 6), room("b", 6), room("gone", 6)] });
    await settled();
    expect(useRooms.getState().list.map((r) => [r.name, r.last?.id])).toEqual([
      ["a", 7],
      ["b", 6],
    ]);
  });

  it("APP-4: a list from before a reset replaces nothing", async () => {
    const hub = await following([]);
    const held = later<object>();
    hub.routes["GET /api/rooms"] = () => held.promise;
    followRooms();
    await settled();
    notify({ reset: true, rooms: [room("b")] });
    held.resolve({ rooms: [room("a")] });
    await settled();
    expect(names()).toEqual(["b"]);
  });

  it("APP-4: a whole picture without rooms says that there are none any more", async () => {
    await following([room("a"), room("b")]);
    expect(names()).toEqual(["a", "b"]);
    notify({ reset: true, rooms: [room("b")] });
    expect([names(), useWaiting.getState().rooms]).toEqual([["b"], 5]);
    notify({ reset: true });
    expect([names(), useWaiting.getState().rooms]).toEqual([[], 0]);
  });
});
