import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

/** All visible parts of the team are within the canvas. */
const allInView = (app: App) =>
  app.page.evaluate(() => {
    const c = document.querySelector(".canvas[data-readonly]")?.getBoundingClientRect(),
      all = [...document.querySelectorAll(".canvas[data-readonly] .react-flow__node")].map((n) =>
        n.getBoundingClientRect(),
      );
    return (
      !!c &&
      all.length >= 5 &&
      all.every((b) => b.left >= c.left && b.top >= c.top && b.right <= c.right && b.bottom <= c.bottom)
    );
  });

describe("a canvas to look at", () => {
  test("APP-1 the review and the history show no status of agents, and an apply cuts nothing off", async ({ open }) => {
    const app = await open();
    await app.node("lead").click();
    await app.page.keyboard.press("F2");
    await app.page.keyboard.type("Chief");
    await app.page.keyboard.press("Enter");
    await app
      .button(/^Review/)
      .first()
      .waitFor();
    await app.page.keyboard.press("Control+Enter");
    await app.page.getByRole("heading", { name: "Review changes" }).waitFor();
    await app.node("lead").getByText("was Lead").waitFor();
    const feet = () => app.page.locator(".node-foot").allInnerTexts();
    expect((await feet()).filter((x) => /Idle|Unknown/.test(x))).toEqual([]);
    await until("all of it in view", () => allInView(app));
    await app
      .button(/^Apply/)
      .first()
      .click();
    await app.page.getByText("Applied 1 change").first().waitFor();
    await until("all of it in view beside the result", () => allInView(app));
    await app.page.keyboard.press("Escape");
    await app.go("history");
    await until("the canvas of the history", () =>
      app.page.evaluate(() => {
        const all = [...document.querySelectorAll(".canvas")];
        return all.length > 0 && all.every((c) => c.matches("[data-readonly]") && c.querySelector(".node-foot"));
      }),
    );
    expect((await feet()).filter((x) => /Idle|Unknown/.test(x))).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("the goal of a plan is written where it was while it is broken down", async ({ open }) => {
    const app = await open();
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
    await app.go(`plan/${id}`);
    const box = async () => (await app.page.locator(".plan-goal").boundingBox())?.y;
    await app.page.locator(".plan-goal").waitFor();
    const before = await box();
    // As while a model takes its time.
    await app.page.route(`**/api/plans/${id}`, async (route) => {
      const r = await route.fetch();
      await route.fulfill({
        response: r,
        json: { ...((await r.json()) as object), asking: { request: "A shop", since: new Date().toISOString() } },
      });
    });
    await app.page.reload();
    await app.page.locator(".plan-goal button[disabled]").waitFor();
    await app.page.locator(".plan-work .skeleton, .plan-work [role=status]").first().waitFor();
    expect(await box()).toBeGreaterThan(before! - 60); // the read-only bar is above
  });
});
