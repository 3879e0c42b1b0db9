import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { binary } from "./hub.ts";
import { ModelServer, type Reply } from "./modelServer.ts";
import { network, noNetwork, type Network } from "./network.ts";

const cannot = noNetwork();
if (cannot) console.error(`NOT TESTED: an agent on another host talks in a room: ${cannot}`);

const agents = `agents:
  - {name: Ann, model: openai/m, persona: I am Ann and plan.}
  - {name: Ben, model: openai/m, persona: I am Ben and look after the boat.}
  - name: Carol
    model: openai/m
    persona: I am Carol and know the harbour.
    tools: [file_read]
    mcpServers: [{name: harbour, command: [node, harbour.mjs]}]
    mcpPolicy: {default: ask, tools: {tide: auto}}
common_settings: {chat_history_limit: 20}
`;

/** An MCP server with one tool, over its standard input and output. */
const harbour = `import { createInterface } from "node:readline";
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "harbour", version: "1" } });
  else if (method === "tools/list") say(id, { tools: [{ name: "tide", description: "when the water is high", inputSchema: { type: "object", properties: { day: { type: "string" } } } }] });
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: "high water on " + params.arguments.day + ": 09:40" }] });
  else if (id !== undefined) say(id, {});
}
`;

/** The replies of the three agents. An agent that isn't addressed has nothing to say. */
function script(messages: { role: string; content: string }[]): Reply {
  const who = /I am (\w+)/.exec(messages[0]!.content)?.[1],
    last = messages.at(-1)!,
    heard = last.content;
  if (who === "Ann" && heard.includes("when do we sail?")) return "@Ben, is the boat ready?";
  if (who === "Ben" && heard.includes("is the boat ready?")) return "It is. @Carol, when is the tide right?";
  if (who === "Carol" && last.role === "tool" && heard.includes("09:40"))
    return { tool: "file_read", arguments: { path: "log.txt" } };
  if (who === "Carol" && last.role === "tool" && heard.includes("tank is full"))
    return "High water is at 09:40, and the tank is full.";
  if (who === "Carol" && heard.includes("when is the tide right?"))
    return { tool: "tide", arguments: { day: "Sunday" } };
  return "SKIP";
}

/** Agents of the file in a program of their own. */
function join(
  app: App,
  model: ModelServer,
  work: string,
  enter: string[],
  ...names: string[]
): { child: ChildProcess; said: () => string } {
  const [program, ...before] = [...enter, binary];
  const args = [
    ...before,
    "chat",
    "join",
    "--url",
    app.hub.url,
    "--insecure-http", // between two network namespaces of this computer
    "--room",
    "Harbour",
    "--agents",
    "agents.yml",
    "--workspace",
    work,
    "--data",
    `${work}-data-${names[0]}`,
    ...names.flatMap((n) => ["--agent", n]),
  ];
  const child = spawn(program, args, {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, AGENTFLOW_TOKEN: app.hub.token, OPENAI_BASE_URL: `${model.url}/v1` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const out of [child.stdout, child.stderr])
    out.on("data", (b: Buffer) => {
      said += b.toString();
    });
  return { child, said: () => said };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((r) => child.once("exit", r));
  child.kill("SIGTERM");
  await gone;
}

describe("agents of agents.yml", () => {
  test.skipIf(cannot)(
    "CH-5 CH-12 APP-4 three talk with a person, one on another host: its tools' results show in the room, what it may not do alone waits in the inbox",
    async ({ open }) => {
      const work = mkdtempSync(path.join(tmpdir(), "agentflow-elsewhere-"));
      for (const [name, text] of [
        ["agents.yml", agents],
        ["harbour.mjs", harbour],
        ["log.txt", "the tank is full\n"],
      ] as const)
        writeFileSync(path.join(work, name), text);
      const running: { child: ChildProcess; said: () => string }[] = [];
      let far: Network | undefined, model: ModelServer | undefined;
      try {
        far = network();
        model = await ModelServer.start({ models: ["m"], host: far.host, reply: script });
        const app = await open({ host: far.host });
        running.push(join(app, model, work, [], "Ann", "Ben"), join(app, model, work, far.enter, "Carol"));
        const seated = (at: number, ...names: string[]) =>
          until(
            `${names.join(", ")} to join`,
            () => running[at]!.said(),
            (said) => names.every((n) => said.includes(`joined Harbour as ${n}`)),
            60_000,
          );
        await seated(0, "Ann", "Ben");
        await seated(1, "Carol");
        await app.go("rooms/Harbour");
        const field = app.page.locator(".composer textarea"),
          said = app.page.locator("article.msg[data-message]");
        await field.fill("@Ann when do we sail?");
        await app.page.keyboard.press("Enter");
        await said.getByText("is the boat ready?").waitFor({ timeout: 60_000 });
        await said.getByText("when is the tide right?").waitFor({ timeout: 60_000 });
        // The tool that it may use alone; the other one waits for the person, wherever the agent is.
        await said.getByText("high water on Sunday: 09:40").waitFor({ state: "attached", timeout: 60_000 });
        await app.page.locator(".rail-item .count").getByText("1").waitFor({ timeout: 60_000 });
        await app.go("inbox");
        await app.page.getByText("file_read").first().waitFor();
        await app.button("Allow once").click();
        await app.go("rooms/Harbour");
        await said.getByText("High water is at 09:40, and the tank is full.").waitFor({ timeout: 60_000 });
        await said.getByText("the tank is full", { exact: true }).waitFor({ state: "attached" });
        const stored = await app.hub
          .ask<{ messages: { sender: string; message: string; type: string }[] }>(
            "GET",
            "/api/messages?room=Harbour&limit=100",
          )
          .then((r) => r.messages.filter((m) => m.type === "chat").map((m) => `${m.sender}: ${m.message}`));
        expect(stored.map((m) => m.replace(/^(?!Ann|Ben|Carol)[^:]+/, "person"))).toEqual([
          "person: @Ann when do we sail?",
          "Ann: @Ben, is the boat ready?",
          "Ben: It is. @Carol, when is the tide right?",
          "Carol: High water is at 09:40, and the tank is full.",
        ]);
        expect(app.complaints).toEqual([]);
      } catch (e) {
        throw new Error(`${e instanceof Error ? e.message : String(e)}\n${running.map((r) => r.said()).join("\n")}`, {
          cause: e,
        });
      } finally {
        await Promise.all(running.map((r) => ended(r.child)));
        await model?.stop();
        far?.close();
        for (const dir of [work, `${work}-data-Ann`, `${work}-data-Ben`, `${work}-data-Carol`])
          rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
      }
    },
    240_000,
  );
});
