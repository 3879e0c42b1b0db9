import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePorts } from "./ports.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../build/openclaw-peer.sh", import.meta.url));
const cache =
  process.env.AGENTFLOW_OPENCLAW_CACHE ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "agentflow", "openclaw");

/** One OpenClaw release of each generation, as the Go tests take them; `make test` has installed them by then. */
export const realVersions = ["2026.9.6", "2026.2.26"] as const;
export const installed = (version: string) => existsSync(path.join(cache, `app-${version}`, ".complete"));

/** A real OpenClaw gateway whose agents answer "Echo: " and the message. SLOW in it makes that take half a minute. */
export type RealGateway = {
  url: string;
  token: string;
  /** Its config file. */ file: string;
  stop: () => Promise<void>;
};

/** Starts one with the given "agents" in its config: JSON5, as somebody wrote it by hand. */
export async function realGateway(version: string, agents = ""): Promise<RealGateway> {
  const [port, model] = await freePorts(2),
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
