import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import type { Hub } from "./hub.ts";

const rows = (app: App) => app.page.locator("[data-version]");
const openRow = (app: App, at: number) => rows(app).nth(at).locator("[data-row]").click();
const marked = (app: App, mark: string, n: number) =>
  until(
    `${n} agents with the mark ${mark}`,
    () => app.page.locator(`.react-flow__node .mark--${mark}`).count(),
    (is) => is === n,
  );
const rollbackChanges = (app: App) => app.page.getByRole("region", { name: "What a rollback would change" });
/** Where two agents are on the canvas that nobody changes. */
const places = (app: App) =>
  app.page
    .locator(".react-flow__node")
    .evaluateAll((l) =>
      (l as HTMLElement[])
        .filter((e) => e.dataset.id === "lead" || e.dataset.id === "reviewer")
        .map((e) => `${e.dataset.id ?? ""} ${e.style.transform}`),
    );

/** Somebody else renames the writer, and later deletes it and sets something that no team has. */
async function twice(hub: Hub): Promise<void> {
  const kept = () =>
    hub.ask<{ snapshots: { hash: string }[] }>("GET", "/api/gateways/local/snapshots").then((r) => r.snapshots.length);
  const change = async (edit: Parameters<Hub["changeConfig"]>[0]) => {
    const before = await kept();
    await hub.changeConfig(edit);
    await until("the snapshot", kept, (n) => n > before);
  };
  await change((c) => {
    (c.agents as Record<string, { name?: string }>).writer!.name = "Editor";
  });
  await change((c) => {
    delete (c.agents as Record<string, unknown>).writer;
    c.logging = { level: "debug" };
  });
}

const gatewayTab = async (app: App, name: string) => {
  await app.go("history");
  await app.page.getByRole("radio", { name }).click();
  await rows(app).nth(2).waitFor();
};

describe("snapshots of a gateway", () => {
  test("OC-4 any two are compared on the canvas, with the layout of the team", async ({ open }) => {
    const app = await open({ seed: twice });
    const drawn = await places(app);
    await gatewayTab(app, "Gateway");
    await app.page.getByText("1 removed").waitFor();
    await marked(app, "del", 1);
    expect(drawn).toHaveLength(2);
    expect(await places(app)).toEqual(drawn);
    await app.page.getByText("1 setting outside the canvas differs").click();
    await app.page.getByText("logging", { exact: true }).waitFor();

    await openRow(app, 1);
    await app.page.getByText("1 changed").waitFor();
    await marked(app, "chg", 1);
    await rollbackChanges(app).getByText("Writer · Writer · echo").waitFor();

    const first = rows(app).last();
    await first.hover();
    await first.getByRole("button", { name: "Compare from here" }).click();
    await openRow(app, 0);
    await marked(app, "del", 1);
    await app.button("Swap A and B").click();
    await app.page.getByText("1 added").waitFor();
    await marked(app, "add", 1);
    expect(await violations(app)).toEqual([]);
    await app.button("Compare with the previous snapshot again").click();
    await app.button("Swap A and B").waitFor({ state: "detached" });

    await rows(app).first().locator("[data-row]").focus();
    await app.page.keyboard.press("ArrowDown");
    await app.page.getByText("1 changed").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("OC-4 on a phone, in Japanese and in the dark", async ({ open }) => {
    const app = await open({
      seed: twice,
      language: "ja",
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await gatewayTab(app, "ゲートウェイ");
    expect(await violations(app)).toEqual([]);
    await rows(app).last().getByRole("button", { name: "ここから比較" }).click();
    await openRow(app, 0);
    await marked(app, "del", 1);
    expect(await violations(app)).toEqual([]);
    await app.button("AとBを入れ替え").click();
    await marked(app, "add", 1);
    await app.button("一覧に戻る").click();
    await rows(app).first().waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("OC-4 one that can't be read appears in words", async ({ open }) => {
    const app = await open({ seed: twice, breaks: true });
    const answer = { error: { code: "VALIDATION_ERROR", message: "broken", details: { reason: "config_broken" } } };
    await app.page.route("**/api/gateways/local/snapshots/*", (r) => r.fulfill({ status: 400, json: answer }));
    await gatewayTab(app, "Gateway");
    await app.page.getByText("The saved config can't be read, so it isn't shown as a team.").waitFor();
    await app.page.getByText("Fingerprint").waitFor();
    await openRow(app, 1);
    await rollbackChanges(app).getByText("Writer · Writer · echo").waitFor();
    expect(await violations(app)).toEqual([]);
  });

  test("APP-3 a rollback names the agents added since then, and deletes them", async ({ open }) => {
    const app = await open();
    const start = await app.hub.config();
    const { id } = await app.team();
    const { topology } = await app.hub.team(id);
    await app.hub.save(id, {
      ...topology,
      agents: [...topology.agents, { id: "late", name: "Latecomer", model: topology.agents[0]!.model }],
    });
    await app.hub.apply(id);
    await app.go("history");
    await app.page.getByRole("radio", { name: "Gateway" }).click();
    await app.page
      .getByRole("button", { name: /^Before an apply/ })
      .first()
      .click();
    await app.page.getByRole("region", { name: "What a rollback would change" }).getByText("Latecomer").waitFor();
    await app.button("Roll back to this…").click();
    const dialog = app.page.getByRole("dialog");
    await dialog.getByText("This agent was added since then and will be deleted: Latecomer.").waitFor();
    // The gateway changes while the dialog is open: nothing is sent, and the dialog has what it would do now.
    const now = await app.hub.team(id);
    await app.hub.save(id, {
      ...now.topology,
      agents: [...now.topology.agents, { id: "later", name: "Later still", model: topology.agents[0]!.model }],
    });
    await app.hub.apply(id);
    await dialog.getByRole("button", { name: "Roll back and delete 1 agent" }).click();
    await dialog.getByText(/The gateway changed in the meantime, so nothing was sent/).waitFor();
    await dialog.getByRole("button", { name: "Roll back and delete 2 agents" }).click();
    await until(
      "the config as it was",
      () => app.hub.config(),
      (c) => JSON.stringify(c) === JSON.stringify(start),
    );
    await app.kept("the team to follow", (d) => !d.topology.agents.some((a) => a.id === "late"));
  });
});
