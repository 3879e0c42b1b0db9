import { readFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import type { LocalAgent } from "../src/topology/types.ts";
import { expect, test, until as soon, type App } from "./app.ts";

const here = (app: App, id: string) =>
  app.hub.ask<{ agents: LocalAgent[] }>("GET", "/api/local-agents").then((r) => r.agents.find((a) => a.id === id));
const card = (app: App, id: string) => app.page.locator(`article[data-agent="${id}"]`);
const secret = "the-peers-own-secret";

async function openAgents(app: App): Promise<void> {
  await app.go("settings");
  await app.page.locator('[data-section="agents"]').click();
  await app.page.getByRole("heading", { level: 1, name: /^(Agents|エージェント)$/ }).waitFor();
}

/** Processes are started and ended here: on a machine that is busy that takes its time. */
const patience = 60_000;
const until = <T>(what: string, ask: () => T | Promise<T>, ok?: (v: T) => boolean) => soon(what, ask, ok, patience);

/** Nobody answers there any more. */
const silent = (url: string) =>
  fetch(`${url}/status`).then(
    () => false,
    () => true,
  );

describe("agents on this computer", { timeout: 240_000 }, () => {
  test("AG-3: an agent of the team is started on the canvas, does a task, shows its log, and is stopped and removed", async ({
    open,
  }) => {
    const app = await open({ patience });
    await openAgents(app);
    await app.page.getByText("No agent runs as a local process").waitFor();

    await app.go("canvas");
    await app.node("writer").click({ button: "right" });
    await app.page.getByRole("menuitem", { name: "Start as local process" }).click();
    const up = await until(
      "the process to run",
      () => here(app, "writer"),
      (a) => a?.state === "running",
    );
    await app.node("writer").click({ button: "right" });
    await app.page.getByRole("menuitem", { name: "Show log" }).click();
    const writer = card(app, "writer");
    await writer.getByText("Running", { exact: true }).waitFor();
    const log = writer.getByRole("log");
    await log.getByText(`listening on ${up?.url ?? "?"}`).waitFor();

    const { taskId } = await app.hub.ask<{ taskId: string }>("POST", "/submit_task", {
      sessionId: "s",
      userPrompt: "Tell me about queues",
      taskType: "chat",
      context: { agent: "writer" },
    });
    await writer.getByText(/^1 task($| · )/).waitFor();
    await log.getByText(`task ${taskId}: completed`).waitFor();
    await writer.getByLabel("Search the log").fill("LISTENING");
    await writer.getByText("1 line found").waitFor();
    await until(
      "the rest to be left out",
      () => log.getByText("completed").count(),
      (n) => n === 0,
    );
    await writer.getByLabel("Search the log").fill("");

    // The keyboard alone does the rest.
    await writer.getByRole("button", { name: "Restart" }).focus();
    await app.page.keyboard.press("Enter");
    const again = await until(
      "another process",
      () => here(app, "writer"),
      (a) => a?.state === "running" && a.url !== up?.url,
    );
    await until("the first one to be gone", () => silent(up?.url ?? ""));
    await writer.getByRole("button", { name: "Stop" }).click();
    await writer.getByText("Stopped", { exact: true }).waitFor();
    await until("the other one to be gone", () => silent(again?.url ?? ""));
    await writer.getByRole("button", { name: "More about Writer" }).click();
    await app.page.getByRole("menuitem", { name: "Remove…" }).click();
    await app.page.getByRole("button", { name: "Remove agent" }).click();
    await writer.waitFor({ state: "detached" });
    await until(
      "the hub to have it no more",
      () => here(app, "writer"),
      (a) => a === undefined,
    );
  });

  test("AG-4 AG-3: one with its own config says what it lacks, gets its secret by the keyring, comes back with AgentFlow and dies with it", async ({
    open,
  }) => {
    const app = await open({ patience });
    await openAgents(app);
    await app.page.locator("main .empty").getByRole("button", { name: "Add agent" }).click();
    const dialog = app.page.getByRole("dialog");
    await dialog.getByText("Custom config").click();
    await dialog.getByLabel("agent-config.yaml").fill("agent:\n  name: lone\n  secret: s\n");
    // Escape closes the dialog and loses nothing.
    await app.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await app.page.locator("main .empty").getByRole("button", { name: "Add agent" }).click();
    expect(await dialog.getByLabel("agent-config.yaml").inputValue()).toContain("name: lone");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText(/^Line 3: a secret stands in the file/).waitFor();
    await dialog
      .getByLabel("agent-config.yaml")
      .fill(
        "agent: {name: lone, role: Developer, model: demo/echo}\ncallers:\n  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}\n  - {name: peer, role: Reviewer, secretEnv: PEER_SECRET}\n",
      );
    await dialog.getByText("Start with AgentFlow").click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const lone = card(app, "lone");
    await lone.getByText("The applied team has no agent lone").waitFor();
    await lone.getByRole("button", { name: "Start", exact: true }).click();
    await lone.getByText("Something is missing from its config or environment.").waitFor();
    await lone.getByRole("button", { name: "Set PEER_SECRET" }).click();
    await dialog.getByLabel("Value").fill(secret);
    await dialog.getByRole("button", { name: "Set", exact: true }).click();
    await lone.getByText("Saved on this computer").waitFor();
    await lone.getByRole("button", { name: "Start", exact: true }).click();
    await lone.getByText("Running", { exact: true }).waitFor();
    const up = await here(app, "lone");
    await lone.getByRole("button", { name: "Show log" }).click();
    await lone.getByRole("log").getByText("listening on").waitFor();
    expect(await app.page.content()).not.toContain(secret);
    for (const file of ["agents.json", "agents/lone.yaml", "agentflow.yaml"])
      expect(safeRead(path.join(app.hub.data, file))).not.toContain(secret);

    await app.hub.kill();
    await until("the process to be gone with the hub", () => silent(up?.url ?? ""));
    await app.hub.restart();
    const anew = await until(
      "it to be started with the hub",
      () => here(app, "lone"),
      (a) => a?.state === "running",
    );
    await app.reconnect();
    await lone.getByText("Running", { exact: true }).waitFor();
    await lone
      .getByRole("log")
      .getByText(`listening on ${anew?.url ?? "?"}`)
      .waitFor();
    expect(await lone.getByText("Couldn't load the log").count()).toBe(0);
  });
});

function safeRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
