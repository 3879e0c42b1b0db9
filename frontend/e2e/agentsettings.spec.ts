import { describe } from "vitest";
import { violations } from "./axe.ts";
import { agents, extraOf, opened, raw, rawText, REDACTED } from "./agentSettings.ts";
import { expect, test, until, type App } from "./app.ts";
import type { FakeGateway } from "./fakeGateway.ts";

const search = (app: App) => app.page.getByRole("searchbox", { name: "Search settings" });
const row = (app: App, path: string) => app.page.locator(`[data-setting="${path}"]`);

/** Finds a setting by words, and returns its row. */
async function find(app: App, words: string, path: string) {
  await search(app).fill(words);
  await row(app, path).waitFor();
  return row(app, path);
}

async function pick(app: App, path: string, option: string): Promise<void> {
  await row(app, path).getByRole("combobox").click();
  await app.page.getByRole("option", { name: option, exact: true }).click();
}

async function apply(app: App, gateway: FakeGateway, ok: (main: Record<string, unknown>) => boolean): Promise<void> {
  await app.button("Review Ctrl+Enter").click();
  await app.button(/^Apply 1 change/).click();
  await app.page
    .getByText(/^Applied 1 change/)
    .first()
    .waitFor();
  await until(
    "the gateway's config",
    () => gateway.config.agents.entries.main ?? {},
    (main) => ok(main),
  );
}

describe("all settings of an agent", () => {
  test("OC-1 a setting is found by its help, set, reviewed, applied, read back, and reset again", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      await find(app, "workspace-relative path", "identity.avatar");
      await row(app, "identity.avatar").getByRole("textbox").fill("avatars/main.png");
      await app.kept("the setting", (d) => d.unsent === 1);
      await app.button("Review Ctrl+Enter").click();
      await app.page.getByText("identity.avatar: not set → avatars/main.png").first().waitFor();
      await app.page.goBack();
      await apply(app, gateway, (main) => JSON.stringify(main.identity) === '{"avatar":"avatars/main.png"}');
      await app.kept("nothing left to apply", (d) => d.unsent === 0);

      await app.go("canvas");
      await app.node("main").click();
      await find(app, "identity.avatar", "identity.avatar");
      expect(await row(app, "identity.avatar").getByRole("textbox").inputValue()).toBe("avatars/main.png");
      await row(app, "identity.avatar").getByRole("button", { name: "Reset Identity Avatar" }).click();
      await row(app, "identity.avatar").getByText("Not set").waitFor();
      await app.kept("the reset", (d) => d.unsent === 1);
      await apply(app, gateway, (main) => !("identity" in main));
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 a setting of each kind is set through the page, and undone like any edit", async ({ open }) => {
    await opened(open, async (app) => {
      await app.page.locator(".set-tools").getByText("OpenClaw 2026.9.6").waitFor();
      const before = await extraOf(app);
      const steps: [path: string, set: () => Promise<void>, value: unknown][] = [
        ["thinkingDefault", () => pick(app, "thinkingDefault", "high"), "high"],
        ["fastModeDefault", () => pick(app, "fastModeDefault", "On"), true],
        [
          "sandbox.docker.readOnlyRoot",
          () => row(app, "sandbox.docker.readOnlyRoot").getByText("Off", { exact: true }).click(),
          false,
        ],
        ["sandbox.docker.cpus", () => row(app, "sandbox.docker.cpus").getByRole("textbox").fill("1.5"), 1.5],
        ["sandbox.docker.pidsLimit", () => row(app, "sandbox.docker.pidsLimit").getByRole("textbox").fill("64"), 64],
        ["sandbox.docker.memory", () => row(app, "sandbox.docker.memory").getByRole("textbox").fill("512m"), "512m"],
        [
          "sandbox.docker.binds",
          () => row(app, "sandbox.docker.binds").getByRole("textbox").fill("/a:/a\n/b:/b"),
          ["/a:/a", "/b:/b"],
        ],
        [
          "sandbox.docker.env",
          () => row(app, "sandbox.docker.env").getByRole("textbox").fill('{"A": "b"}'),
          { A: "b" },
        ],
        ["subagents.model", () => row(app, "subagents.model").getByRole("textbox").fill("a/b"), "a/b"],
        [
          "memory.search.remote.apiKey",
          () => row(app, "memory.search.remote.apiKey").getByRole("textbox").fill("${MY_KEY}"),
          "${MY_KEY}",
        ],
      ];
      for (const [path, set, value] of steps) {
        await find(app, path, path);
        await set();
        await until(
          path,
          async () =>
            path
              .split(".")
              .reduce<unknown>((v, key) => (v as Record<string, unknown> | undefined)?.[key], await extraOf(app)),
          (v) => JSON.stringify(v) === JSON.stringify(value),
        );
      }
      await find(app, "thinkingDefault", "thinkingDefault");
      await row(app, "thinkingDefault").getByText("Own value").waitFor();
      await search(app).blur();
      for (const _ of steps) await app.undo();
      await until(
        "everything to be undone",
        () => extraOf(app),
        (v) => JSON.stringify(v) === JSON.stringify(before),
      );
      await row(app, "thinkingDefault").getByText("Inherited: low", { exact: true }).last().waitFor();
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 a stored secret isn't shown; own fields are edited in their place; only what is set is listed", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      const secret = await find(app, "apiKey", "memory.search.remote.apiKey");
      await secret.getByText("Set on the gateway").waitFor();
      expect(await app.page.content()).not.toContain(REDACTED);
      await secret.getByRole("textbox").fill("sk-in-clear");
      await secret.getByText("Enter a reference").waitFor();
      await search(app).fill("");
      await app.page.getByRole("checkbox", { name: "Only set values" }).click();
      await until(
        "only what is set",
        () => app.page.locator("[data-setting]").evaluateAll((rows) => rows.map((r) => r.getAttribute("data-setting"))),
        (rows) => rows.join() === "name,memory.search.remote.apiKey",
      );
      await row(app, "name").getByRole("button", { name: "Edit in General" }).click();
      await until("the cursor in the name", () =>
        app.page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value === "Main"),
      );
      expect(await extraOf(app)).toEqual(agents().entries.main.memory && { memory: agents().entries.main.memory });
    });
  });

  test("OC-1 a hostile schema leaves the raw view and a usable page", async ({ open }) => {
    const agent = (schema: unknown) => ({
      schema: { properties: { agents: { properties: { entries: { additionalProperties: schema } } } } },
      uiHints: {
        "agents.entries.*.odd": { label: "<img src=x onerror=alert(1)>", help: "h".repeat(100_000) },
        "agents.entries.*": 7,
      },
    });
    await opened(
      open,
      async (app) => {
        const odd = await find(app, "img src", "odd");
        await odd.getByText("<img src=x onerror=alert(1)>").waitFor();
        await odd.getByRole("textbox").fill('{"any": [1]}');
        await app.kept("the value", (d) => JSON.stringify(d.topology.agents[0]?.extra?.odd) === '{"any":[1]}');
        await search(app).fill("k19");
        await row(app, "k19").getByRole("textbox").fill("text");
        await app.kept("an invented key", (d) => d.topology.agents[0]?.extra?.k19 === "text");
        expect(app.complaints).toEqual([]);
      },
      (gateway) => {
        const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, { type: "string" }]));
        gateway.schema = agent({ type: "object", properties: { odd: { $ref: "#" }, ...keys } });
      },
    );
    await opened(
      open,
      async (app) => {
        await app.page.getByText("This gateway offers no list of settings.").waitFor();
        await raw(app).fill('{"sandbox": {"mode": "all"}}');
        await app.kept("the JSON", (d) => JSON.stringify(d.topology.agents[0]?.extra) === '{"sandbox":{"mode":"all"}}');
      },
      (gateway) => {
        gateway.schema = { schema: [], uiHints: "none" };
      },
    );
  });

  test("OC-1 everyone is edited, reviewed, applied and undone, and each agent follows at once", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      const { page } = app;
      await find(app, "thinkingDefault", "thinkingDefault");
      await app.button("Everyone: settings that every agent inherits").click();
      await page.getByText("Settings that every agent inherits", { exact: true }).waitFor();
      await until(
        "the address",
        () => page.evaluate(() => decodeURIComponent(location.hash)),
        (h) => h.endsWith("/*"),
      );
      await row(app, "thinkingDefault").getByText("Set for everyone").waitFor();
      await pick(app, "thinkingDefault", "high");
      await app.kept("the default", (d) => d.topology.defaults?.thinkingDefault === "high" && d.unsent === 1);
      await find(app, "subagents", "subagents.maxSpawnDepth");
      await row(app, "subagents.maxSpawnDepth").getByRole("textbox").fill("2");
      await app.kept("a number", (d) => JSON.stringify(d.topology.defaults?.subagents) === '{"maxSpawnDepth":2}');
      await search(app).blur();
      await app.undo();
      await app.kept("the undo", (d) => d.topology.defaults?.subagents === undefined && d.unsent === 1);
      expect(await violations(app)).toEqual([]);

      await app.node("main").click();
      await find(app, "thinkingDefault", "thinkingDefault");
      await row(app, "thinkingDefault").getByText("Inherited: high", { exact: true }).last().waitFor();
      await app.button("Review Ctrl+Enter").click();
      await page.getByText("Everyone", { exact: true }).first().waitFor();
      await page
        .getByText(/low.*high/)
        .first()
        .waitFor();
      await app.button(/^Apply 1 change/).click();
      await page
        .getByText(/^Applied 1 change/)
        .first()
        .waitFor();
      await until(
        "the gateway's defaults",
        () => JSON.stringify(gateway.config.agents.defaults),
        (d) => d === '{"thinkingDefault":"high","model":{"primary":"fake/fake-1"}}',
      );
      await app.kept("nothing left to apply", (d) => d.unsent === 0);
      await page.reload();
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 the most wanted settings are in sections; an emoji is the face, a heartbeat a clock on the node", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      const { page } = app;
      await page.getByRole("button", { name: "Identity", exact: true }).click();
      await row(app, "identity.emoji").getByRole("textbox").fill("🐙");
      await app.node("main").getByText("🐙").waitFor();
      await page.getByRole("button", { name: "Heartbeat", exact: true }).press("Enter");
      await row(app, "heartbeat.every").getByRole("textbox").fill("30m");
      await app.node("main").getByRole("img", { name: "Heartbeat: 30m" }).waitFor();
      await page.getByRole("heading", { name: "Other settings" }).waitFor();
      expect(await violations(app)).toEqual([]);
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 several agents show what differs, and take a value in one undo step", async ({ open }) => {
    await opened(open, async (app) => {
      const { page } = app;
      const modes = async () =>
        (await app.team()).topology.agents.map((a) => (a.extra?.sandbox as { mode?: string } | undefined)?.mode);
      await find(app, "sandbox.mode", "sandbox.mode");
      await pick(app, "sandbox.mode", "all");
      await until("one", modes, (m) => JSON.stringify(m) === '["all",null]');
      await app.node("writer").click({ modifiers: ["Shift"] });
      await page.getByRole("region", { name: "Settings of 2 agents" }).waitFor();
      await row(app, "sandbox.mode").getByText("Different values").waitFor();
      await pick(app, "sandbox.mode", "non-main");
      await until("both", modes, (m) => JSON.stringify(m) === '["non-main","non-main"]');
      await row(app, "sandbox.mode").getByText("Own value").waitFor();
      expect(await page.locator('[data-setting="name"]').count()).toBe(0);
      expect(await violations(app)).toEqual([]);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await app.undo();
      await until("one undo step", modes, (m) => JSON.stringify(m) === '["all",null]');
      await row(app, "sandbox.mode")
        .getByRole("button", { name: /^Reset/ })
        .click();
      await until("a reset for both", modes, (m) => JSON.stringify(m) === "[null,null]");
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 on a phone the settings are searched and read", async ({ open }) => {
    await opened(
      (o) => open({ ...o, viewport: { width: 390, height: 844 } }),
      async (app) => {
        await app.page.getByRole("button", { name: "Identity", exact: true }).click();
        await row(app, "identity.emoji").waitFor();
        const mode = await find(app, "sandbox.mode", "sandbox.mode");
        expect(await mode.getByRole("combobox").isDisabled()).toBe(true);
        const wide = await app.page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(390);
        await app.page.locator(".set-tools").getByText("JSON", { exact: true }).click();
        await raw(app).waitFor();
        expect(await raw(app).getAttribute("aria-readonly")).toBe("true");
        expect(await rawText(app)).toContain('"memory"');
        expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
        expect(await violations(app)).toEqual([]);
      },
    );
  });
});
