// A hub for looking at the page without one: `vite --mode sample`. Keeps everything in memory and is no part of the build.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Plugin } from "vite";
import { WebSocketServer, type WebSocket } from "ws";
import type {
  Change,
  Team,
  TeamState,
  TeamSummary,
  Gateway,
  Problem,
  Settings,
  Topology,
} from "../src/topology/types.ts";
import { bigTeam, sampleTeam } from "./team.ts";

type Kept = {
  id: string;
  base: Topology;
  steps: { head: string; topology: Topology; label: string; coalesce?: string; at: number }[];
  at: number;
  name: string;
};

let n = 0;
const newHead = () => `v${++n}`;
const settings: Settings = {
  language: "auto",
  theme: "auto",
  gpuPolicy: "never",
  motion: "auto",
  snap: "on",
  textSize: 100,
  onboardingDone: true,
};
const gateway: Gateway = {
  name: "Studio gateway",
  url: "ws://127.0.0.1:18789",
  color: 1,
  builtin: false,
  default: true,
  hasToken: true,
  state: "connected",
  dialect: "jsonrpc",
  latencyMs: 18,
  insecure: false,
  drift: false,
};
const teams = new Map<string, Kept>();
const sockets = new Set<WebSocket>();

function keep(id: string, t: Topology): void {
  teams.set(id, {
    id,
    base: t,
    steps: [{ head: newHead(), topology: t, label: "create", at: Date.now() }],
    at: 0,
    name: t.name ?? id,
  });
}

function reset(): void {
  teams.clear();
  keep("shop", sampleTeam(false));
  keep("shop-ja", sampleTeam(true));
  keep("big", bigTeam(1000));
}
reset();

const eq = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
function diff(base: Topology, now: Topology): Change[] {
  const out: Change[] = [],
    was = new Map(base.agents.map((a) => [a.id, a])),
    is = new Map(now.agents.map((a) => [a.id, a]));
  for (const [id, a] of is) {
    const b = was.get(id);
    if (!b) out.push({ id: `agent:${id}`, op: "added", subject: "agent", agent: id });
    else
      for (const field of [
        "name",
        "role",
        "model",
        "persona",
        "workspace",
        "fallbacks",
        "tools",
        "description",
        "allowAny",
      ] as const)
        if (!eq(a[field], b[field]))
          out.push({
            id: `agent:${id}:${field}`,
            op: "changed",
            subject: "agent",
            agent: id,
            field,
            before: b[field],
            after: a[field],
          });
    const key = (c: { type: string; targetId: string }) => `${c.type}:${c.targetId}`;
    const then = new Set((b?.connections ?? []).map(key)),
      today = new Set((a.connections ?? []).map(key));
    for (const c of a.connections ?? [])
      if (!then.has(key(c)))
        out.push({
          id: `connection:${id}:${key(c)}`,
          op: "added",
          subject: "connection",
          agent: id,
          target: c.targetId,
          kind: c.type,
        });
    for (const c of b?.connections ?? [])
      if (!today.has(key(c)))
        out.push({
          id: `connection:${id}:${key(c)}`,
          op: "removed",
          subject: "connection",
          agent: id,
          target: c.targetId,
          kind: c.type,
        });
    if (b && !eq(base.layout?.[id], now.layout?.[id]))
      out.push({ id: `layout:${id}`, op: "moved", subject: "layout", agent: id });
  }
  for (const id of was.keys())
    if (!is.has(id)) out.push({ id: `agent:${id}`, op: "removed", subject: "agent", agent: id });
  return out;
}

function lint(t: Topology): Problem[] {
  const out: Problem[] = [];
  const first = new Map<string, string>();
  for (const a of t.agents) {
    if (a.model?.includes("llama3.1"))
      out.push({
        id: `model:${a.id}`,
        severity: "error",
        code: "sample_model",
        subject: "agent",
        agent: a.id,
        field: "model",
        message: `Model ${a.model} is not on this gateway.`,
        remedy: "Choose another model.",
      });
    const other = a.workspace && first.get(a.workspace);
    if (other)
      out.push({
        id: `ws:${a.id}`,
        severity: "warning",
        code: "sample_ws",
        subject: "agent",
        agent: a.id,
        field: "workspace",
        message: `Shares its workspace with ${other}.`,
        remedy: "Give it its own folder.",
      });
    if (a.workspace) first.set(a.workspace, a.name ?? a.id);
  }
  return out;
}

const current = (k: Kept) => {
  const s = k.steps[k.at];
  if (!s) throw new Error("no step");
  return s;
};
function state(k: Kept): TeamState {
  const s = current(k),
    changes = diff(k.base, s.topology);
  return {
    id: k.id,
    name: k.name,
    gateway: gateway.name,
    head: s.head,
    revision: s.at,
    updatedAt: new Date(s.at).toISOString(),
    changes,
    unsent: changes.filter((c) => c.subject !== "layout" && c.field !== "role").length,
    problems: lint(s.topology),
    canUndo: k.at > 0,
    canRedo: k.at < k.steps.length - 1,
    undoLabel: k.at > 0 ? s.label : undefined,
    redoLabel: k.steps[k.at + 1]?.label,
  };
}
const whole = (k: Kept): Team => ({
  ...state(k),
  topology: current(k).topology,
  base: { snapshotId: "s1", hash: "h", readAt: new Date().toISOString(), topology: k.base },
});
function summary(k: Kept): TeamSummary {
  const s = state(k),
    t = current(k).topology;
  return {
    id: k.id,
    name: k.name,
    gateway: s.gateway,
    head: s.head,
    updatedAt: s.updatedAt,
    agents: t.agents.length,
    connections: 0,
    models: [],
    changes: s.unsent,
    errors: 0,
    warnings: 0,
  };
}
let seq = 0;
const tell = (what: object) => {
  seq++;
  for (const ws of sockets) ws.send(JSON.stringify({ seq, ...what }));
};

function push(k: Kept, topology: Topology, label: string, coalesce?: string): void {
  const head = current(k);
  const step = { head: newHead(), topology, label, coalesce, at: Date.now() };
  if (coalesce && head.coalesce === coalesce && Date.now() - head.at < 2000) k.steps.splice(k.at, k.steps.length, step);
  else {
    k.steps.splice(k.at + 1, k.steps.length, step);
    k.at++;
  }
  tell({ teams: [summary(k)] });
}

function answer(method: string, path: string[], body: Record<string, unknown>): [number, unknown] {
  const [what, id, action] = path,
    k = id ? teams.get(id) : undefined;
  if (what === "reset") {
    reset();
    return [200, {}];
  }
  if (what === "settings") {
    if (method === "PUT") {
      Object.assign(settings, body);
      tell({ settings });
    }
    return [200, settings];
  }
  if (what === "models")
    return [
      200,
      {
        models: ["openai/gpt-5-mini", "anthropic/claude-sonnet-4.5", "ollama/qwen3:8b", "ollama/qwen3-coder:30b"].map(
          (m) => ({ id: m, provider: m.split("/")[0] }),
        ),
      },
    ];
  if (what !== "teams" || !k) return [404, { error: { code: "NOT_FOUND", message: "not in the sample hub" } }];
  if (method === "GET" && !action) return [200, whole(k)];
  if (method === "PUT") {
    push(k, body.topology as Topology, String(body.label), body.coalesce as string | undefined);
    return [200, { state: state(k) }];
  }
  if (method === "PATCH") {
    if (typeof body.name === "string") k.name = body.name;
    tell({ teams: [summary(k)] });
    return [200, whole(k)];
  }
  if (action === "undo" || action === "redo") {
    k.at = Math.max(0, Math.min(k.steps.length - 1, k.at + (action === "undo" ? -1 : 1)));
    tell({ teams: [summary(k)] });
    return [200, whole(k)];
  }
  if (action === "discard") {
    push(k, k.base, "discard");
    return [200, whole(k)];
  }
  if (action === "layout") {
    const t = current(k).topology;
    push(
      k,
      {
        ...t,
        layout: Object.fromEntries(t.agents.map((a, i) => [a.id, { x: (i % 4) * 232, y: Math.floor(i / 4) * 130 }])),
      },
      "layout",
    );
    return [200, whole(k)];
  }
  return [404, { error: { code: "NOT_FOUND", message: "not in the sample hub" } }];
}

function serve(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (c: Buffer) => chunks.push(c));
  req.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const [code, out] = answer(
      req.method ?? "GET",
      (req.url ?? "").split("?")[0]?.split("/").slice(1).map(decodeURIComponent) ?? [],
      text ? (JSON.parse(text) as Record<string, unknown>) : {},
    );
    res.writeHead(code, { "Content-Type": "application/json" }).end(JSON.stringify(out));
  });
}

function attach(server: {
  middlewares: { use: (path: string, fn: typeof serve) => void };
  httpServer: {
    on: (name: string, fn: (req: IncomingMessage, socket: Duplex, headPart: Buffer) => void) => void;
  } | null;
}): void {
  server.middlewares.use("/api", serve);
  const wss = new WebSocketServer({ noServer: true });
  server.httpServer?.on("upgrade", (req, socket, headPart) => {
    if (!req.url?.startsWith("/api/events")) return;
    wss.handleUpgrade(req, socket, headPart, (ws) => {
      sockets.add(ws);
      ws.on("close", () => sockets.delete(ws));
      ws.on("message", () => tell({})); // a sign of life
      ws.send(
        JSON.stringify({
          seq,
          reset: true,
          teams: [...teams.values()].map(summary),
          gateways: [gateway],
          applies: [],
          settings,
        }),
      );
    });
  });
}

export function sampleHub(): Plugin {
  return { name: "sample-hub", configureServer: (s) => attach(s), configurePreviewServer: (s) => attach(s) };
}
