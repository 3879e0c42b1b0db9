import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Answer, FakeSocket, scriptedHub } from "../api/scriptedHub";
import { connectionKey, type Gateway } from "../topology";
import { useHub } from "./hub";
import { sessionWork } from "./sessionWork";

beforeEach(() => {
  vi.useFakeTimers();
  scriptedHub({});
  link("connected");
});
const link = (state: Gateway["state"]) => useHub.setState({ gateways: [{ name: "studio", state } as Gateway] });
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
  expect([work.known(), work.of("lead")]).toEqual([false, undefined]);
  socket.frame({ state: "delta", sessionKey: "agent:lead:main", runId: "r1", text: "I" });
  expect(work.of("lead")).toMatchObject({ agent: "lead", state: "running", task: "" });
  const one = work.of("lead");
  socket.frame({ state: "delta", sessionKey: "agent:lead:main", runId: "r1", text: "I am" });
  socket.frame({ state: "delta", sessionKey: "agent:lead:other", runId: "r2", text: "Also" });
  socket.frame({ state: "final", sessionKey: "agent:lead:main", runId: "r1", text: "I am." });
  expect(one && work.of("lead")?.state).toBe("running");
  socket.frame({ state: "error", sessionKey: "agent:lead:other", runId: "r2", error: "gone" });
  expect(work.of("lead")).toBeUndefined();
  socket.frame({ state: "status", sessionKey: "agent:web:main", runId: "r3", phase: "start" });
  expect(work.of("web")?.state).toBe("running");
  socket.end();
  expect(work.of("web")).toBeUndefined();
  expect(told).toBeGreaterThan(3);
  off();
});

it("OC-5 what ran before has its name, parent and usage, and no light stays", async () => {
  const key = "agent:web:subagent:1";
  let list: unknown[] = [
    {
      sessionKey: key,
      agentId: "web",
      title: "Find hotels",
      running: true,
      parent: "agent:lead:main",
      totalTokens: 7,
      costUsd: 0.5,
    },
    { sessionKey: "agent:web:main", agentId: "web", running: true },
    { sessionKey: "agent:lead:main", agentId: "lead" },
  ];
  const { asked } = scriptedHub({ "POST /api/gateway/sessions/list": () => ({ sessions: list }) });
  const work = sessionWork("studio"),
    off = work.subscribe(() => undefined),
    delegates = connectionKey({ from: "lead", kind: "command", to: "web" });
  await vi.advanceTimersByTimeAsync(20);
  const socket = FakeSocket.made.at(-1)!;
  socket.open();
  await vi.advanceTimersByTimeAsync(500);
  expect(work.of("web")).toMatchObject({
    title: "Find hotels",
    state: "running",
    session: { key, parent: "lead", tokens: 7, cost: 0.5, more: 1 },
  });
  expect([work.lit(delegates), work.of("lead")]).toEqual([true, undefined]);
  // An end counts before a list that was asked for earlier, and the next list before what is shown.
  socket.frame({ state: "final", sessionKey: key, runId: "r", text: "Done" });
  expect([work.lit(delegates), work.of("web")?.session?.key]).toEqual([false, "agent:web:main"]);
  list = [];
  await vi.advanceTimersByTimeAsync(500);
  expect(work.of("web")).toBeUndefined();
  socket.frame({ state: "delta", sessionKey: key, runId: "r2", text: "Again" });
  expect(work.of("web")?.state).toBe("running");
  link("down");
  expect(work.of("web")).toBeUndefined();
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(before);
  off();
});

it("OC-5 a session that the hub began for a task has the title of the task", async () => {
  const key = "agent:web:task-01abc";
  useHub.setState({
    work: { agents: [{ agent: "web@studio", task: "01ABC", title: "Find hotels", state: "running", since: "" }] },
  } as never);
  const list = [{ sessionKey: key, agentId: "web", running: true }];
  scriptedHub({ "POST /api/gateway/sessions/list": () => ({ sessions: list }) });
  const work = sessionWork("studio"),
    off = work.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(20);
  FakeSocket.made.at(-1)!.open();
  await vi.advanceTimersByTimeAsync(500);
  expect(work.of("web")?.title).toBe("Find hotels");
  off();
});

it("OC-5 an agent without a run is known to be idle while the gateway tells, and only then", async () => {
  let broken = false;
  scriptedHub({
    "POST /api/gateway/sessions/list": () => {
      if (broken) throw new Answer(502, "GATEWAY_ERROR");
      return { sessions: [] };
    },
  });
  const at = (state: Gateway["state"], listsRuns = true) =>
    useHub.setState({ gateways: [{ name: "studio", state, listsRuns } as Gateway] });
  at("connected");
  const work = sessionWork("studio");
  let said = work.known();
  const off = work.subscribe(() => (said = work.known()));
  await vi.advanceTimersByTimeAsync(20);
  const socket = FakeSocket.made.at(-1)!;
  socket.open();
  expect(said).toBe(false); // the list has not come yet
  await vi.advanceTimersByTimeAsync(500);
  expect(said).toBe(true);
  at("down");
  expect(said).toBe(false);
  at("connected");
  await vi.advanceTimersByTimeAsync(500);
  expect(said).toBe(true);
  at("connected", false); // an older gateway
  expect(said).toBe(false);
  at("connected");
  broken = true;
  socket.frame({ state: "resync" });
  await vi.advanceTimersByTimeAsync(500);
  expect(said).toBe(false);
  off();
});

it("OC-5 fifty of a thousand sessions run, and a list that fails ends them", async () => {
  let broken = false;
  scriptedHub({
    "POST /api/gateway/sessions/list": () => {
      if (broken) throw new Answer(502, "GATEWAY_ERROR");
      return {
        sessions: Array.from({ length: 1000 }, (_, i) => ({
          sessionKey: `agent:a${i}:main`,
          agentId: `a${i}`,
          running: i < 50,
        })),
      };
    },
  });
  const work = sessionWork("studio"),
    off = work.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(20);
  FakeSocket.made.at(-1)!.open();
  await vi.advanceTimersByTimeAsync(500);
  expect([work.of("a0")?.state, work.of("a49")?.state, work.of("a50")]).toEqual(["running", "running", undefined]);
  broken = true;
  await vi.advanceTimersByTimeAsync(16_000);
  expect(work.of("a0")).toBeUndefined();
  off();
});
