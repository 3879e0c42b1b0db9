import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocketServer, type WebSocket } from "ws";
import { until } from "./until.ts";
import type { Hub } from "./hub.ts";

type Json = Record<string, unknown>;
type Params = {
  key?: string;
  sessionKey?: string;
  parentSessionKey?: string;
  raw?: string;
  baseHash?: string;
  path?: string;
  id?: string;
  decision?: string;
  cancel?: boolean;
  message?: string;
  idempotencyKey?: string;
  agentId?: string;
  name?: string;
  content?: string;
  patch?: Json;
};
type Request = { id: string; method: string; params?: Params };
/** What a gateway asks a person for. */
export type AskKind = "exec" | "plugin" | "question";
type Ask = { kind: AskKind; id: string } & Json;

const recorded = JSON.parse(
  readFileSync(
    new URL("../../backend/gateway/gatewaytest/recorded/config.schema-2026.9.6.json", import.meta.url),
    "utf8",
  ),
) as { schema: { properties: { agents: { properties: { entries: Json } } } }; uiHints: Json };

const methods = [
  "agents.list",
  "config.apply",
  "config.get",
  "config.schema",
  "config.schema.lookup",
  "models.list",
  "plugins.list",
  "chat.abort",
  "chat.history",
  "chat.send",
  "sessions.compact",
  "sessions.create",
  "sessions.fork",
  "sessions.list",
  "sessions.reset",
  ...["exec.approval", "plugin.approval", "question"].flatMap((of) => [`${of}.list`, `${of}.resolve`]),
];
const cronMethods = ["status", "list", "add", "update", "remove", "run", "runs"].map((verb) => `cron.${verb}`);
const fileMethods = ["list", "get", "set"].map((verb) => `agents.files.${verb}`);
const family = (kind: AskKind) => (kind === "question" ? kind : `${kind}.approval`);

/** A gateway that speaks as a real one of 2026.9.6 does, as far as settings go: it has the recorded schema. */
export class FakeGateway {
  config: { agents: { entries: Record<string, Json> } & Json } & Json;
  /** What it answers to config.schema instead of what was recorded. */ schema: unknown = recorded;
  /** What was answered to what it asks. */ readonly answers: Json[] = [];
  /** Its sessions, as rows of sessions.list. */ sessions: ({ key: string } & Json)[] = [];
  /** What was said in each session. */ readonly said: Record<string, Json[]> = {};
  /** Methods that it doesn't offer. */ lacks: string[] = [];
  /** Another program manages its config, so that it accepts no change. */ managed = false;
  /** Workspace files by agent and name, as "main/SOUL.md". Without them it serves none. */ files?: Record<
    string,
    string
  >;
  /** Its cron jobs, as rows of cron.list. Without them it offers none. */ jobs?: ({ id: string } & Json)[];
  /** Its scheduler runs the jobs. */ scheduling = true;
  /** Its answers about tools and skills, by method. It offers those methods. */ tools: Record<string, unknown> = {};
  /** Methods that it hears and never answers. */ readonly silent = new Set<string>();
  /** How often it heard those. */ unanswered = 0;
  /** What it answers to a method of cron jobs with, instead of doing it. */ readonly refusals: Record<string, string> =
    {};
  /** Messages that were sent to its agents. */ readonly sent: { key: string; text: string; run: string }[] = [];
  /** Sessions that were stopped. */ readonly aborted: string[] = [];
  private asks: Ask[] = [];
  private away = false;
  private readonly server: WebSocketServer;

  private constructor(server: WebSocketServer, agents: Json) {
    this.server = server;
    this.config = { agents: { ownership: "explicit", entries: {}, ...agents } };
    server.on("connection", (ws) => {
      if (this.away) {
        ws.terminate();
        return;
      }
      ws.send(JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: Date.now() } }));
      ws.on("message", (m: Buffer) => this.hear(ws, JSON.parse(m.toString()) as Request));
    });
  }

  static start(agents: Json): Promise<FakeGateway> {
    return new Promise((resolve, reject) => {
      const server: WebSocketServer = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () =>
        resolve(new FakeGateway(server, agents)),
      );
      server.once("error", reject);
    });
  }

  get url(): string {
    const at = this.server.address();
    return typeof at === "object" && at ? `ws://127.0.0.1:${at.port}` : "";
  }

  stop(): Promise<void> {
    for (const c of this.server.clients) c.terminate();
    return new Promise((done) => this.server.close(() => done()));
  }

  /** Asks a person, for an hour. */
  ask(kind: AskKind, what: { id: string } & Json): void {
    const ask = { createdAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000, ...what, kind };
    this.asks.push(ask);
    const { kind: _, ...payload } = ask;
    this.tell(`${family(kind)}.requested`, payload);
  }

  /** Ends what was asked, as somebody does who isn't AgentFlow. */
  resolve(kind: AskKind, id: string, decision: string, resolvedBy: string): void {
    this.asks = this.asks.filter((a) => a.id !== id);
    this.tell(
      `${family(kind)}.resolved`,
      kind === "question" ? { id, status: decision } : { id, decision, resolvedBy, ts: Date.now() },
    );
  }

  /** Loses every link, until it is back. */
  cut(): void {
    this.away = true;
    for (const c of this.server.clients) c.terminate();
  }

  back(): void {
    this.away = false;
  }

  /** Tells that its config is another one. */
  tellConfig(): void {
    this.tell("config.changed", { hash: this.hash() });
  }

  /** Notes what was said in a session. */
  say(key: string, role: string, content: unknown): void {
    (this.said[key] ??= []).push({ role, content, timestamp: Date.now() });
  }

  /** Tells of a run in a session. */
  chat(payload: Json): void {
    this.tell("chat", payload);
  }

  private answerSession(method: string, { key = "", parentSessionKey = "" }: Params): unknown {
    if (method === "sessions.reset") {
      this.said[key] = [];
      return { ok: true, key };
    }
    if (method === "sessions.compact") return { ok: false, key, compacted: false, reason: "Nothing to compact" };
    const copy = `${parentSessionKey}-copy`;
    this.said[copy] = [...(this.said[parentSessionKey] ?? [])];
    this.sessions = [...this.sessions, { ...this.sessions.find((s) => s.key === parentSessionKey), key: copy }];
    return { ok: true, key: copy };
  }

  private answerCron(method: string, { id = "", patch = {}, ...rest }: Params): unknown {
    const jobs = this.jobs ?? [],
      tell = (action: string, id: string) => this.tell("cron", { jobId: id, action });
    if (method === "cron.status") return { enabled: this.scheduling, jobs: jobs.length };
    if (method === "cron.list") return { jobs, total: jobs.length, hasMore: false, nextOffset: null };
    if (method === "cron.add") {
      const job = { state: { nextRunAtMs: Date.now() + 3_600_000 }, ...rest, id: `job-${jobs.length + 1}` };
      this.jobs = [...jobs, job];
      tell("added", job.id);
      return job;
    }
    const job = jobs.find((j) => j.id === id);
    if (!job) return undefined;
    if (method === "cron.runs")
      return { entries: [{ runAtMs: 1_795_000_000_000, status: "error", error: "no model" }] };
    if (method === "cron.update") this.jobs = jobs.map((j) => (j === job ? { ...j, ...patch } : j));
    if (method === "cron.remove") this.jobs = jobs.filter((j) => j !== job);
    if (method === "cron.run") this.setJob(id, { state: { runningAtMs: Date.now() } });
    else tell(method === "cron.update" ? "updated" : "removed", id);
    return method === "cron.update" ? this.jobs?.find((j) => j.id === id) : { ok: true, enqueued: true, removed: true };
  }

  /** Changes a cron job, and tells of it. */
  setJob(id: string, change: Json): void {
    this.jobs = this.jobs?.map((j) => (j.id === id ? { ...j, ...change } : j));
    this.tell("cron", { jobId: id, action: "updated" });
  }

  private tell(event: string, payload: Json): void {
    for (const c of this.server.clients) c.send(JSON.stringify({ type: "event", event, payload }));
  }

  /** Adds itself to a hub and imports its team. */
  async join(hub: Hub, name = "studio"): Promise<string> {
    await hub.ask("POST", "/api/gateways", { name, url: this.url });
    await until(
      "the link",
      () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
      (r) => r.gateways.some((g) => g.name === name && g.state === "connected"),
    );
    return (await hub.ask<{ id: string }>("POST", "/api/teams", { import: name })).id;
  }

  private hash = () => createHash("sha256").update(JSON.stringify(this.config)).digest("hex");

  private hear(ws: WebSocket, { id, method, params = {} }: Request): void {
    if (this.silent.has(method)) {
      this.unanswered++;
      return;
    }
    const answer = this.answer(method, params);
    ws.send(
      JSON.stringify({
        type: "res",
        id,
        ok: answer !== undefined,
        payload: answer,
        error: { code: "INVALID_REQUEST", message: this.refusals[method] ?? `unknown: ${method}` },
      }),
    );
  }

  private answerAsk(kind: AskKind, verb: string, params: Params): unknown {
    if (verb === "list") {
      const list = this.asks.filter((a) => a.kind === kind).map(({ kind: _, ...rest }) => rest);
      return kind === "question" ? { questions: list } : list;
    }
    if (!this.asks.some((a) => a.id === params.id)) return undefined;
    this.answers.push({ method: `${family(kind)}.${verb}`, ...params });
    const decision = kind === "question" ? (params.cancel ? "cancelled" : "answered") : (params.decision ?? "");
    this.resolve(kind, params.id ?? "", decision, "AgentFlow");
    return { ok: true };
  }

  private answerFile(method: string, { agentId: agent = "", name = "", content }: Params): unknown {
    const row = (name: string) => {
      const text = this.files?.[`${agent}/${name}`];
      return text === undefined
        ? { name, missing: true }
        : { name, content: text, size: Buffer.byteLength(text), hash: createHash("sha256").update(text).digest("hex") };
    };
    if (method === "agents.files.list") return { agentId: agent, files: ["SOUL.md", "AGENTS.md"].map(row) };
    if (method === "agents.files.set") this.files = { ...this.files, [`${agent}/${name}`]: content ?? "" };
    return { ok: true, agentId: agent, file: row(name) };
  }

  private answer(method: string, params: Params): unknown {
    if (this.refusals[method]) return undefined;
    if (this.jobs && cronMethods.includes(method)) return this.answerCron(method, params);
    if (this.files && fileMethods.includes(method)) return this.answerFile(method, params);
    if (this.tools[method]) return this.tools[method];
    const asked = /^(exec|plugin|question)(?:\.approval)?\.(list|resolve)$/.exec(method);
    if (asked) return this.answerAsk(asked[1] as AskKind, asked[2] ?? "", params);
    const { entries } = recorded.schema.properties.agents.properties;
    switch (method) {
      case "connect":
        return {
          type: "hello-ok",
          protocol: 4,
          server: { version: "2026.9.6", connId: "c" },
          features: {
            methods: [
              ...methods,
              ...(this.files ? fileMethods : []),
              ...(this.jobs ? cronMethods : []),
              ...Object.keys(this.tools),
            ].filter((m) => !this.lacks.includes(m)),
            events: [],
          },
          auth: { role: "operator", scopes: ["operator.read", "operator.write", "operator.admin"] },
          policy: { maxPayload: 26214400, maxBufferedBytes: 52428800, tickIntervalMs: 30000 },
        };
      case "config.get":
        return {
          path: "openclaw.json",
          exists: true,
          parsed: this.config,
          config: this.config,
          raw: JSON.stringify(this.config),
          valid: true,
          hash: this.hash(),
          issues: [],
        };
      case "config.apply":
        if (this.managed || params.baseHash !== this.hash()) return undefined;
        this.config = JSON.parse(params.raw ?? "") as FakeGateway["config"];
        return {
          ok: true,
          hash: this.hash(),
          config: this.config,
          sentinel: {
            persisted: true,
            payload: { kind: "config-apply", status: "ok", stats: { mode: "config.apply", requiresRestart: false } },
          },
        };
      case "config.schema":
        return this.schema;
      case "config.schema.lookup":
        return {
          path: params.path,
          reloadKind: "hot",
          schema: params.path === "agents.entries" ? entries : {},
          children: [],
        };
      case "plugins.list":
        return { plugins: [], mutationAllowed: !this.managed };
      case "models.list":
        return { models: [] };
      case "agents.list":
        return { agents: Object.keys(this.config.agents.entries).map((name) => ({ id: name })) };
      case "sessions.list":
        return { sessions: this.sessions };
      case "chat.abort":
        this.aborted.push(params.sessionKey ?? "");
        return { ok: true, aborted: true, runIds: [] };
      case "chat.send": {
        const { sessionKey: key = "", message: text = "", idempotencyKey: run = "" } = params;
        this.sent.push({ key, text, run });
        this.say(key, "user", text);
        return { runId: run, status: "started" };
      }
      case "chat.history":
        return { sessionKey: params.sessionKey, messages: this.said[params.sessionKey ?? ""] ?? [] };
      case "sessions.reset":
      case "sessions.compact":
      case "sessions.create":
        return this.lacks.includes(method) ? undefined : this.answerSession(method, params);
      default:
        return undefined;
    }
  }
}
