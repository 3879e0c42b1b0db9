import { Agent, bakerEnv, bakery, Place } from "./a2a.ts";
import { Hub } from "./hub.ts";
import { until } from "./until.ts";

// A hub whose team has an A2A agent: the baker, on the official server in a separate process.

type Stored = {
  taskId: string;
  status: string;
  progress: number;
  errorMessage?: string;
  result?: { text: string };
  attempts?: { agent: string; error?: string }[];
};
type Entry = { id: string; task: string; text?: string; agent: string; said?: string };

const ends: (() => Promise<void>)[] = [];
/** Stops what the test started, the last first: for afterEach. */
export async function stopAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

export async function hubWith(agent?: { url: string }): Promise<Hub> {
  const hub = await Hub.start({ env: bakerEnv });
  ends.push(() => hub.stop());
  await hub.changeConfig(bakery(agent?.url ?? "http://127.0.0.1:9"));
  await hub.trust();
  return hub;
}

export async function baker(env: Record<string, string> = {}): Promise<Agent> {
  const a = await Agent.start(env);
  ends.push(() => a.stop());
  return a;
}

export async function place(): Promise<Place> {
  const p = await Place.open();
  ends.push(() => p.close());
  return p;
}

export const stored = (hub: Hub, id: string) => hub.ask<Stored>("GET", `/tasks/${id}`);
export const ended = (hub: Hub, id: string) =>
  until(
    "the task's end",
    () => stored(hub, id),
    (t) => ["completed", "failed", "canceled"].includes(t.status),
    60_000,
  );
export const give = (hub: Hub, text: string, context: object = {}) =>
  hub
    .ask<{ taskId: string }>("POST", "/submit_task", {
      sessionId: "e2e",
      userPrompt: text,
      taskType: "chat",
      context: { agent: "baker", ...context },
    })
    .then((r) => r.taskId);
export const waiting = (hub: Hub) =>
  until(
    "a question",
    () => hub.ask<{ entries: Entry[] }>("GET", "/api/inbox").then((r) => r.entries),
    (l) => l.length > 0,
    60_000,
  ).then((l) => l[0]!);
