import { spawn, type ChildProcess } from "node:child_process";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { Role, type Message, type SendMessageRequest, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  type Client,
} from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import type { Hub } from "./hub.ts";
import { until } from "./until.ts";

export type { Task } from "@a2a-js/sdk";
export { TaskState } from "@a2a-js/sdk";

const bearing = (token: string) =>
  createAuthenticatingFetchWithRetry(fetch, {
    headers: () => Promise.resolve({ Authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: () => Promise.resolve(undefined),
  });

/** The official client, which has found the hub by its card. */
export function clientOf(hub: Hub, token = hub.token): Promise<Client> {
  const o = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl: bearing(token) })],
  });
  return new ClientFactory(o).createFromUrl(hub.url);
}

/** The official client's transport for A2A 0.3: message/send, message/stream, tasks/get. */
export const olderClientOf = (hub: Hub) =>
  new LegacyJsonRpcTransport({ endpoint: `${hub.url}/a2a`, fetchImpl: bearing(hub.token) });

export function message(
  text: string,
  more: Partial<Message> = {},
  metadata?: Record<string, unknown>,
): SendMessageRequest {
  return {
    message: {
      messageId: crypto.randomUUID(),
      role: Role.ROLE_USER,
      parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
      contextId: "",
      taskId: "",
      extensions: [],
      referenceTaskIds: [],
      metadata,
      ...more,
    },
    configuration: undefined,
    metadata: undefined,
    tenant: "",
  };
}

/** What a stream tells, until it ends. */
export async function heard(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const e of stream) all.push(e);
  return all;
}

const texts = (parts: Message["parts"]) =>
  parts.map((p) => (p.content?.$case === "text" ? p.content.value : "")).join("");

/** The text of an answer, assembled as a reader of the stream does. */
export function answerIn(events: StreamResponse[]): string {
  let text = "";
  for (const { payload: p } of events)
    if (p?.$case === "artifactUpdate" && p.value.artifact?.artifactId === "answer")
      text = (p.value.append ? text : "") + texts(p.value.artifact.parts);
  return text;
}

export const statesIn = (events: StreamResponse[]) =>
  events.flatMap(({ payload: p }) =>
    p?.$case === "task" || p?.$case === "statusUpdate" ? [p.value.status?.state] : [],
  );
export const answerOf = (t: Task) =>
  t.artifacts
    .filter((a) => a.artifactId === "answer")
    .map((a) => texts(a.parts))
    .join("");
export const wordsOf = (t: Task) => (t.status?.message ? texts(t.status.message.parts) : "");
export const asTask = (x: unknown): Task => {
  if (!(x && typeof x === "object" && "status" in x)) throw new Error(`no task: ${JSON.stringify(x)}`);
  return x as Task;
};

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** An A2A agent on the official server, in a separate process. */
export class Agent {
  url = "";
  /** Its output, line by line. */
  readonly lines: string[] = [];
  private child: ChildProcess | undefined;

  static async start(env: Record<string, string> = {}): Promise<Agent> {
    const a = new Agent();
    await a.run(env);
    return a;
  }

  /** Resolves when the process has exited. */
  async ended(): Promise<void> {
    await until(
      "the agent to end",
      () => this.child?.exitCode ?? null,
      (code) => code !== null,
      60_000,
    );
  }

  private async run(env: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, [fileURLToPath(new URL("a2aAgent.mjs", import.meta.url))], {
      env: { PATH: process.env.PATH, AGENT_TOKEN: agentToken, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    let rest = "",
      listening = false;
    child.stdout.on("data", (b: Buffer) => {
      const lines = (rest + b.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("listening ")) {
          this.url = line.slice(10);
          listening = true;
        } else this.lines.push(line);
    });
    await until(
      "the agent to listen",
      () => {
        if (child.exitCode !== null) throw new Error(`the agent ended with ${child.exitCode}`);
        return listening;
      },
      Boolean,
      60_000,
    );
  }

  async stop(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((r) => child.once("exit", r));
    child.kill("SIGKILL");
    await ended;
  }
}

/** An address at which one agent takes the place of another. */
export class Place {
  readonly url: string;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (from) => {
      const to = connect(this.port, "127.0.0.1");
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const) {
        this.sockets.add(a);
        a.on("error", () => b.destroy());
        a.on("close", () => {
          this.sockets.delete(a);
          b.destroy();
        });
        a.pipe(b);
      }
    });
  }

  static async open(): Promise<Place> {
    const server = createServer();
    await new Promise<void>((r) => {
      server.listen(0, "127.0.0.1", r);
    });
    return new Place(server);
  }

  leadTo(agent: Agent): void {
    this.port = Number(new URL(agent.url).port);
  }

  async close(): Promise<void> {
    const closed = new Promise((r) => this.server.close(r));
    for (const s of this.sockets) s.destroy();
    await closed;
  }
}

export const agentToken = "baker-token-of-a-test-of-24-bytes";
/** What a hub needs so that it has the agent's token. */
export const bakerEnv = { AGENTFLOW_AGENT_BAKER: agentToken };

/** The team at work: PM, who may command the agent elsewhere and one that runs in the hub. */
export const bakery = (url: string) => (c: { agents?: unknown }) => {
  c.agents = {
    pm: { name: "PM", role: "Coordinator", model: "demo/echo", subagents: { allowAgents: ["baker", "dev"] } },
    dev: { name: "Dev", role: "Developer", model: "demo/echo" },
    baker: { name: "Baker", role: "Developer", url: `a2a+${url}`, secretEnv: "AGENTFLOW_AGENT_BAKER" },
  };
};
