import { afterEach, describe, expect, test } from "vitest";
import { TASK_TYPES } from "../src/api/constants.ts";
import {
  answerIn,
  answerOf,
  asTask,
  bakerEnv,
  clientOf,
  heard,
  message,
  olderClientOf,
  statesIn,
  TaskState,
  wordsOf,
} from "./a2a.ts";
import { baker, give, hubWith, stopAll, stored, waiting } from "./a2ateam.ts";
import { until } from "./until.ts";

// The hub as an A2A agent, spoken to by the official client.

afterEach(stopAll);

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
    expect(seen.skills.map((s) => s.id)).toEqual([...TASK_TYPES, "agent:pm", "agent:dev", "agent:baker"]);
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
    await expect(client.sendMessage(message("x", {}, { agentflow: { agent: "nobody" } }))).rejects.toThrow(
      /rejected: there is no agent nobody/,
    );
    await expect(client.sendMessage(message("x", {}, { agentflow: { color: "red" } }))).rejects.toThrow(
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
    expect(await stored(hub, id)).toMatchObject({ status: "canceled", errorMessage: "canceled by a person" });
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
