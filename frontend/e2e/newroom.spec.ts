import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { field, openRoom, post, said } from "./rooms.ts";

describe("a new room", () => {
  test("CH-12 alone in a room without agents, a person reads that nobody answers, and can add agents", async ({
    open,
  }) => {
    const app = await open({ seed: (hub) => post(hub, "Harbour", "Ann", "Hello").then(() => undefined) });
    await openRoom(app, "Harbour");
    const hint = app.page.getByText("No agent is in this room, so nobody answers.");
    await hint.waitFor();
    await app.button("Add agents…").click();
    await app.page.getByRole("dialog").getByRole("checkbox", { name: "Lead" }).check();
    await app.button("Save agents").click();
    await app.page.getByRole("dialog").waitFor({ state: "detached" });
    await hint.waitFor({ state: "detached" });
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 Enter on a checkbox of a new room creates it, as Enter in a form does", async ({ open }) => {
    const app = await open();
    await app.go("rooms");
    await app.page.locator(".empty").getByRole("button", { name: "New room" }).click();
    await app.page.getByLabel("Name").fill("Checkout");
    const lead = app.page.getByRole("checkbox", { name: "Lead" });
    await lead.focus();
    await app.page.keyboard.press("Space");
    await until("it to be checked", () => lead.isChecked());
    await app.page.keyboard.press("Enter");
    await field(app).waitFor();
    await app.page.getByText("2 online").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 on a phone the button that copies a message doesn't lie over its text", async ({ open }) => {
    const app = await open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      seed: (hub) =>
        post(hub, "Harbour", "Ann", "A long message that goes over several lines. ".repeat(5)).then(() => undefined),
    });
    await openRoom(app, "Harbour");
    const icon = (await said(app).locator("header .msg-tools svg").boundingBox())!,
      text = (await said(app).locator(".md").boundingBox())!;
    expect(icon.y + icon.height).toBeLessThanOrEqual(text.y);
  });

  test("APP-1 the palette and the dialog of a new room close with the screen that they were opened on", async ({
    open,
  }) => {
    const app = await open(),
      dialog = app.page.getByRole("dialog");
    await app.go("rooms");
    await app.page
      .getByRole("button", { name: /New room/ })
      .first()
      .click();
    await dialog.waitFor();
    await app.go("history");
    await dialog.waitFor({ state: "detached" });
    await app.page.keyboard.press("Control+k");
    await dialog.waitFor();
    await app.go("rooms");
    await dialog.waitFor({ state: "detached" });
    await app.page.locator(".rooms").first().waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test("APP-1 a dialog doesn't outlive its screen while the code of the next one is fetched", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Harbour", "Ann", "Hello").then(() => undefined) }),
      dialog = app.page.getByRole("dialog");
    let come = () => undefined as void;
    const coming = new Promise<void>((done) => (come = done));
    await app.page.route("**/LibraryScreen*.js", async (route) => {
      await coming;
      await route.continue();
    });
    await app.page.reload();
    await openRoom(app, "Harbour");
    const room = await app.page.evaluate(() => location.hash.slice(2));
    await app.button("Add agents…").click();
    await dialog.waitFor();
    await app.go("teams");
    await app.page.getByLabel("Loading").first().waitFor();
    await app.go(room);
    await said(app).first().waitFor();
    expect(await dialog.count()).toBe(0);
    await app.page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("harb");
    await dialog.getByRole("option").first().waitFor();
    come();
    expect(app.complaints).toEqual([]);
  });
});
