import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Apply, Team, Settings, Topology } from "../src/topology/types.ts";
import { until } from "./until.ts";

export const binary = process.env.AGENTFLOW_BIN ?? fileURLToPath(new URL("../../bin/agentflow", import.meta.url));

const running = new Set<ChildProcess>();
// A hub must not outlive the tests, however they end.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export type Options = {
  language?: "en" | "ja";
  data?: string;
  port?: number;
  token?: string;
  /** An address of this computer that others reach, without TLS. */ host?: string;
  /** With a certificate that no authority signed. */ tls?: boolean;
  /** That the program is started with. */ file?: string;
  /** Further environment variables of the program. */ env?: Record<string, string>;
};

/** The real program, `agentflow serve`, with a separate data folder and token. */
export class Hub {
  readonly token: string;
  readonly data: string;
  url = "";
  /** One-time link of the latest start. */
  link = "";
  private child: ChildProcess | undefined;
  private said = "";
  private readonly language: string;
  private readonly env: Record<string, string>;
  private readonly host: string | undefined;
  private readonly tls: boolean;

  private constructor({ language = "en", data, token, host, tls = false, env = {} }: Options) {
    this.host = host;
    this.tls = tls;
    this.data = data ?? mkdtempSync(path.join(tmpdir(), "agentflow-e2e-"));
    this.token = token ?? randomBytes(24).toString("base64url");
    this.language = language;
    this.env = env;
  }

  static async start(options: Options = {}): Promise<Hub> {
    if (!existsSync(binary))
      throw new Error(`${binary} is missing: build it with \`make headless\`, or name another in AGENTFLOW_BIN`);
    const hub = new Hub(options);
    await hub.run(options.port ?? 0, options.file);
    return hub;
  }

  /** Of its certificate, as it prints it at the start. */
  get fingerprint(): string {
    return /fingerprint is (sha256:\S+)/.exec(this.said)?.[1] ?? "";
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Starts it again at the same place, as after a crash. */
  async restart(): Promise<void> {
    await this.run(this.port);
  }

  private async run(port: number, file?: string): Promise<void> {
    const lang = this.language === "ja" ? "ja_JP.UTF-8" : "en_US.UTF-8";
    // A clean environment: no keyring, screen, gateways or models of this computer.
    const env = {
      PATH: process.env.PATH,
      HOME: this.data,
      TMPDIR: tmpdir(),
      LANG: lang,
      LC_ALL: lang,
      AGENTFLOW_TOKEN: this.token,
      ...this.env,
    };
    const child = spawn(
      binary,
      [
        "serve",
        "--listen",
        `${this.host ?? "127.0.0.1"}:${port}`,
        ...(this.tls ? ["--tls-self-signed"] : this.host ? ["--insecure-http"] : []),
        "--data",
        this.data,
        "--open",
        ...(file ? [file] : []),
      ],
      { env, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    this.said = "";
    const hear = (b: Buffer) => {
      this.said += b.toString();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const open = await until("the hub to listen", () => {
      if (child.exitCode !== null) throw new Error(`the hub ended with ${child.exitCode}: ${this.said}`);
      return /^open (\S+)$/m.exec(this.said);
    });
    this.link = open?.[1] ?? "";
    this.url = new URL(this.link).origin; // what it listens on may be all addresses, which is none to connect to
  }

  /** kill -9: no chance to save anything. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.end("SIGTERM");
    rmSync(this.data, { recursive: true, force: true, maxRetries: 3 });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((r) => child.once("exit", r));
    child.kill(signal);
    await ended;
  }

  /** Asks the hub from outside, as a script would; what the page claims is checked here. */
  async ask<T = unknown>(method: string, route: string, body?: unknown): Promise<T> {
    const r = await fetch(this.url + route, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await r.text();
    if (!r.ok) throw new Error(`${method} ${route}: ${r.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async changeSettings(change: Partial<Settings>): Promise<void> {
    await this.ask("PUT", "/api/settings", { ...(await this.ask<Settings>("GET", "/api/settings")), ...change });
  }

  teams(): Promise<{ id: string; name: string }[]> {
    return this.ask<{ teams: { id: string; name: string }[] }>("GET", "/api/teams").then((r) => r.teams);
  }

  team(id: string): Promise<Team> {
    return this.ask<Team>("GET", `/api/teams/${id}`);
  }

  /** Waits until the hub keeps the team as wanted. */
  kept(id: string, what: string, ok: (d: Team) => boolean): Promise<Team> {
    return until(what, () => this.team(id), ok);
  }

  /** Replaces what a team shows, as another window would. */
  async save(id: string, topology: Topology, label = "edit.field|test"): Promise<void> {
    const { head } = await this.team(id);
    await this.ask("PUT", `/api/teams/${id}`, { topology, head, label });
  }

  /** Previews and applies a team, and waits for the end. */
  async apply(id: string): Promise<void> {
    const p = await this.ask<{ baseHash: string }>("POST", `/api/teams/${id}/preview`, {});
    const { apply } = await this.ask<{ apply: Apply }>("POST", `/api/teams/${id}/apply`, {
      hash: p.baseHash,
      deleteAgents: true,
    });
    await until(
      "the apply to end",
      () => this.ask<{ apply: Apply }>("GET", `/api/applies/${apply.id}`),
      (x) => x.apply.state === "done",
    );
  }

  /** Changes the gateway's config behind the team's back. */
  async changeConfig(change: (config: Config) => void, gateway?: string): Promise<void> {
    const got = await this.ask<{ config: Config; baseHash: string }>(
      "POST",
      "/api/gateway/config/get",
      gateway ? { gateway } : {},
    );
    change(got.config);
    await this.ask("POST", "/api/gateway/config/apply", {
      raw: JSON.stringify(got.config, null, 2),
      baseHash: got.baseHash,
      reason: "changed elsewhere",
      ...(gateway ? { gateway } : {}),
    });
  }

  /** Allows the applied team what it asks of this computer. */
  async trust(): Promise<void> {
    const { agents } = await this.ask<{ agents: { agent: string; hash: string }[] }>("GET", "/api/trust/local");
    await this.ask("POST", "/api/trust/local/allow", { agents: agents.map(({ agent, hash }) => ({ agent, hash })) });
  }

  /** The same on the config's text, so that its comments and its order stay. */
  async editConfig(change: (raw: string) => string): Promise<void> {
    const got = await this.ask<{ raw: string; baseHash: string }>("POST", "/api/gateway/config/get", {});
    await this.ask("POST", "/api/gateway/config/apply", {
      raw: change(got.raw),
      baseHash: got.baseHash,
      reason: "changed elsewhere",
    });
  }

  config(gateway?: string): Promise<Config> {
    return this.ask<{ config: Config }>("POST", "/api/gateway/config/get", gateway ? { gateway } : {}).then(
      (r) => r.config,
    );
  }
}

export type ConfigAgent = {
  name?: string;
  model?: unknown;
  subagents?: { allowAgents?: string[] };
  [key: string]: unknown;
};
export type Config = { agents?: Record<string, unknown>; [key: string]: unknown };
