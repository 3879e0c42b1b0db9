import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import type { Provider } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import { ModelServer } from "./modelServer.ts";
import { gate } from "./team.ts";

const providers = (app: App) =>
  app.hub.ask<{ providers: Provider[] }>("GET", "/api/providers").then((r) => r.providers);
const settingsFile = (app: App) => readFileSync(path.join(app.hub.data, "agentflow.yaml"), "utf8");
const key = "sk-planted-in-the-browser-test";

async function openModels(app: App): Promise<void> {
  await app.go("settings");
  await app.page.locator('[data-section="models"]').click();
  await app.page.getByRole("heading", { level: 1, name: /^(Models|モデル)$/ }).waitFor();
}

describe("models", () => {
  test("APP-3 a provider is removed: the open team has a problem at once, and none once it's back", async ({
    open,
  }) => {
    const far = { name: "far", kind: "openai", baseUrl: "http://127.0.0.1:9/v1" };
    const app = await open({
      seed: async (hub) => {
        await hub.ask("POST", "/api/providers", far);
        const d = await hub.team((await hub.teams())[0]!.id);
        const agents = d.topology.agents.map((a) => (a.id === "writer" ? { ...a, model: "far/large" } : a));
        await hub.save(d.id, { ...d.topology, agents });
      },
    });
    const says = (text: string) => app.page.locator("footer.status").getByText(text, { exact: true }).waitFor();
    await says("1 problem"); // nobody delegates to one of the example's agents
    await app.hub.ask("DELETE", "/api/providers/far");
    await says("2 problems");
    await app.hub.ask("POST", "/api/providers", far);
    await says("1 problem");
  });

  test("APP-3 models stay on the screen while their provider is asked again, and so does what is typed there", async ({
    open,
  }) => {
    const server = await ModelServer.start({ models: ["m"] });
    try {
      const app = await open({
        seed: (hub) =>
          hub
            .ask("POST", "/api/providers", { name: "near", kind: "openai", baseUrl: `${server.url}/v1` })
            .then(() => undefined),
      });
      await openModels(app);
      const card = app.page.getByRole("article", { name: "near" });
      await card.getByText("1 model", { exact: true }).waitFor();
      await app.go("canvas");
      await app.node("writer").waitFor();

      const slow = gate();
      await app.page.route("**/api/providers/near/models", async (route) => {
        await slow.opened;
        await route.continue();
      });
      await openModels(app);
      await card.getByText("Checking").waitFor();
      await card.getByRole("button", { name: /^Price of near\/m: / }).click();
      const price = app.page.getByRole("dialog", { name: "Price of near/m" }).getByLabel("Input");
      await price.fill("1.25");
      slow.open();
      await card.getByText("1 model", { exact: true }).waitFor();
      expect(await price.inputValue()).toBe("1.25");
    } finally {
      await server.stop();
    }
  });

  test("a provider is tried, added, used, changed and removed; its key stays in the hub", async ({ open }) => {
    const server = await ModelServer.start({ key });
    try {
      const app = await open();
      await openModels(app);
      await app.button("Add provider").click();
      const dialog = app.page.getByRole("dialog");
      await dialog.getByLabel("Base URL").fill(server.url);
      await dialog.getByLabel("API key").fill("sk-wrong");
      expect(await dialog.getByLabel("API key").getAttribute("type")).toBe("password");
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText("The API key was rejected.").waitFor();
      await dialog.getByText("Enter the API key that belongs to this URL.").waitFor();
      await dialog.getByLabel("API key").fill(key);
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText(/^Answered in [\d.]+ s\./).waitFor();
      await dialog.getByText(/llama3.2:3b replied “Ready”. 2 models in total\./).waitFor();
      await dialog.getByLabel("Name").fill("studio");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();

      const card = app.page.getByRole("article", { name: "studio" });
      await card.getByText("2 models").waitFor();
      await card.getByText("qwen3:8b").waitFor();
      await card.getByText("Saved on this computer").waitFor();
      const made = (await providers(app)).find((p) => p.name === "studio");
      expect(made).toMatchObject({ kind: "openai", baseUrl: `${server.url}/v1`, hasKey: true, source: "file" });
      expect(settingsFile(app)).not.toContain(key);
      expect(await app.page.content()).not.toContain(key);
      expect(await app.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(key);
      expect(server.asked.filter((a) => a.path.endsWith("/completions")).map((a) => a.key)).toEqual([key]);

      // Test one of its models alone.
      await card.getByRole("button", { name: "Test studio/qwen3:8b" }).click();
      await card.getByText(/studio\/qwen3:8b replied “Ready”/).waitFor();
      server.status = 500;
      await card.getByRole("button", { name: "Test studio/qwen3:8b" }).click();
      await card.getByText("The provider failed.").waitFor();
      await card.getByText("Details").click();
      await card.getByText("the machine is on fire").waitFor();
      server.status = 200;

      // It can be given to an agent, and the table says who has it.
      await app.go("canvas");
      await app.node("writer").click();
      await app.field("Model").fill("studio/qwen3:8b");
      await app.page.keyboard.press("Enter");
      await app.kept("the model", (d) =>
        d.topology.agents.some((a) => a.id === "writer" && a.model === "studio/qwen3:8b"),
      );
      await openModels(app);
      await card.getByRole("row", { name: /qwen3:8b.*Writer/ }).waitFor();

      await card.getByRole("button", { name: "More actions for studio" }).click();
      await app.page.getByRole("menuitem", { name: "Edit" }).click();
      await dialog.getByLabel("Name").fill("box");
      await dialog.getByRole("button", { name: "Save" }).click();
      const box = app.page.getByRole("article", { name: "box" });
      await box.getByText("2 models").waitFor();
      expect((await providers(app)).map((p) => p.name)).toContain("box");
      await box.getByRole("button", { name: "More actions for box" }).click();
      await app.page.getByRole("menuitem", { name: "Remove" }).click();
      await app.page.getByRole("button", { name: "Remove provider" }).click();
      await box.waitFor({ state: "detached" });
      expect((await providers(app)).map((p) => p.name)).not.toContain("box");
      expect(readFileSync(path.join(app.hub.data, "secrets.json"), "utf8")).not.toContain(key);
    } finally {
      await server.stop();
    }
  });

  test("the settings file keeps its comments; a provider that is down says what to do, in Japanese", async ({
    open,
  }) => {
    const server = await ModelServer.start();
    try {
      const app = await open({ language: "ja" });
      writeFileSync(
        path.join(app.hub.data, "agentflow.yaml"),
        `# mine\nproviders:\n  - {name: box, kind: ollama, baseUrl: "http://127.0.0.1:1"} # in the cellar\n`,
      );
      await app.hub.kill();
      await app.hub.restart();
      await app.page.reload();
      await openModels(app);
      const box = app.page.getByRole("article", { name: "box" });
      await box.getByText("このURLでは何も応答しません。").waitFor();
      await box.getByText("サーバーを起動するか、URLとポートを確認してください。").waitFor();
      await box.getByRole("button", { name: "boxのその他の操作" }).click();
      await app.page.getByRole("menuitem", { name: "編集" }).click();
      const dialog = app.page.getByRole("dialog");
      await dialog.getByLabel("ベースURL").fill(server.url);
      await dialog.getByRole("button", { name: "保存" }).click();
      await box.getByText("モデル2件").waitFor();
      expect(settingsFile(app)).toBe(
        `# mine\nproviders:\n  - {name: box, kind: ollama, baseUrl: "${server.url}"} # in the cellar\n`,
      );
      // The demo is said to be one.
      const demo = app.page.getByRole("article", { name: "デモモデル" });
      await demo.getByText("入力を繰り返し、デモであることを毎回伝えます。").waitFor();
      await demo.getByRole("button", { name: "テスト" }).click();
      await demo.getByText(/demo\/echoの答え：「This is a demo answer/).waitFor();
    } finally {
      await server.stop();
    }
  });

  test("what can be set up is found by name from anywhere", async ({ open }) => {
    const app = await open();
    for (const [typed, heading] of [
      ["Settings: models", "Models"],
      ["Settings: language", "Language and appearance"],
    ] as const) {
      await app.run(typed);
      await app.page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await until("the palette to be gone", () =>
      app.page
        .getByRole("dialog")
        .count()
        .then((n) => n === 0),
    );
  });
});
