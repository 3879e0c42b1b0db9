import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { App } from "./app.ts";
import { ModelServer } from "./modelServer.ts";

export const git = (dir: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@localhost", "-c", "init.defaultBranch=main", ...args], {
    cwd: dir,
    encoding: "utf8",
  }).trim();

/** A coding CLI by script: it fails while `fails` is there, and waits while `hold` is there. */
const codex = (dir: string) => `#!/bin/sh
for a in "$@"; do last=$a; done
[ "$last" = --version ] && { echo codex-cli 9.9.9; exit 0; }
[ -e ${dir}/fails ] && { echo '{"type":"turn.failed","error":{"message":"no luck"}}'; exit 1; }
echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"hands on"}}'
[ -e ${dir}/hold ] && while :; do sleep 600; done
[ -n "$LENT_TO_WORKERS" ] && echo '{"type":"item.completed","item":{"id":"2","type":"agent_message","text":"lent '"$LENT_TO_WORKERS"'"}}'
case $last in COPY) cp one.txt two.txt ;; *) echo one > one.txt ;; esac
echo '{"type":"turn.completed","usage":{"input_tokens":1000,"output_tokens":10}}'
`;

/** What the model says of each step of a task that makes or copies a file. */
function decides(question: string): string {
  if (question.includes('"type":"completion_assessment"'))
    return JSON.stringify({
      type: "completion_assessment",
      summary: "ok",
      details: { passed_criteria: ["AC-1"], remaining_risks: [] },
    });
  if (question.includes('"exists": true'))
    return JSON.stringify({ type: "next_action", decision: { action: "mark_complete", reason: "it is there" } });
  return JSON.stringify({
    type: "next_action",
    decision: { action: "run_worker", reason: "not there" },
    worker_call: { worker_type: "codex-cli", mode: "exec", prompt: question.includes("COPY") ? "COPY" : "MAKE" },
  });
}

export type Site = {
  app: App;
  repo: string;
  /** Puts a file beside the CLI, which changes what it does. */ set: (name: string) => void;
  drop: (name: string) => void;
};

/** A repository, and a coding CLI that does what the tasks of a plan ask; answers speaks for the model where it says anything. */
export async function withSite(
  open: (o: object) => Promise<App>,
  work: (site: Site) => Promise<void>,
  answers: (question: string) => string | undefined = () => undefined,
): Promise<void> {
  const server = await ModelServer.start({
    models: ["thinker"],
    script: function* (q) {
      yield answers(q) ?? decides(q);
    },
  });
  const repo = mkdtempSync(path.join(tmpdir(), "agentflow-repo-")),
    cli = mkdtempSync(path.join(tmpdir(), "agentflow-cli-"));
  try {
    git(repo, "init", "-q");
    git(repo, "commit", "-q", "--allow-empty", "-m", "first");
    writeFileSync(path.join(cli, "codex"), codex(cli), { mode: 0o755 });
    const app = await open({
      env: { PATH: `${cli}:${process.env.PATH}`, LENT_TO_WORKERS: "a word" },
      seed: async (hub: App["hub"]) => {
        await hub.ask("POST", "/api/providers", {
          name: "local",
          kind: "openai",
          baseUrl: `${server.url}/v1`,
          default: true,
        });
      },
    });
    await work({
      app,
      repo,
      set: (name) => writeFileSync(path.join(cli, name), ""),
      drop: (name) => rmSync(path.join(cli, name), { force: true }),
    });
    await app.hub.kill(); // and what it started, before the folders go
  } finally {
    await server.stop();
    for (const dir of [repo, cli]) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
