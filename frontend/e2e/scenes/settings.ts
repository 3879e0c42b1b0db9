import { type App } from "../app.ts";
import { seedShop } from "../seed.ts";
import { addStudio } from "./changes.ts";
import { dialog, settingsPart, type Scene, type Stop } from "./scene.ts";

/** A part of the settings, and what shows that it is there. */
const part =
  (name: string, there: (app: App) => Promise<void>): Stop[1] =>
  async (app) => {
    await settingsPart(app, name);
    await there(app);
  };
const heading = (app: App) => app.page.getByRole("heading", { level: 1 }).last().waitFor();
const article = (app: App) => app.page.getByRole("article").first().waitFor();

const settings: Scene = {
  name: "settings",
  seed: async (hub, ja, studio) => {
    await seedShop(hub, ja);
    await addStudio(hub, studio, ja);
    await hub.ask("POST", "/api/gateways", {
      name: ja ? "事務所" : "Office",
      url: "ws://127.0.0.1:9/gateway",
      token: "wrong",
      color: 4,
    });
  },
  stops: [
    ["settings-gateways", part("gateways", article)],
    [
      "settings-gateway-new",
      async (app) => {
        await app.button(/^(Add gateway|ゲートウェイを追加)$/).click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-gateway-wrong",
      async (app) => {
        await dialog(app).getByRole("textbox").nth(1).fill("http://nowhere");
        await dialog(app).getByRole("button").last().click();
        await dialog(app).locator("[aria-invalid=true]").first().waitFor();
      },
    ],
    ["settings-models", part("models", article)],
    [
      "settings-model-new",
      async (app) => {
        await app.button(/^(Add provider|プロバイダーを追加)$/).click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-calls",
      part("calls", async (app) => {
        await app.page.getByRole("switch").waitFor();
        await app.page.locator("main .empty, [data-call]").first().waitFor();
      }),
    ],
    ["settings-look", part("look", heading)],
    [
      "settings-keys",
      part("keys", async (app) => {
        await app.page.locator("main dt").first().waitFor();
      }),
    ],
    [
      "settings-data",
      part("data", async (app) => {
        await app.page.getByRole("row").nth(1).waitFor();
      }),
    ],
    ["settings-about", part("about", heading)],
    [
      "settings-licences",
      part("licences", async (app) => {
        await app.page.getByText("github.com/wailsapp/wails/v2", { exact: true }).waitFor();
      }),
    ],
    [
      "settings-licence",
      async (app) => {
        await app.page.getByText("Go", { exact: true }).click();
        await app.page.getByLabel("Go", { exact: true }).waitFor();
      },
    ],
  ],
};

const run = (app: App, id: string) => app.page.locator(`article[data-agent="${id}"]`);

/** Agents that run here: one that works, one that cannot, one that was never started. */
const agents: Scene = {
  name: "settings-agents",
  seed: () => Promise.resolve(),
  stops: [
    [
      "settings-agents-none",
      async (app) => {
        const { agents: all } = await app.hub.ask<{ agents: { id: string }[] }>("GET", "/api/local-agents");
        for (const a of all) await app.hub.ask("DELETE", `/api/local-agents/${a.id}`);
        await settingsPart(app, "agents");
        await app.page.locator("main .empty").waitFor();
      },
    ],
    [
      "settings-agents-new",
      async (app) => {
        await app.page.locator("main .empty button").click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-agents-file",
      async (app) => {
        await dialog(app).getByRole("radio").nth(1).click();
        await dialog(app).getByRole("textbox").waitFor();
        await dialog(app).getByRole("button").last().click();
        await dialog(app).locator("[aria-invalid=true]").waitFor();
      },
    ],
    [
      "settings-agents",
      async (app) => {
        await app.hub.ask("POST", "/api/local-agents", { agent: "writer", autostart: true });
        await app.hub.ask("POST", "/api/local-agents", { agent: "researcher" });
        await app.hub.ask("POST", "/api/local-agents", {
          config:
            'agent: {name: buildbox, role: Developer, model: demo/echo, mcpServers: [{name: files, url: "http://127.0.0.1:9/mcp", tokenEnv: FILES_TOKEN}]}\n',
        });
        for (const id of ["writer", "buildbox"]) await app.hub.ask("POST", `/api/local-agents/${id}/start`);
        await settingsPart(app, "agents");
        await run(app, "writer").locator(".s-done").waitFor();
        await run(app, "buildbox").locator(".s-failed").waitFor();
      },
    ],
    [
      "settings-agents-log",
      async (app) => {
        await run(app, "writer").locator("footer button").last().click();
        await run(app, "writer").getByRole("log").locator("time").nth(1).waitFor();
      },
    ],
    [
      "settings-agents-secret",
      async (app) => {
        await run(app, "buildbox")
          .getByRole("button", { name: /FILES_TOKEN/ })
          .click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-agents-remove",
      async (app) => {
        await settingsPart(app, "agents");
        await run(app, "writer")
          .getByRole("button", { name: /^(More about|Writer|ライター)/ })
          .click();
        await app.page.getByRole("menuitem").last().click();
        await dialog(app).waitFor();
      },
    ],
  ],
};

/** Who may reach AgentFlow: nobody yet, then callers, somebody who guesses, a long log. */
const security: Scene = {
  name: "settings-security",
  seed: () => Promise.resolve(),
  expected: /40[019]|429/,
  stops: [
    [
      "settings-security-none",
      async (app) => {
        for (const c of (await app.hub.ask<{ callers: { id: string }[] }>("GET", "/api/security")).callers)
          await app.hub.ask("DELETE", `/api/security/callers/${c.id}`);
        await settingsPart(app, "security");
        await app.page.locator("main .empty").waitFor();
      },
    ],
    [
      "settings-security-new",
      async (app) => {
        await app.page.locator("main .empty button").click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-security-token",
      async (app) => {
        await dialog(app).getByRole("textbox").fill("build-box");
        await dialog(app).getByRole("button").last().click();
        await dialog(app).locator("code").waitFor();
      },
    ],
    [
      "settings-security",
      async (app) => {
        await dialog(app).getByRole("button").last().click();
        await dialog(app).waitFor({ state: "detached" });
        await app.hub.ask("POST", "/api/security/callers", {
          name: "A very long name of a caller who gives tasks from far away",
          role: "tasks",
        });
        for (let n = 0; n <= 20; n++)
          await fetch(`${app.hub.url}/tasks`, { headers: { Authorization: "Bearer a-guess" } });
        await settingsPart(app, "about");
        await settingsPart(app, "security");
        await app.page.locator("[data-lockout]").waitFor();
      },
    ],
    [
      "settings-security-revoke",
      async (app) => {
        await app.page.locator("[data-caller]").first().getByRole("button").last().click();
        await app.page.getByRole("menuitem").last().click();
        await dialog(app).waitFor();
      },
    ],
    [
      "settings-security-networks",
      async (app) => {
        if (await dialog(app).count()) {
          await app.page.keyboard.press("Escape");
          await dialog(app).waitFor({ state: "detached" });
        }
        const list = app.page.getByRole("textbox").first();
        await list.fill("192.0.2.0/24");
        await app.page.locator("form").first().locator("[type=submit]").click();
        await app.page.locator("form .error").waitFor();
        await app.page.locator("form .error").scrollIntoViewIfNeeded();
      },
    ],
    [
      "settings-security-audit",
      async (app) => {
        await app.page.locator("[data-entry]").first().scrollIntoViewIfNeeded();
      },
    ],
  ],
};

/** What teams ask of this computer: nothing yet, then a command with much to see, a far agent, and one that can't be allowed. */
const trust: Scene = {
  name: "settings-trust",
  seed: () => Promise.resolve(),
  stops: [
    [
      "settings-trust-none",
      part("trust", async (app) => {
        await app.page.locator("main .empty").waitFor();
      }),
    ],
    [
      "settings-trust",
      async (app) => {
        await app.hub.changeConfig((c) => {
          c.agents = {
            files: {
              name: "Files",
              role: "Coordinator",
              model: "demo/echo",
              mcpServers: [
                {
                  name: "tools",
                  command: [
                    "npx",
                    "-y",
                    "@somebody/a-package-with-a-long-name@1.2.3",
                    "--root",
                    `/home/you/${"documents/".repeat(12)}`,
                    `a${" ".repeat(40)}b \u202e`,
                  ],
                  env: ["AGENTFLOW_AGENT_FILES"],
                },
              ],
              mcpPolicy: { default: "auto", tools: { rm: "ask" } },
            },
            far: { name: "Far", role: "Worker", url: "http://127.0.0.1:9/agent", secretEnv: "AGENTFLOW_AGENT_FAR" },
            key: { name: "API key", role: "Worker", url: "http://127.0.0.1:9", secretEnv: "OPENAI_API_KEY" },
          };
        });
        await app.page.locator("[data-team] [data-agent]").nth(2).waitFor();
      },
    ],
  ],
};

export const settingsScenes: Scene[] = [settings, agents, trust, security];
