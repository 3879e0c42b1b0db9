import { describe } from "vitest";
import { expect, test, until, type App, type Options } from "../app.ts";
import type { Hub } from "../hub.ts";
import { ModelServer } from "../modelServer.ts";
import { settingsPart } from "../scenes/scene.ts";
import { gate, teamAtWork, withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";

// Journey 4: a model that is slow, that refuses, or that says nothing of use; and a person who types Japanese, slowly.

const field = (app: App) => app.page.locator(".composer textarea").first();
const panel = (app: App) => app.page.locator(".sessions-panel");
const asked = (app: App) => panel(app).locator("article.msg.is-me .md").allInnerTexts();
const answers = (app: App) => panel(app).locator("article.msg:not(.is-me):not([data-live]) .md").allInnerTexts();
const toDev = (app: App) => app.go(["sessions", "local", "agent:dev:main"].map(encodeURIComponent).join("/"));
type History = { messages: { role: string; content: { text?: string }[] }[] };
const history = (hub: Hub) =>
  hub
    .ask<History>("POST", "/api/gateway/chat/history", { sessionKey: "agent:dev:main" })
    .then((h) => h.messages.map((m) => `${m.role}: ${m.content.map((c) => c.text ?? "").join("")}`));

/** Types a sentence as an input method does: each part composed kana by kana, then converted. */
async function typeJapanese(app: App, parts: [kana: string, kanji: string][]): Promise<void> {
  for (const [kana, kanji] of parts) {
    for (let n = 1; n <= kana.length; n++) await app.compose(kana.slice(0, n));
    // The Enter that ends a conversion belongs to the input method, as browsers report it.
    await field(app).evaluate((e) =>
      e.dispatchEvent(
        new KeyboardEvent("keydown", {
          key: "Enter",
          isComposing: true,
          keyCode: 229,
          bubbles: true,
          cancelable: true,
        }),
      ),
    );
    await app.commit(kanji);
  }
}

describe("journey 4: a real model", () => {
  test("APP-1 GW-9 Japanese is composed slowly while an answer streams: no part is cut off, sent or lost, over a change of screen too", async ({
    open,
  }) => {
    const rest = gate(),
      words = Array.from({ length: 30 }, (_, i) => `語${i}`);
    await withTeam(
      open,
      async function* (q) {
        if (q.includes("次")) {
          yield "はい。";
          return;
        }
        for (const w of words) {
          yield `${w} `;
          await new Promise((r) => {
            setTimeout(r, 20);
          });
        }
        await rest.opened;
        yield "終わり";
      },
      async (app) => {
        const watch = Watch.start(app);
        await toDev(app);
        await field(app).click();
        await typeJapanese(app, [
          ["せいきゅうしょを", "請求書を"],
          ["なおしてください", "直してください"],
        ]);
        expect(await history(app.hub)).toEqual([]);
        await app.page.keyboard.press("Enter");
        await panel(app).locator("article.msg[data-live]").getByText("語0").first().waitFor();

        await typeJapanese(app, [["つぎは", "次は"]]);
        await app.go("settings");
        await app.page.getByRole("heading", { level: 1 }).first().waitFor();
        await toDev(app);
        await until(
          "what was typed, still there",
          () => field(app).inputValue(),
          (v) => v === "次は",
        );
        await panel(app).locator("article.msg[data-live]").getByText("語29").waitFor();
        await field(app).focus();
        await app.page.keyboard.press("End");
        await typeJapanese(app, [["らいげつです", "来月です"]]);
        rest.open();
        await until(
          "one whole answer",
          () => answers(app),
          (l) => l.length === 1 && l[0]!.trim() === `${words.join(" ")} 終わり`,
        );
        expect(await field(app).inputValue()).toBe("次は来月です");
        await app.page.keyboard.press("Enter");
        await until(
          "the second answer",
          () => answers(app),
          (l) => l.length === 2,
        );
        expect(await asked(app)).toEqual(["請求書を直してください", "次は来月です"]);
        expect(await history(app.hub)).toEqual([
          "user: 請求書を直してください",
          `assistant: ${words.join(" ")} 終わり`,
          "user: 次は来月です",
          "assistant: はい。",
        ]);
        expect(await watch.problems(app.page)).toEqual([]);
      },
      { language: "ja" },
    );
  });

  test("GW-9 an answer that streams slowly is stopped and reloaded in the middle: what had come stays, and the next is whole", async ({
    open,
  }) => {
    const never = gate();
    await withTeam(
      open,
      async function* (q) {
        if (q.includes("again")) {
          yield "Whole.";
          return;
        }
        yield "Half of it, ";
        await never.opened;
        yield "never said";
      },
      async (app) => {
        const watch = Watch.start(app),
          live = panel(app).locator("article.msg[data-live]");
        await toDev(app);
        await field(app).fill("begin");
        await app.page.keyboard.press("Enter");
        await live.getByText("Half of it,").waitFor();
        await app.page.reload();
        await live.getByText("Half of it,").waitFor();
        await panel(app).getByRole("button", { name: "Stop", exact: true }).click();
        await live.waitFor({ state: "detached" });
        await field(app).fill("again");
        await app.page.keyboard.press("Enter");
        await panel(app).getByText("Whole.", { exact: true }).waitFor();
        await app.page.reload();
        await panel(app).getByText("Whole.", { exact: true }).waitFor();
        await panel(app).getByText("Half of it,").waitFor();
        never.open();
        expect((await history(app.hub)).join("\n")).not.toContain("never said");
        expect(await watch.problems(app.page)).toEqual([]);
      },
    );
  });

  for (const [name, status, reason] of [
    ["refuses the key", 401, "The model provider rejected the API key."],
    ["is overloaded", 429, "The model provider isn't accepting requests right now."],
    ["fails", 500, "The model provider failed."],
  ] as const)
    test(`GW-9 a model that ${name}: the chat shows the reason, the message stays, the next one is answered`, async ({
      open,
    }) => {
      let server!: ModelServer;
      const app = await open({
          seed: async (hub) => {
            server = await teamAtWork(hub, function* () {
              yield "Here I am.";
            });
          },
        } satisfies Options),
        watch = Watch.start(app);
      try {
        await toDev(app);
        server.status = status;
        await field(app).fill("are you there?");
        await app.page.keyboard.press("Enter");
        await panel(app).getByRole("alert").getByText("Couldn't get an answer").waitFor({ timeout: 60_000 });
        await panel(app).getByRole("alert").getByText(reason).waitFor();
        // Nobody said it, also not after a reload.
        await app.page.reload();
        await panel(app).getByRole("alert").getByText(reason).waitFor();
        expect(await answers(app)).toEqual([]);
        const text = await panel(app).innerText();
        expect(text.split(reason)).toHaveLength(2);
        expect(text).not.toMatch(/It is not available now|The hub is not ready/);
        expect(await asked(app)).toEqual(["are you there?"]);
        server.status = 200;
        await field(app).fill("and now?");
        await app.page.keyboard.press("Enter");
        await panel(app).getByText("Here I am.", { exact: true }).waitFor();
        expect(await watch.problems(app.page)).toEqual([]);
      } finally {
        await server.stop();
      }
    });

  test("GW-9 APP-3 a provider is added and used for all; an answer is stopped, and a failed one is retried", async ({
    open,
  }) => {
    const key = "sk-typed-by-a-person",
      never = gate();
    let asks = 0;
    const server = await ModelServer.start({
      models: ["m"],
      key,
      script: async function* () {
        if (asks++ === 1) {
          yield "Once upon ";
          await never.opened;
        }
        yield "Here I am.";
      },
    });
    try {
      const app = await open(),
        watch = Watch.start(app);
      await settingsPart(app, "models");
      await app.button("Add provider").click();
      const dialog = app.page.getByRole("dialog"),
        test = dialog.getByRole("button", { name: "Test" });
      await dialog.getByLabel("Base URL").fill(server.url);
      await dialog.getByLabel("API key").fill("sk-mistyped");
      await test.click();
      await dialog.getByText("The API key was rejected.").waitFor();
      await dialog.getByLabel("API key").fill(key);
      await test.click();
      await dialog.getByText(/^Answered in/).waitFor();
      await dialog.getByLabel("Name").fill("studio");
      await dialog.getByRole("checkbox", { name: "Use as default provider" }).check();
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await app.page.getByRole("article", { name: "studio" }).getByText("1 model").waitFor();

      await app.go("canvas");
      await app.node("lead").click();
      await app.page.keyboard.press("Control+a");
      await app.field("Model for all").fill("studio/m");
      await app.page.keyboard.press("Enter");
      await app.kept("the model of all", (d) => d.topology.agents.every((a) => a.model === "studio/m"));
      await app.page.keyboard.press("Escape");
      await app.page.keyboard.press("Control+Enter");
      const apply = app.button(/^Apply \d+ changes/);
      await until("the apply to be offered", () => apply.isEnabled());
      await apply.click();
      await app.page
        .getByText(/^Applied \d+ changes/)
        .first()
        .waitFor();

      await app.go(["sessions", "local", "agent:lead:main"].map(encodeURIComponent).join("/"));
      await field(app).fill("Tell me a tale");
      await app.page.keyboard.press("Enter");
      const live = panel(app).locator("article.msg[data-live]");
      await live.getByText("Once upon").waitFor();
      await panel(app).getByRole("button", { name: "Stop", exact: true }).click();
      await live.waitFor({ state: "detached" });

      server.status = 500;
      await field(app).fill("Are you there?");
      await app.page.keyboard.press("Enter");
      await panel(app).getByRole("alert").getByText("Couldn't get an answer").waitFor({ timeout: 60_000 });
      server.status = 200;
      await panel(app).getByRole("button", { name: "Try again" }).click();
      await panel(app).getByText("Here I am.", { exact: true }).waitFor();
      await panel(app).getByRole("alert").waitFor({ state: "detached" });
      never.open();
      await app.page.reload();
      await panel(app).getByText("Here I am.", { exact: true }).waitFor();
      expect(await asked(app)).toEqual(["Tell me a tale", "Are you there?"]);
      expect(await app.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(key);
      expect(await watch.problems(app.page)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
