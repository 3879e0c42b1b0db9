import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { post } from "./rooms.ts";
import { asks, askingEnv, elsewhereAgent, npm } from "./asking.ts";

const hash = (app: App) => app.page.evaluate(() => location.hash);
/** Waits until the address is this one, and is still this one after a reload. */
async function keeps(app: App, address: string): Promise<void> {
  const same = () =>
    until(
      address,
      () => hash(app),
      (h) => h === address,
    );
  await same();
  await app.page.reload();
  await same();
}

describe("addresses of the page", () => {
  test("APP-1 what is open on the canvas, in the review, history, inbox and settings is open after a reload", async ({
    open,
  }) => {
    const app = await open({ env: askingEnv, seed: (hub) => elsewhereAgent(hub, "writer") });
    const team = (await app.team()).id;
    await app.node("writer").click();
    await app.field("Name").fill("Editor");
    await app.kept("the name", (d) => d.topology.agents.some((a) => a.name === "Editor"));
    await keeps(app, `#/canvas/${team}/writer`);
    await app.field("Name").waitFor();
    expect(await app.field("Name").inputValue()).toBe("Editor");

    await app.go("review");
    await app.page.locator("[data-change]").first().click();
    await until(
      "the change in the address",
      () => hash(app),
      (h) => h.startsWith("#/review/"),
    );
    await keeps(app, await hash(app));
    await app.page.locator('[data-change] [aria-current="true"]').waitFor();

    await app.go("history");
    const { versions } = await app.hub.ask<{ versions: { id: string }[] }>("GET", `/api/teams/${team}/versions`);
    await app.go(`history/${versions.at(-1)?.id}`);
    await keeps(app, `#/history/${versions.at(-1)?.id}`);

    await asks(app.hub, npm("first"));
    const second = await asks(app.hub, npm("second"));
    await app.go(`inbox/${second.id}`);
    await keeps(app, `#/inbox/${second.id}`);
    await app.page.locator(".rows .lrow").first().click();
    await until(
      "the other question",
      () => hash(app),
      (h) => h.startsWith("#/inbox/") && !h.endsWith(second.id),
    );

    await app.go("settings/keys");
    await keeps(app, "#/settings/keys");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a person who goes from a room to another screen stays there while the room changes", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Night", "Mai", "Hello").then(() => undefined) });
    await app.go("rooms");
    await until(
      "the first room",
      () => hash(app),
      (h) => h === "#/rooms/Night",
    );
    await app.button("New room").waitFor();
    // The room is drawn again after the address has changed, and before the page has heard of it.
    await app.button("New room").evaluate((button: HTMLElement) => {
      location.hash = "/settings";
      button.click();
    });
    await app.page.getByRole("navigation", { name: "Settings" }).waitFor();
    expect(await hash(app)).toMatch(/^#\/settings/);
    expect(app.complaints).toEqual([]);
  });
});
