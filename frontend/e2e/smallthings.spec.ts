import { describe } from "vitest";
import { expect, test } from "./app.ts";
import { redraw, withAgent } from "./seed.ts";

describe("small things", () => {
  test("the search box shows all its words; no sessions are one empty state with a button", async ({ open }) => {
    const app = await open({ viewport: { width: 1440, height: 900 } });
    const box = app.page.getByRole("button", { name: /^Search or run a command/ });
    const cut = await box
      .locator("span")
      .first()
      .evaluate((e) => e.scrollWidth > e.clientWidth);
    expect(cut).toBe(false);
    const words = (await box.locator("span").first().boundingBox())!,
      keys = (await box.locator("kbd, .kbd").first().boundingBox())!;
    expect(words.x + words.width).toBeLessThanOrEqual(keys.x);
    await app.go("sessions");
    await app.page.getByText("No sessions yet").waitFor();
    expect(await app.page.locator(".empty").count()).toBe(1);
    await app.button("Start a session").click();
    await app.page.getByRole("menuitem", { name: "Lead" }).click();
    await app.page.getByRole("textbox", { name: /Lead/ }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("Escape closes an open note of the review before the review, and says the restart once", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const [d] = await hub.teams();
        await redraw(hub, d!.id, "edit.field", withAgent("writer", { name: "Editor", description: "Writes" }));
      },
    });
    await app.go("review");
    await app.page.locator("[data-total]").getByText("No restart").waitFor();
    expect(await app.page.getByText("No restart").count()).toBe(1);
    const fold = app.page.locator(".review-fold").first();
    if (await fold.count()) {
      await fold.click();
      await app.page.keyboard.press("Escape");
      expect(await fold.getAttribute("aria-expanded")).toBe("false");
      expect(await app.page.evaluate(() => location.hash)).toContain("review");
    }
    await app.page.keyboard.press("Escape");
    await app.node("writer").waitFor();
    expect(app.complaints).toEqual([]);
  });
});
