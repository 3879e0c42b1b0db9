import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

const tip = (app: App) => app.page.locator(".tip");
const says = (app: App, words: string | RegExp) =>
  until(
    `the tip ${words}`,
    async () => (await tip(app).count()) === 1 && (await tip(app).innerText()),
    (v) => v !== false && (typeof words === "string" ? v.startsWith(words) : words.test(v)),
  );
const none = (app: App) =>
  until(
    "no tip",
    () => tip(app).count(),
    (n) => n === 0,
  );
const away = (app: App) => app.page.mouse.move(640, 500);

describe("tips", () => {
  test("APP-1 what the pointer rests on tells its name and key; a press, Escape or leaving it puts the tip away", async ({
    open,
  }) => {
    const app = await open();
    const hand = app.button("Pan"),
      undo = app.button(/^Undo/),
      select = app.button("Select");
    await hand.hover();
    await says(app, /Pan\s*H/);
    const box = await until("its place", () => tip(app).boundingBox()),
      at = (await hand.boundingBox())!;
    expect(box!.x, "beside the toolbar, not over it").toBeGreaterThan(at.x + at.width);
    // From one to the next there is no wait, and never two at a time.
    await select.hover();
    await says(app, "Select");
    await app.page.mouse.down();
    await none(app);
    await app.page.mouse.up();
    await away(app);
    await hand.hover();
    await says(app, "Pan");
    await app.page.keyboard.press("Escape");
    await none(app);
    await away(app);
    await undo.hover({ force: true });
    await says(app, "Undo");
    await away(app);
    await none(app);
    expect(await hand.getAttribute("aria-keyshortcuts")).toBe("H");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 the keyboard's focus shows the tip at once, inside the window, and a tip goes with what it speaks of", async ({
    open,
  }) => {
    const app = await open();
    await app.page.keyboard.press("Tab");
    const settings = app.page.getByRole("navigation").first().getByRole("button", { name: "Settings" });
    for (let i = 0; i < 12 && !(await settings.evaluate((e) => e === document.activeElement)); i++)
      await app.page.keyboard.press("Tab");
    await says(app, "Settings");
    const box = (await tip(app).boundingBox())!,
      size = app.page.viewportSize()!;
    expect([box.x >= 0, box.y >= 0, box.x + box.width <= size.width, box.y + box.height <= size.height]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await settings.evaluate((e) => {
      e.style.display = "none";
    });
    await none(app);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a tip that is fetched late still shows, and one that nobody waits for any more does not", async ({
    open,
  }) => {
    const app = await open();
    let held = true;
    const waiting: (() => void)[] = [];
    await app.page.route(/\/assets\/Tip-.*\.js$/, async (route) => {
      if (held)
        await new Promise<void>((go) => {
          waiting.push(go);
        });
      await route.continue();
    });
    await app.page.reload();
    await app.ready();
    await app.button("Pan").hover();
    await until(
      "the tip to be asked for",
      () => waiting.length,
      (n) => n > 0,
    );
    await app.button("Select").hover();
    held = false;
    for (const go of waiting) go();
    await says(app, "Select");
    expect(app.complaints).toEqual([]);
  });
});
