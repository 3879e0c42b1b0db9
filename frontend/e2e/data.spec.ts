import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

const openData = async (app: App, title = "Data") => {
  await app.go("settings");
  await app.page.getByRole("navigation").getByRole("button", { name: title, exact: true }).click();
};
const names = async (app: App) => (await app.hub.teams()).map((d) => d.name).sort();
const choose = async (app: App, file: string) => {
  const [chooser] = await Promise.all([
    app.page.waitForEvent("filechooser"),
    app.page.getByRole("button", { name: "Restore a backup…" }).click(),
  ]);
  await chooser.setFiles(file);
};
const data = <T>(app: App): Promise<T> => app.hub.ask<T>("GET", "/api/data");

/** Puts the database back as it would be had all of it been made in 2025: days have the same length everywhere. */
async function makeOld(app: App): Promise<void> {
  const headers = { Authorization: `Bearer ${app.hub.token}`, "Content-Type": "application/octet-stream" };
  const saved = Buffer.from(await (await fetch(`${app.hub.url}/api/data/backup`, { headers })).arrayBuffer()).toString(
    "latin1",
  );
  const old = Buffer.from(saved.replace(/20(?!25)\d\d-\d\d-\d\d (?=\d\d:\d\d:\d\d)/g, "2025-01-01 "), "latin1");
  expect((await fetch(`${app.hub.url}/api/data/staged`, { method: "POST", headers, body: old })).status).toBe(200);
  const { round } = await app.hub.ask<{ round: string }>("POST", "/api/data/restore");
  await until(
    "the hub to restart",
    () => data<{ round: string }>(app),
    (d) => d.round !== round,
  );
}

describe("the data", () => {
  test("APP-5: a backup is saved, much changes, the backup is restored, and the hub is as it was", async ({ open }) => {
    const app = await open({ seed: (hub) => hub.ask("POST", "/api/teams", { name: "Alpha", template: "pair" }) });
    const before = await names(app);
    await openData(app);
    await app.page.getByRole("row", { name: /^Teams 2/ }).waitFor();
    const [download] = await Promise.all([
      app.page.waitForEvent("download"),
      app.page.getByRole("button", { name: "Save a backup" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^agentflow-\d{8}-\d{4}\.db$/);
    const backup = path.join(app.hub.data, "kept-by-the-test.db");
    await download.saveAs(backup);
    expect(readFileSync(backup).subarray(0, 15).toString()).toBe("SQLite format 3");
    await app.page.getByText(/Backup saved: agentflow-/).waitFor();

    for (const d of await app.hub.teams())
      await app.hub.ask("PATCH", `/api/teams/${d.id}`, { name: `${d.name} changed` });
    await app.hub.ask("POST", "/api/teams", { name: "Later", template: "hub" });
    expect(await names(app)).toHaveLength(3);

    await choose(app, backup);
    const dialog = app.page.getByRole("dialog", { name: "Replace everything with this backup?" });
    await dialog.getByRole("row", { name: /^Teams 2/ }).waitFor();
    await dialog.getByRole("button", { name: "Keep current data" }).click();
    expect(await names(app)).toHaveLength(3);

    await choose(app, backup);
    const { round } = await data<{ round: string }>(app);
    await dialog.getByRole("button", { name: "Replace everything" }).click();
    const kept =
      /agentflow-before-restore-[\d-]+\.db/.exec(
        await app.page.getByText(/The backup was restored\./).innerText(),
      )?.[0] ?? "";
    expect(readFileSync(path.join(app.hub.data, kept)).length).toBeGreaterThan(0);
    expect((await data<{ round: string }>(app)).round).not.toBe(round);
    expect(await names(app)).toEqual(before);
    await app.page.getByRole("button", { name: "Open", exact: true }).click();
    await app.page.waitForLoadState();
    await app.go("teams");
    await app.page.getByRole("article", { name: "Alpha", exact: true }).waitFor();
    await app.hub.kill();
    await app.hub.restart();
    expect(await names(app)).toEqual(before);
  });

  test("APP-5: a file that is no backup is refused, with the reason, and nothing changes", async ({ open }) => {
    const app = await open();
    const before = await names(app),
      rubbish = path.join(app.hub.data, "rubbish.db");
    writeFileSync(rubbish, "hello, this is no database at all");
    await openData(app);
    await choose(app, rubbish);
    await app.page.getByText("This isn't an AgentFlow backup. Choose one that was saved by AgentFlow.").waitFor();
    expect(await names(app)).toEqual(before);
    expect(app.complaints.filter((c) => !c.includes("400"))).toEqual([]);
    app.complaints.length = 0;
  });

  test("APP-5: a clean-up shows what goes before it goes, and leaves what has a name", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    for (let i = 0; i < 40; i++) await app.hub.ask("PATCH", `/api/teams/${id}`, { name: `Team ${i}` });
    const all = () =>
      app.hub
        .ask<{ versions: { id: string; name?: string }[] }>("GET", `/api/teams/${id}/versions?limit=200`)
        .then((r) => r.versions);
    const named = (await all())[35]?.id ?? "";
    await app.hub.ask("PATCH", `/api/teams/${id}/versions/${named}`, { name: "The first plan" });
    await openData(app);
    await app.page.getByText("Nothing is that old. There's nothing to clean up.").waitFor();
    expect(await app.page.getByRole("button", { name: "Remove for good" }).isDisabled()).toBe(true);

    await makeOld(app);
    await app.page.reload();
    await openData(app);
    await app.page.getByLabel("Keep at least").click();
    await app.page.getByRole("option", { name: "the newest 20 of each team" }).click();
    const had = (await all()).length;
    const said = await app.page.getByText(/versions? and .* will be removed/).innerText();
    const going = Number(/^(\d+) versions?/.exec(said)?.[1]);
    expect(going).toBeGreaterThan(10);
    await app.page.getByRole("button", { name: "Remove for good" }).click();
    await app.page.getByRole("dialog").getByRole("button", { name: "Remove for good" }).click();
    await app.page.getByText(new RegExp(`^Removed ${going} versions`)).waitFor();
    const left = await all();
    expect(left.length).toBe(had - going);
    expect(left.map((v) => v.name).filter(Boolean)).toEqual(["The first plan"]);
    await until(
      "nothing more to go",
      () => app.page.getByText("Nothing is that old. There's nothing to clean up.").count(),
      (n) => n === 1,
    );
    expect(app.complaints).toEqual([]);
  });
});
