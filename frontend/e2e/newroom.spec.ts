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
});
