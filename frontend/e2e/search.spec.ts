import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { seedShop } from "./seed.ts";

const dimmed = (app: App) =>
  app.page
    .locator(".react-flow__node-agent .is-dim")
    .evaluateAll((els) => els.map((e) => (e.closest(".react-flow__node") as HTMLElement).dataset.id).sort());
const box = (app: App, name = "Search on the canvas") => app.page.getByRole("search", { name }).getByRole("textbox");
const all = ["arch", "backend", "docs", "frontend", "lead", "ops", "qa", "research", "review"];
const but = (...ids: string[]) => all.filter((id) => !ids.includes(id)).join();

describe("search on the canvas", () => {
  test("APP-1 Ctrl+F dims what does not match, Enter goes from match to match, Escape ends it", async ({ open }) => {
    const app = await open({ seed: (hub) => seedShop(hub, false).then(() => undefined) });
    await app.page.keyboard.press("Control+f");
    await box(app).fill("qwen3-coder");
    await until(
      "the rest to stand back",
      () => dimmed(app),
      (ids) => ids.join() === but("backend", "frontend"),
    );
    await app.page.getByText("2 matches").waitFor();
    expect(await app.page.locator(".edge--dim").count()).toBe(9); // all but the one between them
    await app.page.keyboard.press("Enter");
    await app.page.getByText("1 of 2").waitFor();
    await until(
      "the first to be chosen",
      () => app.node("backend").getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
    await app.page.keyboard.press("Enter");
    await app.page.keyboard.press("Enter");
    await app.page.getByText("1 of 2").waitFor();
    await app.page.keyboard.press("Shift+Enter");
    await app.page.getByText("2 of 2").waitFor();
    await box(app).fill("coordinator tester");
    await until(
      "nobody by words of two agents",
      () => dimmed(app),
      (ids) => ids.join() === but(),
    );
    await box(app).fill("break what others");
    await until(
      "one, by its persona",
      () => dimmed(app),
      (ids) => ids.join() === but("qa"),
    );
    await app.page.keyboard.press("Escape");
    await until(
      "nothing to stand back",
      () => dimmed(app),
      (ids) => ids.length === 0,
    );
    expect(await app.page.getByRole("search").count()).toBe(0);
  });

  test("APP-1 in Japanese, whatever the width; far away too, and the view goes to the match", async ({ open }) => {
    const app = await open({ language: "ja", seed: (hub) => seedShop(hub, true).then(() => undefined) });
    await until("far nodes", async () => {
      if (await app.page.locator(".node--far").count()) return true;
      await app.page.keyboard.press("-");
      return false;
    });
    await app.page.keyboard.press("Control+f");
    await box(app, "キャンバス内を検索").fill("ﾘｻｰﾁｬｰ");
    await until(
      "the rest to stand back, far away",
      () => dimmed(app),
      (ids) => ids.join() === but("research"),
    );
    await app.page.getByText("1件").first().waitFor();
    await app.page.keyboard.press("Enter");
    await until(
      "it to be chosen",
      () => app.node("research").getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
  });
});
