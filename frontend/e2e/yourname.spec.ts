import { describe } from "vitest";
import { expect, test, until } from "./app.ts";

describe("one's own name", () => {
  test("APP-4 changing one's name renames the person: the field is selected, the sheet stays open, and the former name is not offered", async ({
    open,
  }) => {
    const app = await open({
      viewport: { width: 390, height: 844 },
      seed: async (hub) => {
        await hub.ask("POST", "/api/message", { room: "Shop", sender: "backend", message: "Hello" });
      },
    });
    const { page } = app,
      here = page.getByRole("complementary", { name: "Participants" }).or(page.locator(".panel--sheet"));
    await app.go("rooms/Shop");
    await page.locator(".composer textarea").fill("Mine");
    await page.keyboard.press("Control+Enter");
    await page.locator("article.msg", { hasText: "Mine" }).waitFor();
    await page.getByRole("button", { name: "Participants" }).click();
    const names: string[] = [];
    for (const name of ["Ken", "Mika"]) {
      await here.getByRole("button", { name: "Change your name" }).click();
      const field = here.getByLabel("Your name in rooms");
      names.push(await field.inputValue());
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await here.getByText(name, { exact: true }).first().waitFor();
      expect(await page.evaluate(() => localStorage.getItem("agentflow.ui") ?? "")).toContain(`"person":"${name}"`);
    }
    expect(names[1]).toBe("Ken");
    await until(
      "the former names gone",
      () => here.locator(".lrow, .trow, li").allInnerTexts(),
      (rows) => rows.length > 0 && !rows.some((r) => r.includes("Ken") || r.startsWith(names[0]!)),
    );
    await here.getByRole("button", { name: "Hide participants" }).click();
    await page.locator(".composer textarea").fill("@");
    await page.getByRole("listbox").getByText("backend").first().waitFor();
    const offered = await page.getByRole("option").allInnerTexts();
    expect(offered.some((o) => o.includes("Ken") || o.includes(names[0]!))).toBe(false);
    expect(app.complaints).toEqual([]);
  });

  test("on a phone, nothing covers the form for one's name, however many take part", async ({ open }) => {
    const app = await open({
        viewport: { width: 390, height: 844 },
        seed: async (hub) => {
          const [team] = await hub.teams();
          await hub.ask("POST", "/api/rooms", { name: "Night", team: team!.id, agents: ["lead", "writer", "backend"] });
        },
      }),
      { page } = app,
      here = page.locator(".panel--sheet");
    await app.go("rooms/Night");
    await page.getByRole("button", { name: "Participants" }).click();
    await here.getByText("From another computer").waitFor();
    await here.getByRole("button", { name: "Change your name" }).click();
    for (const name of ["Cancel", "Save name"]) {
      const corners = await here.getByRole("button", { name }).evaluate((el) => {
        const r = el.getBoundingClientRect();
        return [
          [r.left + 9, r.top + 9],
          [r.right - 9, r.bottom - 9],
        ].map(([x, y]) => el.contains(document.elementFromPoint(x!, y!)));
      });
      expect([name, corners]).toEqual([name, [true, true]]);
    }
    expect(app.complaints).toEqual([]);
  });
});
