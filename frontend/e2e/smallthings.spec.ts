import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { asks, askingEnv, elsewhereAgent, npm } from "./asking.ts";
import { post } from "./rooms.ts";
import { redraw, withAgent } from "./seed.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

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

  test("APP-1 on a phone a notification covers no entry of the list of rooms, and takes taps on itself only", async ({
    open,
  }) => {
    const app = await open({
      ...phone,
      env: askingEnv,
      seed: async (hub) => {
        await elsewhereAgent(hub, "writer");
        await post(hub, "Harbour", "Ann", "Hello");
      },
    });
    await app.page.route("**/api/inbox/*/answer", (route) =>
      route.fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "broken" } } }),
    );
    await asks(app.hub, npm());
    await app.go("inbox");
    await app.page.locator(".rows .lrow").first().tap();
    await app.page.getByRole("button", { name: "Deny", exact: true }).tap();
    const toast = app.page.locator(".toast[role=alert]");
    await toast.waitFor(); // a failure stays until it is closed
    await app.go("rooms");
    const row = app.page.locator("button.lrow").filter({ hasText: "Harbour" });
    await row.waitFor();
    const apart = async () => {
      const [a, b] = [(await toast.boundingBox())!, (await row.boundingBox())!];
      return a.y >= b.y + b.height;
    };
    await until("the notification to be below the list", apart, Boolean);
    const taken = await app.page.evaluate(() =>
      ["[data-sonner-toast]", ".toast"].map((at) => getComputedStyle(document.querySelector(at)!).pointerEvents),
    );
    expect(taken, "its place lets taps through, and it does not").toEqual(["none", "auto"]);
    await row.tap();
    await app.page.locator(".composer textarea").waitFor();
  });

  test("APP-1 on a phone a notification covers neither the bar that leads to the review nor the head", async ({
    open,
  }) => {
    const app = await open({
      ...phone,
      seed: async (hub) => {
        const [d] = await hub.teams();
        await redraw(hub, d!.id, "edit.field", withAgent("writer", { name: "Editor" }));
      },
    });
    await app.page.route("**/api/teams", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "broken" } } })
        : route.continue(),
    );
    await app.run("Duplicate the team");
    const toast = app.page.locator(".toast[role=alert]"),
      bar = app.page.locator(".changebar");
    await toast.waitFor();
    await bar.waitFor();
    const [a, b] = [(await toast.boundingBox())!, (await bar.boundingBox())!];
    expect(a.y + a.height).toBeLessThanOrEqual(b.y);
    expect(a.y).toBeGreaterThanOrEqual((await app.page.locator("header").first().boundingBox())!.height);
  });

  test("APP-1 what only tells something about a screen goes with it; an offer to undo and a failure stay", async ({
    open,
  }) => {
    const app = await open();
    const toast = (text: string) => app.page.locator("[data-sonner-toast][data-removed=false]", { hasText: text });
    await app.page.locator(".canvas-menu").focus();
    await app.page.keyboard.press("c");
    await toast("Select an agent first.").hover(); // its time doesn't run out
    await app.go("rooms");
    await toast("Select an agent first.").waitFor({ state: "detached" });
    await app.go("canvas");
    await app.node("writer").click();
    await app.page.keyboard.press("Delete");
    await toast("Undo").hover();
    await app.go("rooms");
    await app.page.getByText("No rooms yet").waitFor();
    await toast("Undo").getByRole("button", { name: "Undo" }).click();
    await app.kept("the agent", (d) => d.topology.agents.some((a) => a.id === "writer"));
    expect(app.complaints).toEqual([]);
  });

  test("a menu with a very long name leaves room beside it, and has the whole name in a title", async ({ open }) => {
    const name = "Chief of everything ".repeat(9).trim();
    const app = await open({
      seed: async (hub) => {
        const [team] = await hub.teams(),
          { topology: t } = await hub.team(team!.id);
        await hub.save(team!.id, { ...t, agents: t.agents.map((a) => (a.id === "lead" ? { ...a, name } : a)) });
        await hub.apply(team!.id);
      },
    });
    await app.go("tasks");
    await app.page.getByRole("button", { name: /^To: / }).click();
    const menu = app.page.getByRole("menu");
    const label = menu.getByText(name, { exact: true });
    await label.waitFor();
    expect((await menu.boundingBox())!.width).toBeLessThan(640);
    expect(await label.evaluate((el) => el.scrollWidth > el.clientWidth)).toBe(true);
    expect(await label.getAttribute("title")).toBe(name);
    const team = menu.getByRole("menuitem", { name: /^The team/ }).getByText("The team", { exact: true });
    expect(await team.evaluate((el) => el.scrollWidth > el.clientWidth)).toBe(false);
  });
});
