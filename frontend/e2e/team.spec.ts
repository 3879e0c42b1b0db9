import { readFile } from "node:fs/promises";
import { describe } from "vitest";
import type { Topology } from "../src/topology/types.ts";
import { Hub, type ConfigAgent } from "./hub.ts";
import { expect, test, until, type App } from "./app.ts";

const menu = (app: App) => app.button(/teams and actions$/);

/** A browser that cannot hold on to files, as Firefox and WebKit: one downloads and uploads. */
const withoutFiles = (app: App) =>
  app.page.evaluate(() => {
    Object.assign(window, { showOpenFilePicker: undefined, showSaveFilePicker: undefined });
  });

async function openId(app: App): Promise<string> {
  return (await app.team()).id;
}

describe("team files", () => {
  test("APP-3 GW-7 a team saved as a team file and opened again is the same, without secrets", async ({ open }) => {
    const app = await open();
    await withoutFiles(app);
    const first = await openId(app);
    const before = await app.team();
    const strange: Topology = {
      ...before.topology,
      agents: before.topology.agents.map((a) =>
        a.id === "writer"
          ? { ...a, connections: [{ targetId: "lead", type: "mentoring" }], tools: { allow: ["web_search"] } }
          : a,
      ),
    };
    await app.hub.save(first, strange);
    await app.kept("the strange connection", (d) =>
      d.topology.agents.some((a) => a.connections?.some((c) => c.type === "mentoring")),
    );
    await until(
      "the page to show it",
      () => app.page.locator(".react-flow__edge .edge--unknown").count(),
      (n) => n === 1,
    );

    await menu(app).click();
    const [file] = await Promise.all([
      app.page.waitForEvent("download"),
      app.page.getByText("Save as team file…").click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.agentflow\.yaml$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain("agentflow: 1");
    expect(text).not.toContain(app.hub.token);

    await menu(app).click();
    expect(await app.page.getByText("Open recent").count()).toBe(0);
    const [chooser] = await Promise.all([
      app.page.waitForEvent("filechooser"),
      app.page.getByText("Open a team file…").click(),
    ]);
    await chooser.setFiles({ name: "opened.agentflow.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) });
    await app.page.getByRole("dialog").getByText("AgentFlow team file").waitFor();
    expect(await openId(app)).toBe(first);
    await app.button("Open as a new team").click();
    const second = await until(
      "another team",
      () => openId(app),
      (id) => id !== first,
    );
    const [a, b] = [await app.hub.team(first), await app.hub.team(second)];
    expect(b.topology.agents).toEqual(a.topology.agents);
    expect(b.topology.layout).toEqual(a.topology.layout);
    expect(b.topology.notes).toEqual(a.topology.notes);
    await app.node("lead").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 a file that is no team is refused with its place, and nothing is left behind", async ({ open }) => {
    const app = await open();
    await withoutFiles(app);
    const before = (await app.hub.teams()).map((d) => d.id);
    await menu(app).click();
    const [chooser] = await Promise.all([
      app.page.waitForEvent("filechooser"),
      app.page.getByText("Open a team file…").click(),
    ]);
    await chooser.setFiles({
      name: "broken.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from("agentflow: 1\nagents:\n  - id: [\n"),
    });
    await app.page
      .getByRole("dialog")
      .getByRole("alert")
      .filter({ hasText: "Couldn't open the team file." })
      .filter({ hasText: "broken.yaml:4" })
      .waitFor();
    expect(await app.button("Open as a new team").isDisabled()).toBe(true);
    await app.page.keyboard.press("Escape");
    await until(
      "no team more than before",
      () => app.hub.teams().then((l) => l.map((d) => d.id)),
      (ids) => JSON.stringify(ids) === JSON.stringify(before),
    );
    await app.node("lead").waitFor();
  });
});

describe("gateways", () => {
  test("APP-3 GW-1 GW-2 one AgentFlow draws another: added in the settings, imported, edited, applied there", async ({
    open,
  }) => {
    const other = await Hub.start();
    try {
      const app = await open({
        seed: async (hub) => {
          await hub.changeConfig((c) => {
            (c.agents as Record<string, ConfigAgent>).lead!.name = "Nearby";
          });
        },
      });
      const here = await app.hub.config();
      await app.go("settings");
      await app.button("Add gateway").click();
      const dialog = app.page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Studio");
      await dialog.getByLabel("URL").fill(`ws://127.0.0.1:${other.port}/gateway`);
      await dialog.getByLabel("Token").fill("not the token");
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText(/The token was rejected/).waitFor();
      await dialog.getByLabel("Token").fill(other.token);
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText(/Connected in/).waitFor();
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      const card = app.page.getByRole("article", { name: "Studio" });
      await card.getByText("Connected").waitFor();
      await card.getByText("JSON-RPC 2.0").waitFor();

      const first = await openId(app);
      await app.go("canvas");
      await menu(app).click();
      await app.page.getByText("Import from a gateway…").click();
      await app.page.getByRole("radio", { name: /^Studio/ }).click();
      await app.button("Import").click();
      await until(
        "the other team as a new team",
        () => openId(app),
        (id) => id !== first,
      );
      await app.ready();
      await app.node("writer").click();
      await app.field("Name").fill("Over there");
      await app.kept("the name", (d) => d.unsent === 1 && d.gateway === "Studio");
      await app.button("Review Ctrl+Enter").click();
      await app.button(/^Apply 1 change/).click();
      await app.page.getByText("Applied 1 change to Studio").first().waitFor();

      expect(((await other.config()).agents as Record<string, ConfigAgent>).writer?.name).toBe("Over there");
      expect(await app.hub.config()).toEqual(here);
      const said = await app.hub.ask("GET", "/api/gateways");
      expect(JSON.stringify(said)).not.toContain(other.token);
      expect(app.complained(/Failed to load resource/)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test("GW-1 a gateway that goes away is said so, and is used again when it is back", async ({ open }) => {
    const other = await Hub.start();
    try {
      const app = await open({
        seed: async (hub) => {
          await hub.ask("POST", "/api/gateways", {
            name: "Studio",
            url: `ws://127.0.0.1:${other.port}/gateway`,
            token: other.token,
          });
        },
      });
      await app.go("settings");
      const card = app.page.getByRole("article", { name: "Studio" });
      await card.getByText("Connected").waitFor();
      await other.kill();
      await card.getByText("Connected").waitFor({ state: "detached" });
      await card.getByText(/^(Not responding yet|Unreachable)$/).waitFor();
      await other.restart();
      await card.getByRole("button", { name: "Retry connection" }).click();
      await card.getByText("Connected").waitFor();
    } finally {
      await other.stop();
    }
  });
});

describe("a gateway that fails", () => {
  test("APP-3 GW-8 the gateway is lost before the apply: the page shows it, keeps the team, and applies it later", async ({
    open,
  }) => {
    const other = await Hub.start();
    try {
      const app = await open({
        seed: async (hub) => {
          await hub.ask("POST", "/api/gateways", {
            name: "Studio",
            url: `ws://127.0.0.1:${other.port}/gateway`,
            token: other.token,
          });
          await until(
            "the link",
            () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
            (r) => r.gateways.some((g) => g.name === "Studio" && g.state === "connected"),
          );
          await hub.ask("POST", "/api/teams", { import: "Studio" });
        },
      });
      await app.node("writer").click();
      await app.field("Name").fill("Editor");
      await app.kept("the name", (d) => d.gateway === "Studio" && d.unsent === 1);
      await app.button("Review Ctrl+Enter").click();
      const apply = app.button(/^Apply 1 change/);
      await until("the apply to be offered", () => apply.isEnabled());
      await other.kill();
      await apply.click();
      const said = app.page.getByRole("alert").filter({ hasText: "isn't responding" });
      await said.first().waitFor();
      const d = await app.team();
      expect([d.unsent, d.topology.agents.find((a) => a.id === "writer")?.name]).toEqual([1, "Editor"]);

      await other.restart();
      expect(((await other.config()).agents as Record<string, ConfigAgent>).writer?.name).toBe("Writer");
      await until(
        "the link to be back",
        () => app.hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
        (r) => r.gateways.some((g) => g.name === "Studio" && g.state === "connected"),
        30_000,
      );
      await until("the apply to be offered again", () => apply.isEnabled());
      await apply.click();
      await app.page.getByText("Applied 1 change to Studio").first().waitFor();
      expect(((await other.config()).agents as Record<string, ConfigAgent>).writer?.name).toBe("Editor");
    } finally {
      await other.stop();
    }
  });
});

describe("history", () => {
  test("APP-5 every version is kept; an earlier one is restored, and that can be undone", async ({ open }) => {
    const app = await open();
    const start = await app.team();
    await app.node("writer").click();
    await app.page.keyboard.press("Delete");
    await app.kept("one agent less", (d) => d.topology.agents.length === 4);
    await app.wire("lead", "r", "backend");
    await app.button(/^Delegate/).click();
    const drawn = await app.kept("the connection", (d) =>
      d.changes.some((c) => c.op === "added" && c.subject === "connection"),
    );
    await app.go("history");
    await app.page
      .getByText(/^Imported from /)
      .first()
      .click();
    await app.button("Restore as draft").click();
    await app.kept("the team of the beginning", (d) => JSON.stringify(d.topology) === JSON.stringify(start.topology));
    await app.go("canvas");
    await app.node("writer").waitFor();
    await app.button(/^Undo: Restored/).click();
    await app.kept("what was drawn", (d) => JSON.stringify(d.topology) === JSON.stringify(drawn.topology));
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 a config that was kept is brought back from the history; the team follows", async ({ open }) => {
    const app = await open();
    const start = await app.hub.config();
    await app.node("writer").click();
    await app.field("Name").fill("Editor");
    await app.kept("the name", (d) => d.unsent === 1);
    await app.hub.apply(await openId(app));
    await app.go("history");
    await app.page.getByRole("radio", { name: "Gateway" }).click();
    await app.page
      .getByRole("button", { name: /^Before an apply/ })
      .first()
      .click();
    await app.button("Roll back to this…").click();
    await app.page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await until(
      "the config as it was",
      () => app.hub.config(),
      (c) => JSON.stringify(c) === JSON.stringify(start),
    );
    await app.kept(
      "the team to follow",
      (d) => d.unsent === 0 && d.topology.agents.find((a) => a.id === "writer")?.name === "Writer",
    );
    expect(app.complaints).toEqual([]);
  });
});

describe("teams", () => {
  test("APP-5 a deleted team is brought back by the toast", async ({ open }) => {
    const app = await open();
    const first = await openId(app);
    await menu(app).click();
    await app.page.getByText("Duplicate", { exact: true }).click();
    const copy = await until(
      "the copy",
      () => openId(app),
      (id) => id !== first,
    );
    expect((await app.hub.team(copy)).topology.agents).toEqual((await app.hub.team(first)).topology.agents);
    await menu(app).click();
    await app.page.getByText("Delete", { exact: true }).click();
    await until(
      "one team",
      () => app.hub.teams(),
      (l) => l.length === 1,
    );
    const toast = app.page.getByRole("status").filter({ hasText: "deleted" });
    await toast.getByRole("button", { name: "Undo" }).click();
    await until(
      "both teams",
      () => app.hub.teams(),
      (l) => l.length === 2,
    );
    await until(
      "the copy to be open",
      () => openId(app),
      (id) => id === copy,
    );
  });

  test("APP-1 Ctrl+K finds an agent and shows it", async ({ open }) => {
    const app = await open();
    await app.run("revie");
    await until(
      "the reviewer to be selected",
      () =>
        app.page.locator(".react-flow__node.selected").evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.id)),
      (ids) => ids.join() === "reviewer",
    );
  });
});

describe("secrets", () => {
  test("APP-2 the token is in no storage and no address of the page, and the link works once", async ({ open }) => {
    const app = await open();
    await app.go("settings");
    await app.go("history");
    await app.go("canvas");
    const stored = await app.page.evaluate(async () =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        await indexedDB.databases(),
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        history.state,
        ...(await caches.keys()),
      ]),
    );
    expect(stored).not.toContain(app.hub.token);
    expect(app.asked.filter((u) => u.includes(app.hub.token))).toEqual([]);
    expect(app.page.url()).not.toContain("open");
    const cookies = await app.context.cookies();
    expect(cookies.map((c) => [c.httpOnly, c.sameSite])).toEqual([[true, "Strict"]]);
    expect(cookies[0]?.value).not.toContain(app.hub.token);
    expect((await fetch(app.hub.link, { redirect: "manual" })).status).toBe(403);
    expect((await fetch(`${app.hub.url}/api/teams`)).status).toBe(401);
  });
});
