import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeSocket, scriptedHub } from "../api/scriptedHub";
import { sessionWork } from "./sessionWork";

beforeEach(() => {
  vi.useFakeTimers();
  scriptedHub({});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("an agent of a gateway elsewhere works from the first word of an answer to its end, and nobody is said to be idle", async () => {
  const work = sessionWork("studio");
  let told = 0;
  const off = work.subscribe(() => told++);
  await vi.advanceTimersByTimeAsync(20);
  const socket = FakeSocket.made.at(-1)!;
  socket.open();
  expect([work.unknown, work.of("lead")]).toEqual([true, undefined]);
  socket.frame({ state: "delta", sessionKey: "agent:lead:main", runId: "r1", text: "I" });
  expect(work.of("lead")).toMatchObject({ agent: "lead", state: "running", task: "" });
  const one = work.of("lead");
  socket.frame({ state: "delta", sessionKey: "agent:lead:main", runId: "r1", text: "I am" });
  socket.frame({ state: "delta", sessionKey: "agent:lead:other", runId: "r2", text: "Also" });
  socket.frame({ state: "final", sessionKey: "agent:lead:main", runId: "r1", text: "I am." });
  expect(work.of("lead")).toBe(one);
  socket.frame({ state: "error", sessionKey: "agent:lead:other", runId: "r2", error: "gone" });
  expect(work.of("lead")).toBeUndefined();
  socket.frame({ state: "status", sessionKey: "agent:web:main", runId: "r3", phase: "start" });
  expect(work.of("web")?.state).toBe("running");
  socket.end();
  expect(work.of("web")).toBeUndefined();
  expect(told).toBeGreaterThan(3);
  off();
});
