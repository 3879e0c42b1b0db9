import { afterEach, describe, expect, test } from "vitest";
import {
  Agent,
  answerIn,
  answerOf,
  asTask,
  bakerEnv,
  bakery,
  clientOf,
  heard,
  message,
  olderClientOf,
  Place,
  statesIn,
  TaskState,
  wordsOf,
} from "./a2a.ts";
import { test as pageTest } from "./app.ts";
import { violations } from "./axe.ts";
import { Hub } from "./hub.ts";
import { until } from "./until.ts";

// The hub as an A2A agent, spoken to by the official client; and an A2A agent elsewhere, on the official server in a
// process of its own, as one of the team.

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
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function hubWith(agent?: { url: string }): Promise<Hub> {
  const hub = await Hub.start({ env: bakerEnv });
  ends.push(() => hub.stop());
  await hub.changeConfig(bakery(agent?.url ?? "http://127.0.0.1:9"));
  await hub.trust();
  return hub;
}

async function baker(env: Record<string, string> = {}): Promise<Agent> {
  const a = await Agent.start(env);
  ends.push(() => a.stop());
  return a;
}

async function place(): Promise<Place> {
  const p = await Place.open();
  ends.push(() => p.close());
  return p;
}

/** What the official client lists: the ids, and how many there are on all pages. */
async function listed(
  client: Awaited<ReturnType<typeof clientOf>>,
  of: { status?: TaskState; contextId?: string; statusTimestampAfter?: string },
): Promise<[string[], number]> {
  const list = await client.listTasks({
    contextId: "",
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageSize: 10,
    pageToken: "",
    historyLength: undefined,
    statusTimestampAfter: undefined,
    includeArtifacts: false,
    tenant: "",
    ...of,
  });
  return [list.tasks.map((t) => t.id), list.totalSize];
}

const toBaker = { agentflow: { agent: "baker" } },
  toDev = { agentflow: { agent: "dev" } };
const stored = (hub: Hub, id: string) => hub.ask<Stored>("GET", `/tasks/${id}`);
const ended = (hub: Hub, id: string) =>
  until(
    "the task's end",
    () => stored(hub, id),
    (t) => t.status === "completed" || t.status === "failed",
    60_000,
  );
const give = (hub: Hub, text: string, context: object = {}) =>
  hub
    .ask<{ taskId: string }>("POST", "/submit_task", {
      sessionId: "e2e",
      userPrompt: text,
      taskType: "chat",
      context: { agent: "baker", ...context },
    })
    .then((r) => r.taskId);
const waiting = (hub: Hub) =>
  until(
    "a question",
    () => hub.ask<{ entries: Entry[] }>("GET", "/api/inbox").then((r) => r.entries),
    (l) => l.length > 0,
    60_000,
  ).then((l) => l[0]!);

describe("the hub as an A2A agent", () => {
  test("CO-3: the card is for all and holds no secret; who has a token sees the team; who has none gets nothing", async () => {
    const hub = await hubWith();
    const plain = await fetch(`${hub.url}/.well-known/agent-card.json`);
    const card = await plain.text();
    expect(plain.status).toBe(200);
    for (const secret of [hub.token, bakerEnv.AGENTFLOW_AGENT_BAKER, "AGENTFLOW_AGENT_BAKER", "Baker", hub.data])
      expect(card).not.toContain(secret);
    expect(JSON.parse(card)).toMatchObject({
      name: "AgentFlow",
      url: `${hub.url}/a2a`,
      protocolVersion: "0.3",
      capabilities: { streaming: true },
      supportedInterfaces: [{ protocolVersion: "1.0" }, { protocolVersion: "0.3" }],
    });
    const seen = await (await clientOf(hub)).getAgentCard();
    expect(seen.skills.map((s) => s.id)).toEqual([
      "chat",
      "command_execution",
      "file_operation",
      "complex_task",
      "agent:dev",
      "agent:baker",
    ]);
    expect(JSON.stringify(seen)).not.toContain("AGENTFLOW_AGENT_BAKER");
    for (const token of ["wrong", "", bakerEnv.AGENTFLOW_AGENT_BAKER])
      await expect((async () => (await clientOf(hub, token)).sendMessage(message("hello")))()).rejects.toThrow();
    expect(await hub.ask<{ tasks: unknown[] }>("GET", "/tasks").then((r) => r.tasks.length)).toBe(0);
    const from = (headers: Record<string, string>) =>
      fetch(`${hub.url}/a2a`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${hub.token}`, ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} }),
      }).then((r) => r.status);
    expect([await from({}), await from({ Origin: "https://evil.example" }), await from({ Authorization: "" })]).toEqual(
      [200, 403, 401],
    );
    const large = await fetch(`${hub.url}/a2a`, {
      method: "POST",
      headers: { Authorization: `Bearer ${hub.token}` },
      body: "x".repeat((1 << 20) + 1),
    });
    expect(large.status).toBe(413);
  });

  test("CO-3: a message is one task, however often it comes; its answer, its session and its list", async () => {
    const hub = await hubWith(),
      client = await clientOf(hub);
    const asked = message("Say something", { contextId: "kitchen" }, toDev);
    const first = asTask(await client.sendMessage(asked)),
      second = asTask(await client.sendMessage(asked));
    expect(first.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(answerOf(first)).toContain("Say something");
    expect(second.id).toBe(first.id);
    expect(await stored(hub, first.id)).toMatchObject({
      status: "completed",
      sessionId: "kitchen",
      userPrompt: "Say something",
      attempts: [{ agent: "dev" }],
    });
    expect(await client.getTask({ id: first.id, historyLength: undefined, tenant: "" })).toMatchObject({
      id: first.id,
      contextId: "kitchen",
    });
    await client.sendMessage(message("Elsewhere", {}, toDev));
    expect(await listed(client, { contextId: "kitchen" })).toEqual([[first.id], 1]);
    await expect(client.getTask({ id: "none", historyLength: undefined, tenant: "" })).rejects.toThrow(
      /no task|not found/i,
    );
    await expect(client.sendMessage(message("x", {}, { agentflow: { agent: "pm" } }))).rejects.toThrow(
      /rejected: no command connection leads from pm to pm/,
    );
    await expect(client.sendMessage(message("x", {}, { agentflow: { colour: "red" } }))).rejects.toThrow(
      /holds taskType, agent/,
    );
    await expect(client.sendMessage(message(""))).rejects.toThrow(/no text/);
  });

  test("CO-5: a message is streamed; the words come in order and the end comes last, also by A2A 0.3", async () => {
    const hub = await hubWith();
    const events = await heard((await clientOf(hub)).sendMessageStream(message("Say quite a few words", {}, toDev)));
    expect(answerIn(events)).toMatch(/demo answer.*Say quite a few words/);
    const states = statesIn(events);
    expect([states[0], states.at(-1)]).toEqual([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_COMPLETED]);
    expect(
      states.map((s) =>
        [TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED].indexOf(s!),
      ),
    ).toEqual([...states.keys()].map((i) => (i === 0 ? 0 : i === states.length - 1 ? 2 : 1)));
    const older = olderClientOf(hub);
    const again = await heard(older.sendMessageStream(message("Say it the old way", {}, toDev)));
    expect(answerIn(again)).toMatch(/Say it the old way/);
    const sent = asTask(await older.sendMessage(message("And at once", {}, toDev)));
    expect(answerOf(asTask(await older.getTask({ id: sent.id, historyLength: undefined, tenant: "" })))).toContain(
      "And at once",
    );
  });

  test("CO-4: a task is followed from the middle, and cancelled; it cannot be cancelled twice", async () => {
    const agent = await baker(),
      hub = await hubWith(agent),
      client = await clientOf(hub);
    const id = await give(hub, "slow bread");
    await until(
      "the agent to have it",
      () => agent.lines,
      (l) => l.some((x) => x.startsWith("message")),
      60_000,
    );
    const stream = client.resubscribeTask({ id, tenant: "" });
    expect((await stream.next()).value?.payload?.$case).toBe("task");
    const following = heard(stream);
    expect((await client.cancelTask({ id, metadata: undefined, tenant: "" })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    expect(statesIn(await following).at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ id, metadata: undefined, tenant: "" })).rejects.toThrow(/ended|cancel/i);
    const later = asTask(await client.sendMessage(message("And now", {}, toDev)));
    expect(await listed(client, {})).toEqual([[later.id, id], 2]);
    expect(await listed(client, { status: TaskState.TASK_STATE_CANCELED })).toEqual([[id], 1]);
    expect(
      await listed(client, {
        statusTimestampAfter: new Date(
          Date.parse(
            `${(await client.getTask({ id, historyLength: undefined, tenant: "" })).status?.timestamp ?? ""}`,
          ) + 1,
        ).toISOString(),
      }),
    ).toEqual([[later.id], 1]);
    await until(
      "the agent to be told",
      () => agent.lines,
      (l) => l.some((x) => x.startsWith("cancel")),
    );
    expect(await stored(hub, id)).toMatchObject({ status: "failed", errorMessage: "cancelled by a person" });
  });

  test("CO-7: a question stops the stream, the next message answers it, and the work goes on", async () => {
    const agent = await baker(),
      hub = await hubWith(agent),
      client = await clientOf(hub);
    const events = await heard(client.sendMessageStream(message("ask when", {}, toBaker)));
    expect(statesIn(events).at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const first = events[0]?.payload;
    const id = first?.$case === "task" ? first.value.id : "";
    const asked = asTask(await client.getTask({ id, historyLength: undefined, tenant: "" }));
    expect(wordsOf(asked)).toBe("Which Friday: 20 or 27?");
    expect(await listed(client, { status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([[id], 1]);
    expect(await listed(client, { status: TaskState.TASK_STATE_WORKING })).toEqual([[], 0]);
    expect(await waiting(hub)).toMatchObject({
      task: id,
      agent: "baker",
      text: "Which Friday: 20 or 27?",
      said: "I can bake on either day.",
    });
    const done = asTask(await client.sendMessage(message("the 27th", { taskId: id, contextId: asked.contextId })));
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(answerOf(done)).toContain("Baked for the 27th.");
    await expect(client.sendMessage(message("no, the 20th", { taskId: id }))).rejects.toThrow(/waits for no answer/);
  });
});

describe("an A2A agent as one of the team", () => {
  test("AG-1: it gets the task with its token, its output is streamed, its result counts; progress never falls", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "bread, please", { path: "loaf.md" });
    expect(await ended(hub, id)).toMatchObject({
      status: "completed",
      progress: 100,
      result: { text: "Flour, water, salt." },
      attempts: [{ agent: "baker" }],
    });
    const events = await fetch(`${hub.url}/tasks/${id}/events`, {
      headers: { Authorization: `Bearer ${hub.token}` },
    }).then((r) => r.text());
    const all = [...events.matchAll(/^data: (.*)$/gm)].map(
      (m) => JSON.parse(m[1]!) as { type: string; text?: string; progress?: number },
    );
    expect(
      all
        .filter((e) => e.type === "delta")
        .map((e) => e.text)
        .join(""),
    ).toBe("Flour, water, salt.");
    expect(all.filter((e) => e.type === "log").map((e) => e.text)).toEqual(["kneading", "baking"]);
    expect(all.flatMap((e) => (e.progress === undefined ? [] : [e.progress]))).toEqual([0, 0, 40, 100]);
    expect(agent.lines.map((l) => JSON.parse(l.replace("message ", "")) as unknown)).toEqual([
      {
        text: "bread, please",
        context: id,
        metadata: { agentflow: { taskType: "chat", context: { path: "loaf.md" } } },
      },
    ]);
    expect(await ended(hub, await give(hub, "direct answer?"))).toMatchObject({
      status: "completed",
      result: { text: "Yes." },
    });
  });

  test("AG-2: its failure is told with its reason, a rejection is not tried again, a wrong token is said", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const failed = await ended(hub, await give(hub, "fail now"));
    expect(failed).toMatchObject({
      status: "failed",
      attempts: [{ error: "the oven is cold" }, { error: "the oven is cold" }, { error: "the oven is cold" }],
    });
    expect(failed.errorMessage).toContain("the oven is cold");
    const rejected = await ended(hub, await give(hub, "reject this"));
    expect(rejected.attempts).toHaveLength(1);
    expect(rejected.errorMessage).toContain("I only bake");
    const other = await baker({ AGENT_TOKEN: "another" });
    await hub.changeConfig(bakery(other.url));
    await hub.trust();
    const refused = await ended(hub, await give(hub, "bread"));
    expect(refused.attempts).toHaveLength(1);
    expect(refused.errorMessage).toContain("refused the hub's secret");
  });

  test("AG-7: its question is answered in the inbox and goes back to it", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "ask when");
    const q = await waiting(hub);
    await hub.ask("POST", `/api/inbox/${q.id}/answer`, { choice: "once", word: "the 20th" });
    expect(await ended(hub, id)).toMatchObject({ status: "completed", attempts: [{ agent: "baker" }] });
    expect((await stored(hub, id)).result?.text).toContain("Baked for the 20th.");
  });

  test("CO-4: it dies in the middle and is tried again, as any worker", async () => {
    const address = await place();
    const agent = await baker({ AGENT_SAYS: address.url }),
      next = await baker({ AGENT_SAYS: address.url, AGENT_AGAIN: "1" });
    address.leadTo(agent);
    const hub = await hubWith(address);
    const id = await give(hub, "die once");
    await agent.ended();
    address.leadTo(next);
    const done = await ended(hub, id);
    expect(done).toMatchObject({ status: "completed", result: { text: "Second loaf." } });
    expect(done.attempts!.length).toBeGreaterThan(1);
    expect(done.attempts![0]!.error).toMatch(
      /does not answer any more|has given the task up|cannot be reached|ended the conversation/,
    );
  });

  test("CO-4: the hub is killed and started again: what the agent is at is found there, not given twice", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "ask when");
    await waiting(hub);
    await hub.kill();
    await hub.restart();
    const q = await waiting(hub);
    await hub.ask("POST", `/api/inbox/${q.id}/answer`, { choice: "once", word: "the 27th" });
    expect((await ended(hub, id)).result?.text).toContain("Baked for the 27th.");
    expect(agent.lines.filter((l) => l.includes("ask when"))).toHaveLength(1);
  });
});

describe("an A2A agent on the screen", () => {
  for (const language of ["en", "ja"] as const)
    pageTest(`is shown as such, and its address says what it speaks, ${language}`, async ({ open }) => {
      const words = {
        en: { speaks: "Protocol", elsewhere: "Remote agent", address: "URL" },
        ja: { speaks: "通信方式", elsewhere: "リモートエージェント", address: "URL" },
      }[language];
      const app = await open({ language, colorScheme: language === "ja" ? "dark" : "light" });
      const { id, topology } = await app.drawing();
      const agent = topology.agents[0]!.id;
      await app.node(agent).click();
      const elsewhere = app.page.locator("details.section").filter({ hasText: words.elsewhere });
      await elsewhere.locator("summary").click();
      await elsewhere.getByLabel(words.address, { exact: true }).fill("https://baker.example:8443/bread");
      await elsewhere.getByLabel(words.speaks, { exact: true }).getByRole("radio", { name: "A2A" }).click();
      await app.hub.kept(
        id,
        "the address",
        (d) => d.topology.agents.find((a) => a.id === agent)?.url === "a2a+https://baker.example:8443/bread",
      );
      await app.node(agent).getByText("A2A · baker.example:8443", { exact: true }).waitFor();
      expect(await app.node(agent).getAttribute("aria-label")).toContain("A2A · baker.example:8443");
      expect(await violations(app)).toEqual([]);
      await app.undo();
      await app.hub.kept(
        id,
        "the plain address",
        (d) => d.topology.agents.find((a) => a.id === agent)?.url === "https://baker.example:8443/bread",
      );
      expect(app.complaints).toEqual([]);
    });
});

describe("an A2A agent whose card leads elsewhere", () => {
  test("AG-6: is not followed, and no token goes there", async () => {
    const trap = await baker(),
      agent = await baker({ AGENT_SAYS: trap.url }),
      hub = await hubWith(agent);
    const refused = await ended(hub, await give(hub, "bread"));
    expect(refused.errorMessage).toContain("the hub speaks with nobody but the address that it was given");
    expect(refused.attempts).toHaveLength(1);
    expect(trap.lines).toEqual([]);
  });
});
