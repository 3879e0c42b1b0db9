import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

const file = "night.agentflow.yaml";
const text = `# ours, by hand\nagentflow: 1\nname: Night\nagents:\n  - id: a\n    name: Early # a comment\n    zap: {kept: true}\n  - id: b\n`;

/** Real files of the browser, which keeps them in this page's own folder: only the dialog that a person answers is stood in for. */
const answerDialogs = (app: App, opens: string, savesTo = "copy.agentflow.yaml") =>
  app.page.evaluate(
    async ({ opens, savesTo }) => {
      const dir = await navigator.storage.getDirectory();
      Object.assign(window, {
        showOpenFilePicker: async () => [await dir.getFileHandle(opens)],
        showSaveFilePicker: () => dir.getFileHandle(savesTo, { create: true }),
      });
    },
    { opens, savesTo },
  );

const put = (app: App, name: string, content: string) =>
  app.page.evaluate(
    async ({ name, content }) => {
      const out = await (
        await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true })
      ).createWritable();
      await out.write(content);
      await out.close();
    },
    { name, content },
  );
const get = (app: App, name: string) =>
  app.page.evaluate(
    async (name) => (await (await (await navigator.storage.getDirectory()).getFileHandle(name)).getFile()).text(),
    name,
  );
const menu = (app: App) => app.button(/teams and actions$/).click();
const dialog = (app: App) => app.page.getByRole("dialog");

async function opened(app: App): Promise<void> {
  await put(app, file, text);
  await answerDialogs(app, file);
  await menu(app);
  await app.page.getByText("Open a team file…").click();
  await dialog(app).getByText("AgentFlow team file").waitFor();
  await app.button("Open as a new team").click();
  await until(
    "the team of the file",
    () => app.team(),
    (d) => d.topology.name === "Night",
  );
  await app.node("a").waitFor();
}

async function rename(app: App, name: string): Promise<void> {
  const d = await app.team();
  await app.hub.save(d.id, {
    ...d.topology,
    agents: d.topology.agents.map((a) => (a.id === "a" ? { ...a, name } : a)),
  });
  await app.node("a").getByText(name).waitFor();
}

describe("recent files", () => {
  test("APP-1 GW-7 Ctrl+S saves to the file a team came from, with its comments and unknown keys; Ctrl+Shift+S to another", async ({
    open,
  }) => {
    const app = await open();
    await opened(app);
    await rename(app, "遅番");
    await app.page.keyboard.press("Control+s");
    const saved = await until(
      "the file to hold the new name",
      () => get(app, file),
      (s) => s.includes("遅番"),
    );
    for (const kept of ["# ours, by hand", "# a comment", "zap: {kept: true}"]) expect(saved).toContain(kept);

    await rename(app, "Third");
    await app.page.keyboard.press("Control+Shift+S");
    await until(
      "the other file",
      () => get(app, "copy.agentflow.yaml").catch(() => ""),
      (s) => s.includes("Third"),
    );
    expect(await get(app, file)).toBe(saved);
    await menu(app);
    await app.page.getByText("Save to copy.agentflow.yaml").waitFor();
    await app.page.keyboard.press("Escape");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a file that is dropped is one of the recent ones, and is what its team is saved to", async ({ open }) => {
    const app = await open(),
      where = path.join(app.hub.data, file);
    writeFileSync(where, text);
    const cdp = await app.context.newCDPSession(app.page);
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await cdp.send("Input.dispatchDragEvent", {
        type,
        x: 500,
        y: 400,
        data: { items: [], files: [where], dragOperationsMask: 1 },
      });
    await dialog(app).getByText("AgentFlow team file").waitFor();
    await app.button("Open as a new team").click();
    await app.node("a").waitFor();
    await menu(app);
    await app.page.getByText(`Save to ${file}`).waitFor();
    await app.page.getByText("Open recent").click();
    await app.page.getByRole("option", { name: new RegExp(file) }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a file that another program changed is not written over without asking", async ({ open }) => {
    const app = await open();
    await opened(app);
    await put(app, file, text.replace("Early", "Elsewhere, and longer"));
    await rename(app, "Mine");
    await app.page.keyboard.press("Control+s");
    await app.page.getByRole("alert").filter({ hasText: "Another program changed" }).waitFor();
    expect(await get(app, file)).toContain("Elsewhere");
    await app.button("Overwrite").click();
    await until(
      "the file to hold what is drawn",
      () => get(app, file),
      (s) => s.includes("Mine") && !s.includes("Elsewhere"),
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 recent files are in the menu, New and the palette after a reload; a missing one gets an error", async ({
    open,
  }) => {
    const app = await open();
    await opened(app);
    await app.page.reload();
    await app.ready();
    await menu(app);
    await app.page.getByText("Open recent").click();
    await app.page.getByRole("option", { name: new RegExp(file) }).click();
    await dialog(app).getByText("2 agents · 0 connections").waitFor();
    await app.page.keyboard.press("Escape");
    await dialog(app).waitFor({ state: "detached" });
    await app.run("night.agentflow");
    await dialog(app).getByText("AgentFlow team file").waitFor();
    await app.page.keyboard.press("Escape");
    await dialog(app).waitFor({ state: "detached" });

    await app.page.evaluate(async (name) => {
      await (await navigator.storage.getDirectory()).removeEntry(name);
    }, file);
    await menu(app);
    await app.page.getByText("New team…").click();
    await dialog(app)
      .getByRole("button", { name: new RegExp(file) })
      .click();
    await app.page.getByRole("alert").filter({ hasText: "Couldn't find" }).waitFor();
    await app.button("Remove from the list").click();
    await menu(app);
    await until(
      "no recent files",
      () => app.page.getByText("Open recent").count(),
      (n) => n === 0,
    );
    expect(app.complaints).toEqual([]);
  });
});
