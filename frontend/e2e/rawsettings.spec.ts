import { describe } from "vitest";
import { extraOf, opened, raw, rawText } from "./agentSettings.ts";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";

const offered = (app: App) => app.page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");

describe("the JSON of an agent's settings", () => {
  test("OC-1 raw JSON says where it is wrong and loses nothing; what the gateway would reject is named", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      await app.page.locator(".set-tools").getByText("JSON", { exact: true }).click();
      const text = raw(app);
      await text.fill('{\n  "sandbox" {}\n}');
      await app.page.getByText("This isn't JSON: line 2, column 13.").waitFor();
      await app.node("writer").click();
      await app.node("main").click();
      await text.waitFor();
      expect(await rawText(app)).toBe('{\n  "sandbox" {}\n}');
      expect(await extraOf(app)).toMatchObject({ memory: {} });
      await text.fill('{"sandbox": {"mode": "sometimes"}, "newKey": 1}');
      await app.kept("the JSON", (d) => d.topology.agents[0]?.extra?.newKey === 1);
      const said = app.page.getByRole("list", { name: "Problems of the settings" });
      await said.getByText(/sandbox\.mode/).waitFor();
      await said.getByText(/newKey/).waitFor();
      await text.focus();
      await text.press("Control+a");
      await app.compose("{}");
      expect(await rawText(app)).toBe("{}");
      await app.commit("{}");
      await app.kept("what was composed", (d) => !d.topology.agents[0]?.extra);
    });
  });

  test("OC-1 raw JSON completes keys and values by keyboard, marks what is wrong, and undoes what was typed", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      const { page } = app;
      await page.locator(".set-tools").getByText("JSON", { exact: true }).click();
      const text = raw(app),
        mode = async () => ((await extraOf(app))?.sandbox as { mode?: string } | undefined)?.mode;
      // Tab leaves the editor. The team's undo brings the text of before into it, which its own undo doesn't change.
      await text.fill('{"sandbox": {"mode": "off"}}');
      await until("the text to be saved", mode, (m) => m === "off");
      await text.press("Tab");
      expect(await text.evaluate((e) => e === document.activeElement)).toBe(false);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await app.undo();
      await until(
        "the text of before",
        () => rawText(app),
        (all) => all.includes("apiKey"),
      );
      await text.press("Control+z");
      expect(await rawText(app)).toContain("apiKey");

      await text.fill("{}");
      await text.press("ArrowLeft");
      await page.keyboard.type('"sandb');
      await offered(app).filter({ hasText: "sandbox" }).first().waitFor();
      await text.press("Enter");
      expect(await rawText(app)).toBe('{"sandbox": {}}');
      await offered(app).filter({ hasText: "mode" }).first().waitFor();
      await page.keyboard.type('"mod');
      await until(
        "the key",
        () => offered(app).first().innerText(),
        (t) => t.startsWith("mode"),
      );
      await text.press("Enter");
      expect(await rawText(app)).toBe('{"sandbox": {"mode": }}');
      await until(
        "the values",
        () => offered(app).allInnerTexts(),
        (all) => all.join() === "off,non-main,all",
      );
      await text.press("ArrowDown");
      await text.press("Enter");
      expect(await rawText(app)).toBe('{"sandbox": {"mode": "non-main"}}');
      await until("the value", mode, (m) => m === "non-main");
      expect(await violations(app)).toEqual([]);

      // The caret is behind the value.
      await text.press("Backspace");
      await page.keyboard.type("x");
      await text.press("Escape");
      await page.keyboard.type('"');
      await until("the hub's word", mode, (m) => m === "non-mainx");
      await page
        .getByRole("list", { name: "Problems of the settings" })
        .getByText(/sandbox\.mode/)
        .waitFor();
      await until(
        "the mark",
        () => page.locator(".cm-lintRange-warning").allInnerTexts(),
        (all) => all.length === 1,
      );
      // What is typed slowly is undone in more than one step.
      await until(
        "the text as it was",
        async () => {
          if ((await text.innerText()).includes('"non-main"')) return true;
          await text.press("Control+z");
          return false;
        },
        Boolean,
      );
      await until("the undo", mode, (m) => m === "non-main");
      await page.locator(".cm-lintRange-warning").waitFor({ state: "detached" });

      await text.fill('{\n  "future": 1,\n  "sandbox": {"mode": "sometimes"},\n  "name": "Other"\n}');
      await until(
        "an error",
        () => page.locator(".cm-lintRange-error").allInnerTexts(),
        (all) => all.join() === '"name"',
      );
      expect(await page.locator(".cm-lintRange-warning").allInnerTexts()).toEqual(['"sometimes"']);
      expect(await page.locator(".cm-lintRange-info").allInnerTexts()).toEqual(['"future"']);
      await page.getByText("Line 2, future: Unknown to this gateway.").waitFor();
      await page.getByText("name has its own field.").waitFor();
      expect(await text.getAttribute("aria-invalid")).toBe("true");
      await until("the old value", mode, (m) => m === "non-main");
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-1 JSON is edited in a plain field if the editor can't be loaded", async ({ open }) => {
    await opened(open, async (app) => {
      await app.page.route(/RawEditor-.*\.js/, (r) => r.abort());
      await app.page.locator(".set-tools").getByText("JSON", { exact: true }).click();
      await app.page.getByText("Couldn't load the editor.").waitFor();
      expect(await raw(app).inputValue()).toContain("apiKey");
      await raw(app).fill('{"sandbox": {"mode": "all"}}');
      await app.kept("the text", (d) => JSON.stringify(d.topology.agents[0]?.extra) === '{"sandbox":{"mode":"all"}}');
    });
  });
});
