import { describe } from "vitest";
import { WebSocketServer } from "ws";
import type { Provider, Settings } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";
import { ModelServer } from "./modelServer.ts";

const settings = (app: App) => app.hub.ask<Settings>("GET", "/api/settings");
const guide = (app: App) => app.page.getByRole("complementary").or(app.page.locator(".panel--side")).first();

/** The usual address of something belongs to one test at a time on the whole computer. */
const claim = <T>(what: string, start: () => Promise<T>) =>
  until(`the usual address of ${what}`, start, Boolean, 120_000);

const words = {
  en: {
    use: "Use it",
    applied: /Applied 1 change/,
    review: "Review Ctrl+Enter",
    apply: /^Apply 1 change/,
    agents: "5 agents will use llama3.2:3b after you apply",
    demo: "Demo model, offline",
    found: /Found here · llama3.2:3b and 1 more/,
    undo: "Undo",
    endpoint: "OpenAI-compatible base URL",
    key: "API key",
    test: "Test",
    answered: /Answered in/,
  },
  ja: {
    use: "これを使う",
    applied: /変更1件を適用/,
    review: /^変更を確認/,
    apply: /^1件を適用/,
    agents: "適用すると、エージェント5体がllama3.2:3bを使います",
    demo: "デモモデル、オフライン",
    found: /このコンピューターで検出 · llama3.2:3bほか1件/,
    undo: "元に戻す",
    endpoint: "OpenAI互換のベースURL",
    key: "APIキー",
    test: "テスト",
    answered: /応答しました/,
  },
};

/** Empties the browser's storage, as in another browser that is signed in. */
const forget = (app: App) =>
  app.page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key !== "agentflow.pageKey") localStorage.removeItem(key);
  });

describe("the first five minutes", () => {
  for (const language of ["en", "ja"] as const) {
    const w = words[language];
    test(`an endpoint is entered in one field, tried, and answers for the team (${language})`, async ({ open }) => {
      const server = await ModelServer.start({ key: "sk-first-run" });
      try {
        const app = await open({ firstRun: true, language });
        await app.page.getByText(w.demo).waitFor();
        const field = app.page.getByLabel(w.endpoint).getByRole("textbox").first();
        await field.fill(server.url);
        const form = app.page.getByRole("form", { name: w.endpoint });
        await form.getByRole("button", { name: w.test }).click();
        await form.getByText(language === "en" ? "The API key was rejected." : "APIキーが拒否されました。").waitFor();
        await form.getByLabel(w.key).fill("sk-first-run");
        await form.getByRole("button", { name: w.test }).click();
        await form.getByText(w.answered).waitFor();
        await form.getByRole("button", { name: w.use }).click();
        await app.kept("the model of everybody", (d) =>
          d.topology.agents.every((a) => a.model === "openai/llama3.2:3b"),
        );
        await app.page.getByText(w.demo).waitFor({ state: "detached" });
        const all = await app.hub.ask<{ providers: Provider[] }>("GET", "/api/providers");
        expect(all.providers[0]).toMatchObject({
          name: "openai",
          hasKey: true,
          default: true,
          baseUrl: `${server.url}/v1`,
        });
        expect(JSON.stringify(all)).not.toContain("sk-first-run");
        await app.undo();
        await app.kept("the demo again, in one step", (d) => d.topology.agents.every((a) => a.model === "demo/echo"));
        expect(app.complained(/Failed to load resource/)).toEqual([]);
      } finally {
        await server.stop();
      }
    });
  }

  test("what is entered and its test stay when the window becomes narrow and wide again", async ({ open }) => {
    const server = await ModelServer.start({ key: "sk-kept" });
    try {
      const app = await open({ firstRun: true });
      const form = app.page.getByRole("form", { name: words.en.endpoint }),
        url = form.getByLabel(words.en.endpoint);
      await url.fill(server.url);
      await form.getByLabel(words.en.key).fill("sk-kept");
      await form.getByRole("button", { name: "Test" }).click();
      await form.getByText(words.en.answered).waitFor();
      for (const width of [1000, 1280]) {
        await app.page.setViewportSize({ width, height: 800 });
        await app.page.locator(width < 1200 ? ".panel--over" : ".panel--side:not(.panel--over)").waitFor();
        expect(await url.inputValue()).toBe(server.url);
        expect(await form.getByLabel(words.en.key).inputValue()).toBe("sk-kept");
        expect(await form.getByText(words.en.answered).isVisible()).toBe(true);
        expect(await form.getByRole("button", { name: "Use it" }).isVisible()).toBe(true);
      }
      expect(
        await app.page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage)),
      ).not.toContain("sk-kept");
      await form.getByRole("button", { name: "Use it" }).click();
      await app.kept("the model of everybody", (d) => d.topology.agents.every((a) => a.model === "openai/llama3.2:3b"));
      expect(await url.inputValue()).toBe("");
    } finally {
      await server.stop();
    }
  });

  test("a model that is added in a team of an OpenClaw gateway is said to be for others", async ({ open }) => {
    const gateway = await FakeGateway.start({ main: { name: "Main" } }),
      server = await ModelServer.start();
    try {
      const app = await open({ firstRun: true });
      await app.openTeam(await gateway.join(app.hub));
      await guide(app).getByText("This team's agents run on studio and use its models.").waitFor();
      const form = app.page.getByRole("form", { name: words.en.endpoint });
      await form.getByLabel(words.en.endpoint).fill(server.url);
      await form.getByRole("button", { name: "Test" }).click();
      await form.getByRole("button", { name: "Add it" }).click();
      await app.page
        .getByText(
          "llama3.2:3b is set up for agents on the built-in gateway. This team's agents use the models of studio.",
        )
        .waitFor();
      expect((await app.team()).unsent).toBe(0);
    } finally {
      await server.stop();
      await gateway.stop();
    }
  });

  test("a provider that is set up while agents have the demo model is offered to them", async ({ open }) => {
    const server = await ModelServer.start();
    try {
      const app = await open({
        firstRun: true,
        seed: async (hub) => {
          await hub.ask("POST", "/api/providers", { name: "ours", kind: "openai", baseUrl: `${server.url}/v1` });
        },
      });
      await guide(app).getByText("A provider is set up, but agents of this team still use the demo model.").waitFor();
      await guide(app).getByRole("button", { name: "Use it" }).click();
      await app.kept("the model of everybody", (d) => d.topology.agents.every((a) => a.model === "ours/llama3.2:3b"));
      await guide(app).getByText("In the team, these agents have a real model.").waitFor();
    } finally {
      await server.stop();
    }
  });

  test("an Ollama on this computer is found and used", async ({ open }) => {
    const ollama = await claim("Ollama", () => ModelServer.start({ port: 11434 }));
    try {
      const app = await open({ firstRun: true });
      await app.page.getByText(words.en.found).waitFor();
      await guide(app).getByRole("button", { name: "Test", exact: true }).first().click();
      await app.page.getByText(/ollama\/llama3.2:3b replied “Ready”/).waitFor();
      await guide(app).getByRole("button", { name: "Use it" }).first().click();
      await app.page.getByText(words.en.agents).waitFor();
      await app.kept("the model of everybody", (d) => d.topology.agents.every((a) => a.model === "ollama/llama3.2:3b"));
      expect((await app.hub.ask<{ providers: Provider[] }>("GET", "/api/providers")).providers[0]).toMatchObject({
        name: "ollama",
        source: "file",
        default: true,
      });
      expect(ollama.asked.every((a) => a.key === "")).toBe(true);
    } finally {
      await ollama.stop();
    }
  });

  test("GW-1 a gateway on its usual address is offered, and only asked for its language", async ({ open }) => {
    const heard: string[] = [],
      headers: string[] = [];
    const server = await claim(
      "OpenClaw",
      () =>
        new Promise<WebSocketServer>((resolve, reject) => {
          const wss: WebSocketServer = new WebSocketServer({ port: 18789, host: "127.0.0.1" }, () => resolve(wss));
          wss.once("error", reject);
          wss.on("connection", (ws, req) => {
            headers.push(JSON.stringify(req.headers));
            ws.on("message", (m: Buffer) => heard.push(m.toString()));
            ws.send(
              JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: Date.now() } }),
            );
          });
        }),
    );
    try {
      const app = await open({ firstRun: true });
      await app.page.getByText("OpenClaw gateway found on this computer").waitFor();
      expect(heard.map((m) => (JSON.parse(m) as { method: string }).method)).toEqual(
        heard.map(() => "agentflow.probe"),
      );
      expect(headers.join()).not.toMatch(/authorization|bearer/i);
      await app.button("Add it").click();
      const dialog = app.page.getByRole("dialog");
      expect(await dialog.getByLabel("URL").inputValue()).toBe("ws://127.0.0.1:18789");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await app.page.getByRole("article", { name: "OpenClaw" }).waitFor();
      await until(
        "the hub to have it",
        () => app.hub.ask<{ gateways: { name: string; url: string }[] }>("GET", "/api/gateways"),
        (r) => r.gateways.some((g) => g.name === "OpenClaw" && g.url === "ws://127.0.0.1:18789"),
      );
    } finally {
      for (const c of server.clients) c.terminate();
      await new Promise((r) => server.close(r));
    }
  });

  test("the guide remembers in the hub what was done, for every browser", async ({ open }) => {
    const app = await open({ firstRun: true });
    await app.wire("lead", "b", "backend");
    await app.page.keyboard.press("1");
    await until(
      "the hub to know",
      () => settings(app),
      (s) => (s.tried ?? []).includes("drew"),
    );
    await app.button("Review Ctrl+Enter").click();
    await app.button(/^Apply 1 change/).click();
    await until(
      "the hub to know",
      () => settings(app),
      (s) => (s.tried ?? []).includes("applied"),
    );
    await forget(app);
    await app.page.reload();
    await app.go("canvas");
    await app.page.getByText("2 of 2 done").waitFor();
  });
});

describe("the tour", () => {
  test("goes over the real screen by keyboard, is left, continued and skipped", async ({ open }) => {
    const app = await open({ firstRun: true });
    await app.button("Show me around").focus();
    await app.page.keyboard.press("Enter");
    const card = app.page.getByRole("dialog", { name: /^Tour, 1 of 6: Add an agent$/ });
    await card.waitFor();
    await until("the focus to be in it", () => card.evaluate((el) => el.contains(document.activeElement)));
    // The ring stands around the tools.
    const [ring, tools] = [
      await app.page.locator(".coach-ring").boundingBox(),
      await app.page.locator('.float[role="toolbar"]').boundingBox(),
    ];
    expect(Math.abs(ring!.x + 4 - tools!.x)).toBeLessThan(2);
    expect(Math.abs(ring!.width - 8 - tools!.width)).toBeLessThan(2);
    const next = async (title: string) => {
      await app.page.getByRole("dialog").getByRole("button", { name: "Next" }).focus();
      await app.page.keyboard.press("Enter");
      await app.page.getByRole("dialog", { name: new RegExp(`: ${title}$`) }).waitFor();
    };
    await next("Connect two agents");
    // The screen stays usable under it.
    await app.wire("lead", "b", "backend");
    await app.page.keyboard.press("1");
    await app.kept("the connection", (d) => d.unsent === 1);
    await next("Review changes");
    await until(
      "the hub to know",
      () => settings(app),
      (s) => s.tour === "review",
    );
    await app.page.getByRole("dialog").getByRole("button", { name: "Next" }).focus();
    await app.page.keyboard.press("Escape");
    await app.page.getByRole("dialog").waitFor({ state: "detached" });

    // In another browser it goes on where it was left.
    await forget(app);
    await app.page.reload();
    await app.ready();
    await app.button("Show me around").click();
    await app.page.getByRole("dialog", { name: /3 of 6: Review changes$/ }).waitFor();
    await next("Apply");
    await next("Undo anything");
    await next("Talk to your agents");
    const [round, item] = [
      await app.page.locator(".coach-ring").boundingBox(),
      await app.page.getByRole("navigation").getByRole("button", { name: "Sessions" }).boundingBox(),
    ];
    expect(Math.abs(round!.x + 4 - item!.x) + Math.abs(round!.y + 4 - item!.y)).toBeLessThan(3);
    await app.page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await until(
      "the hub to know",
      () => settings(app),
      (s) => s.tour === "done",
    );

    // Start it again from another screen, and skip it.
    await app.go("settings");
    await app.run("take the tour");
    await app.page.getByRole("dialog", { name: /1 of 6/ }).waitFor();
    await app.button("Skip the tour").click();
    await until(
      "the hub to know",
      () => settings(app),
      (s) => s.tour === "skipped",
    );
    expect(app.complaints).toEqual([]);
  });

  test("speaks Japanese, at every stop", async ({ open }) => {
    const app = await open({ firstRun: true, language: "ja" });
    await app.button("ツアーを開始").click();
    for (const title of [
      "エージェントを追加",
      "エージェントをつなぐ",
      "変更を確認",
      "適用",
      "何でも元に戻せる",
      "話しかける",
    ]) {
      const card = app.page.getByRole("dialog", { name: new RegExp(`^ツアー.*${title}$`) });
      await card.waitFor();
      expect(await card.innerText()).not.toMatch(/[a-z]{4,}/i);
      await card.getByRole("button", { name: title === "話しかける" ? "完了" : "次へ" }).click();
    }
    await until(
      "the hub to know",
      () => settings(app),
      (s) => s.tour === "done",
    );
  });
});
