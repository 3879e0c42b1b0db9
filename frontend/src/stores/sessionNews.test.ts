import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { scriptedHub } from "../api/scriptedHub";
import type { Gateway } from "../topology";
import { takeNotify, useHub } from "./hub";
import { followSessions, unreadAt, useSessionNews } from "./sessionNews";
import { useWaiting } from "./waiting";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const gateway = (configHash: string) => [{ name: "g", state: "connected", configHash }] as unknown as Gateway[];

it("GW-9 a session that went with its agent is no longer unread", async () => {
  let sessions = [{ sessionKey: "agent:dev:main", activeAt: "2026-11-29T10:00:00Z" }];
  scriptedHub({
    "POST /api/gateway/sessions/list": () => ({ sessions }),
    "POST /api/gateway/chat/history": () => ({
      messages: [{ role: "assistant", content: [{ type: "text", text: "Done" }], timestamp: "2026-11-29T10:00:00Z" }],
    }),
    "GET /api/desk": () => ({ person: "", places: [{ conversation: "session:g/", read: "2026-11-29T09:00:00Z" }] }),
    "PUT /api/desk": () => ({}),
  });
  useHub.setState({ gateways: gateway("1") });
  followSessions();
  await vi.advanceTimersByTimeAsync(2_000);
  expect([useSessionNews.getState(), useWaiting.getState().sessions]).toEqual([{ "session:g/agent:dev:main": 1 }, 1]);
  expect(["g", "gg", ""].map((name) => unreadAt(useSessionNews.getState(), name))).toEqual([1, 0, 0]);
  sessions = [];
  takeNotify({ gateways: gateway("2") } as never);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([useSessionNews.getState(), useWaiting.getState().sessions]).toEqual([{}, 0]);
});
