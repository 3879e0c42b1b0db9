import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Answer, later, scriptedHub } from "../api/scriptedHub";
import type { AgentWork, RoomAgent, RoomSummary } from "../topology";
import { useRooms } from "./rooms";
import { roomWork } from "./roomWork";
import { withRooms } from "./withRooms";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  useRooms.setState({ list: [] });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settled = () => vi.advanceTimersByTimeAsync(20);
const is = (name: string, status: RoomAgent["status"], lastSeen = "2026-11-29T09:00:00Z"): RoomAgent => ({
  name,
  status,
  lastSeen,
});
const room = (name: string, ...agents: RoomAgent[]): RoomSummary => ({
  name,
  createdAt: "2026-11-29T08:00:00Z",
  readers: 1,
  agents,
});
const rooms = (...list: RoomSummary[]) => useRooms.setState({ list });
const state = (team: string, agents: { name: string; agentId: string; elsewhere?: boolean }[]) => ({
  cast: { team, agents: agents.map((a) => a.agentId) },
  agents,
});

it("an agent with a turn in a room works there, from its first thought to the end of its turn", async () => {
  const { asked } = scriptedHub({
    "GET /api/rooms/Night/state": () => state("shop", [{ name: "Dev", agentId: "dev" }]),
  });
  const work = roomWork("shop");
  let heard = 0;
  const off = work.subscribe(() => heard++);
  rooms(room("Night", is("Dev", "online"), is("Mika", "online")));
  await settled();
  expect([work.of("dev"), asked.length]).toEqual([undefined, 0]);
  rooms(room("Night", is("Dev", "thinking", "2026-11-29T09:01:00Z")));
  await settled();
  expect(work.of("dev")).toMatchObject({
    state: "running",
    title: "Night",
    since: "2026-11-29T09:01:00Z",
    room: { name: "Night", more: 0 },
  });
  const one = work.of("dev");
  rooms(room("Night", is("Dev", "answering", "2026-11-29T09:01:05Z")));
  await settled();
  expect([work.of("dev") === one, heard, asked.length]).toEqual([true, 1, 1]);
  rooms(room("Night", is("Dev", "waiting", "2026-11-29T09:01:09Z")));
  expect(work.of("dev")?.state).toBe("waiting");
  rooms(room("Night", is("Dev", "online")));
  expect([work.of("dev"), heard]).toEqual([undefined, 3]);
  off();
});

it("who only has the name of a team's agent in a room is not that agent", async () => {
  scriptedHub({
    "GET /api/rooms/Other/state": () => state("blog", [{ name: "Dev", agentId: "dev" }]),
    "GET /api/rooms/Guests/state": () => state("shop", [{ name: "Dev", agentId: "dev", elsewhere: true }]),
    "GET /api/rooms/People/state": () => ({ agents: [] }),
  });
  const work = roomWork("shop"),
    off = work.subscribe(() => undefined);
  rooms(...["Other", "Guests", "People"].map((name) => room(name, is("Dev", "answering"))));
  await settled();
  expect(work.of("dev")).toBeUndefined();
  off();
});

it("an agent in two rooms is shown once; a room that gave no answer is asked again", async () => {
  let fails = true;
  const dev = () => state("shop", [{ name: "Dev", agentId: "dev" }]);
  scriptedHub({
    "GET /api/rooms/A/state": () => {
      if (fails) throw new Answer(500, "internal");
      return dev();
    },
    "GET /api/rooms/B/state": dev,
  });
  const work = roomWork("shop"),
    off = work.subscribe(() => undefined);
  const both = () => rooms(room("A", is("Dev", "thinking")), room("B", is("Dev", "thinking")));
  both();
  await settled();
  expect(work.of("dev")?.room).toEqual({ name: "B", more: 0 });
  fails = false;
  both();
  await settled();
  expect(work.of("dev")?.room).toEqual({ name: "A", more: 1 });
  off();
});

it("an answer about who is in a room that comes after its turns ended shows nothing", async () => {
  const held = later<object>();
  scriptedHub({ "GET /api/rooms/Night/state": () => held.promise });
  const work = roomWork("shop"),
    off = work.subscribe(() => undefined);
  rooms(room("Night", is("Dev", "thinking")));
  await settled();
  rooms();
  held.resolve(state("shop", [{ name: "Dev", agentId: "dev" }]));
  await settled();
  expect(work.of("dev")).toBeUndefined();
  off();
});

it("a running task counts before a room, and a room before a task that is done", () => {
  const at = (state: AgentWork["state"]): AgentWork => ({ agent: "dev", state, task: "t", title: "T", since: "" });
  const inRoom = { ...at("running"), room: { name: "Night", more: 0 } };
  const answers = { subscribe: () => () => undefined, of: () => inRoom };
  const shown = (own?: AgentWork & { question?: string }) =>
    withRooms({ subscribe: () => () => undefined, of: () => own }, answers).of("dev");
  expect(shown()).toBe(inRoom);
  expect(shown(at("done"))).toBe(inRoom);
  expect(shown(at("running"))?.task).toBe("t");
  expect(shown({ ...at("waiting"), question: "q1" })).toMatchObject({ question: "q1" });
});
