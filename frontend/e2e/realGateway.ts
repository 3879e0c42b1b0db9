import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../build/openclaw-peer.sh", import.meta.url));
const cache =
  process.env.AGENTFLOW_OPENCLAW_CACHE ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "agentflow", "openclaw");

/** One OpenClaw release of each generation, as the Go tests take them; `make test` has installed them by then. */
export const realVersions = ["2026.9.6", "2026.2.26"] as const;
export const installed = (version: string) => existsSync(path.join(cache, `app-${version}`, ".complete"));

/**
 * Two different ports that nobody listens on. They lie below those that the system gives to outgoing connections:
 * a gateway takes half a minute to start listening.
 */
async function freePorts(): Promise<[gateway: number, model: number]> {
  const servers: Server[] = [];
  for (let tries = 0; servers.length < 2; tries++) {
    if (tries > 100) throw new Error("no free port");
    const server = createServer();
    const listens = await new Promise<boolean>((done) => {
      server.once("error", () => done(false));
      server.listen(20_000 + Math.floor(Math.random() * 12_000), "127.0.0.1", () => done(true));
    });
    if (listens) servers.push(server);
  }
  const [gateway, model] = servers.map((s) => (s.address() as AddressInfo).port);
  await Promise.all(servers.map((s) => new Promise((done) => s.close(done))));
  return [gateway!, model!];
}

/** A real OpenClaw gateway, whose agents answer "Echo: " and what they are told; SLOW in it takes half a minute. */
export type RealGateway = {
  url: string;
  token: string;
  /** Its config, as it is on the disk. */ file: string;
  stop: () => Promise<void>;
};

/** Starts one with the given "agents" in its config: JSON5, as somebody wrote it by hand. */
export async function realGateway(version: string, agents = ""): Promise<RealGateway> {
  const [port, model] = await freePorts(),
    token = `peer-${randomBytes(18).toString("hex")}`;
  const peer = (...args: string[]) =>
    run(script, args, { env: { ...process.env, OPENCLAW_PEER_TOKEN: token, OPENCLAW_PEER_AGENTS: agents } });
  const stop = async () => {
    await peer("reset", version, String(port));
  };
  try {
    await peer("start", version, String(port), String(model));
  } catch (e) {
    await stop();
    throw e;
  }
  return {
    url: `ws://127.0.0.1:${port}/`,
    token,
    file: path.join(cache, `run-${version}-${port}`, "state", "openclaw.json"),
    stop,
  };
}
