import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { submit } from "./team.ts";

/** Opens the palette; at its first time it is fetched. */
const call = async (app: App) => {
  await app.page.keyboard.press("Control+k");
  await until(
    "the palette's field",
    () => app.page.evaluate(() => document.activeElement?.matches("[cmdk-input]") ?? false),
    (ready) => ready,
  );
};
const ask = async (app: App, words: string) => {
  await call(app);
  await app.page.keyboard.insertText(words);
};
const rows = (app: App) => app.page.locator("[cmdk-item]");
const first = (app: App) => app.page.locator("[cmdk-item][aria-selected=true]");
const openId = async (app: App) => (await app.team()).id;

describe("the palette", () => {
  test("APP-1 what is typed while the palette or the team's menu is still on its way stands in it, and does nothing to the team", async ({
    open,
  }) => {
    const app = await open();
    for (const { part, ask, field } of [
      { part: /\/assets\/Palette-.*\.js$/, ask: () => app.page.keyboard.press("Control+k"), field: "[cmdk-input]" },
      {
        part: /\/assets\/TeamMenuPopover-.*\.js$/,
        ask: () => app.button(/teams and actions$/).click(),
        field: ".menu [cmdk-input]",
      },
    ]) {
      let held = true;
      const waiting: (() => void)[] = [];
      await app.page.route(part, async (route) => {
        if (held)
          await new Promise<void>((go) => {
            waiting.push(go);
          });
        await route.continue();
      });
      await app.page.reload();
      await app.ready();
      const before = await app.team();
      await app.node("lead").click();
      await ask();
      await until(
        "the part to be asked for",
        () => waiting.length,
        (n) => n > 0,
      );
      await app.page.keyboard.type("an");
      await app.page.keyboard.press("Backspace");
      await app.page.keyboard.type("rch");
      held = false;
      for (const go of waiting) go();
      await until(
        "what was typed",
        () => app.page.locator(field).inputValue(),
        (v) => v === "arch",
      );
      await app.page.keyboard.type("i");
      await until(
        "the rest",
        () => app.page.locator(field).inputValue(),
        (v) => v === "archi",
      );
      expect((await app.team()).head).toBe(before.head);
      await app.page.keyboard.press("Escape");
      await app.page.unroute(part);
    }
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 finds agents by parts of words, connections, groups, versions, templates, gateways and settings", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        const [d] = await hub.teams(),
          one = await hub.team(d!.id);
        await hub.ask("PATCH", `/api/teams/${d!.id}/versions/${one.head}`, { name: "Before the release" });
        await hub.save(
          d!.id,
          { ...one.topology, groups: [{ id: "g", name: "Desk", color: 3, members: ["writer", "researcher"] }] },
          "edit.group|Desk",
        );
      },
    });
    await ask(app, "rvwr");
    await until(
      "the reviewer",
      () => first(app).textContent(),
      (v) => !!v?.includes("Reviewer"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "it is chosen",
      () => app.node("reviewer").getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );

    for (const [words, found] of [
      ["lead writ", "Lead → Writer"],
      ["desk", "Desk"],
      ["before the rel", "Before the release"],
      ["research team", "Research team"],
      ["built-in gateway", "Built-in gateway"],
      ["language", "Language and appearance"],
    ] as const) {
      await ask(app, words);
      await rows(app).filter({ hasText: found }).first().waitFor();
      await app.page.keyboard.press("Escape");
    }
    await ask(app, "Review board");
    await until(
      "the template",
      () => first(app).textContent(),
      (v) => !!v?.includes("Review board"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "a team from the template",
      () => app.team(),
      (d) => d.name === "Review board" && d.topology.agents.length === 5,
    );
    await ask(app, "About and");
    await until(
      "the settings' part",
      () => first(app).textContent(),
      (v) => !!v?.includes("About and diagnostics"),
    );
    await app.page.keyboard.press("Enter");
    await app.page.getByRole("heading", { level: 1, name: "About and diagnostics" }).waitFor();
    await until(
      "the focus at the head of the part",
      () => app.page.evaluate(() => document.activeElement?.textContent),
      (v) => v === "About and diagnostics",
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a command shows its key; what was used lately comes first", async ({ open }) => {
    const app = await open();
    await ask(app, ">select all");
    await until(
      "the command",
      () => first(app).textContent(),
      (v) => !!v?.includes("Ctrl+A"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "all chosen",
      () => app.page.locator(".react-flow__node-agent.selected").count(),
      (n) => n === 5,
    );
    await call(app);
    await until(
      "what was used lately",
      () => first(app).textContent(),
      (v) => !!v?.includes("Select all"),
    );
  });

  test("APP-1 finds each part of the settings by its synonyms, rooms and tasks, in either language", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        const [team] = await hub.teams();
        await hub.ask("POST", "/api/rooms", { name: "会議", team: team!.id, agents: ["writer"] });
        await submit(hub, "Compare the third shell");
      },
    });
    for (const language of ["en", "ja"] as const) {
      if (language === "ja") {
        await app.hub.changeSettings({ language });
        await app.page.locator("html[lang=ja]").waitFor();
      }
      const says = (en: string, ja: string) => (language === "en" ? en : ja);
      for (const [words, found] of [
        ["backup", says("Settings: data and backups", "設定：データとバックアップ")],
        ["バックアップ", says("Settings: data and backups", "設定：データとバックアップ")],
        ["audit log", says("Settings: security", "設定：セキュリティ")],
        ["token", says("Settings: security", "設定：セキュリティ")],
        ["サインイン", says("Settings: security", "設定：セキュリティ")],
        ["trust", says("Settings: trust", "設定：チームの許可")],
        ["prompts", says("Settings: model calls", "設定：モデルの呼び出し")],
        ["a2a", says("Settings: agents", "設定：エージェント")],
        ["hotkeys", says("Settings: keyboard shortcuts", "設定：キーボードショートカット")],
        ["会議", "会議"],
        ["THIRD shell", "Compare the third shell"],
      ] as const) {
        await ask(app, words);
        await rows(app).filter({ hasText: found }).first().waitFor();
        await app.page.keyboard.press("Escape");
      }
    }
    await ask(app, "third shell");
    await until(
      "the task",
      () => first(app).textContent(),
      (v) => !!v?.includes("third shell"),
    );
    await app.page.keyboard.press("Enter");
    await app.page.getByRole("heading", { name: "Compare the third shell" }).first().waitFor();
    await ask(app, "会議");
    await until(
      "the room",
      () => first(app).textContent(),
      (v) => !!v?.includes("会議"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "its address",
      () => decodeURIComponent(app.page.url()),
      (url) => url.includes("会議"),
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a review of nothing is shown with the reason, and Enter doesn't run it", async ({ open }) => {
    const app = await open();
    await ask(app, "review changes");
    const row = rows(app).filter({ hasText: "Review changes" });
    await row.getByText("Nothing to review").waitFor();
    expect(await row.getAttribute("aria-disabled")).toBe("true");
    await app.page.keyboard.press("Enter");
    await app.page.getByRole("dialog").waitFor();
  });

  test("APP-1 Japanese is found in either kana, and Enter of an input method picks nothing", async ({ open }) => {
    const app = await open({ language: "ja" });
    const before = await openId(app);
    await call(app);
    await app.compose("りさーち");
    await app.page.keyboard.press("Enter");
    await app.page.getByRole("dialog").waitFor();
    await app.commit("りさーち");
    await until(
      "the researcher",
      () => first(app).textContent(),
      (v) => !!v?.includes("リサーチャー"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "it is chosen",
      () => app.node("researcher").getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
    expect(await openId(app)).toBe(before);
  });

  test("APP-1 among 5,000 agents the wanted one is found, few rows are rendered, and the rest is counted", async ({
    open,
  }) => {
    let large = "";
    const app = await open({
      seed: async (hub) => {
        const [shown] = await hub.teams();
        const agents = Array.from({ length: 5000 }, (_, i) => ({
          id: `a-${i}`,
          name: `担当 ${i}`,
          model: "openai/gpt-5-mini",
        }));
        large = (
          await hub.ask<{ id: string }>("POST", "/api/teams", {
            topology: {
              name: "Large",
              agents,
              layout: Object.fromEntries(
                agents.map((a, i) => [a.id, { x: (i % 70) * 200, y: Math.floor(i / 70) * 100 }]),
              ),
            },
          })
        ).id;
        await hub.ask("PATCH", `/api/teams/${shown!.id}`, { name: "Shown first" });
      },
    });
    await app.page.evaluate((id) => localStorage.setItem("agentflow.team", id), large);
    await app.go("settings");
    await app.page.reload();
    await app.page.getByRole("article").first().waitFor();
    await until(
      "the large one",
      async () => {
        await app.page.keyboard.press("Control+k");
        await app.page.keyboard.insertText("担当 1");
        const n = await rows(app).count();
        await app.page.keyboard.press("Escape");
        return n;
      },
      (n) => n > 3,
      60_000,
    );
    await ask(app, "担当");
    await app.page.getByText("4,992 more").or(app.page.getByText("4992 more")).first().waitFor();
    expect(await rows(app).count()).toBeLessThan(60);
    await app.page.getByText(/4,?992 more/).click();
    await app.page.getByText(/4,?800 more: type to narrow it down/).waitFor();
    await app.page.keyboard.press("Control+a");
    await app.page.keyboard.insertText("担当 4321");
    await until(
      "that one",
      () => first(app).textContent(),
      (v) => !!v?.includes("担当 4321"),
    );
    await app.page.keyboard.press("Enter");
    await until(
      "it is in view",
      () => app.node("a-4321").getAttribute("class", { timeout: 1000 }),
      (c) => !!c?.includes("selected"),
      60_000,
    );
  }, 240_000);
});
