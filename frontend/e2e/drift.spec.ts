import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { Hub, type ConfigAgent } from "./hub.ts";
import { redraw, withAgent } from "./seed.ts";

const agents = async (app: App, gateway?: string) =>
  (await app.hub.config(gateway)).agents as Record<string, ConfigAgent>;
const rename = (hub: Hub, id: string, name: string) =>
  hub.changeConfig((c) => {
    (c.agents as Record<string, ConfigAgent>)[id]!.name = name;
  });
const theirs = (app: App) => app.page.getByRole("region", { name: "Changed on the gateway" });
const mine = (app: App) => app.page.getByRole("region", { name: "Unapplied changes" });

describe("what the gateway runs beside what is drawn", () => {
  test("APP-3 a change on the gateway is noticed, shown on canvas and as text, and taken in", async ({ open }) => {
    const app = await open();
    const start = await app.team();
    expect(await app.page.getByText(/^Gateway changed/).count()).toBe(0);
    await rename(app.hub, "writer", "Author");
    await rename(app.hub, "researcher", "Scout");
    await app.button("Gateway changed: 2 differences").first().click();
    await theirs(app).getByText("Author").first().waitFor();
    expect(await theirs(app).locator("[data-drift]").count()).toBe(2);
    await until(
      "the marks",
      () => app.page.locator(".react-flow__node .mark--chg").count(),
      (n) => n === 2,
    );
    await app.page.getByRole("radio", { name: "Text" }).click();
    await until(
      "both texts",
      () => app.page.locator(".textdiff").innerText(),
      (s) => s.includes("Author") && s.includes("Writer"),
    );
    expect((await app.team()).head).toBe(start.head);

    await app.button("Import these changes").click();
    await app.kept(
      "theirs in the team",
      (d) =>
        d.unsent === 0 &&
        d.topology.agents.some((a) => a.name === "Author") &&
        d.topology.agents.some((a) => a.name === "Scout"),
    );
    await until(
      "the badge to go",
      () => app.page.getByText(/^Gateway changed/).count(),
      (n) => n === 0,
    );
    await app.button(/^Undo: Imported/).click();
    await app.kept("the team of before", (d) => JSON.stringify(d.topology) === JSON.stringify(start.topology));
    expect((await agents(app)).writer?.name).toBe("Author");
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 mine stands: what the gateway changed is reviewed with the rest, and applied only then", async ({
    open,
  }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.name", withAgent("lead", { name: "Captain" }));
    await rename(app.hub, "writer", "Author");
    await app.page.locator(".changebar").getByText("Gateway changed: 1 difference").click();
    await theirs(app).getByText("Author").first().waitFor();
    await mine(app).getByText("Lead").first().waitFor();
    await app.button("Apply my team…").click();
    await app.button(/^Apply 2 changes/).waitFor();
    expect((await agents(app)).writer?.name).toBe("Author");
    await app.button(/^Apply 2 changes/).click();
    await until(
      "mine to stand there",
      () => agents(app),
      (a) => a.writer?.name === "Writer" && a.lead?.name === "Captain",
    );
    await until(
      "no badge",
      () => app.page.getByText(/^Gateway changed/).count(),
      (n) => n === 0,
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 both changed the same: the way in leads to the choices", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor" }));
    await rename(app.hub, "writer", "Author");
    await app.page.locator(".changebar").getByText("Gateway changed: 1 difference").click();
    await app.page.getByText("1 change conflicts with yours. Choose which to keep.").waitFor();
    await app.button("Merge and choose…").click();
    await app.page.locator(".merge-conflict").first().waitFor();
    expect([
      (await agents(app)).writer?.name,
      (await app.team()).topology.agents.find((a) => a.id === "writer")?.name,
    ]).toEqual(["Author", "Editor"]);
  });

  test("APP-3 every gateway is compared, each with its color; changes are found after it was away and after a hub restart", async ({
    open,
  }) => {
    const other = await Hub.start();
    try {
      const app = await open({
        seed: async (hub) => {
          await hub.ask("POST", "/api/gateways", {
            name: "Studio",
            url: `ws://127.0.0.1:${other.port}/gateway`,
            token: other.token,
            color: 7,
          });
          await until(
            "the link",
            () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
            (r) => r.gateways.some((g) => g.name === "Studio" && g.state === "connected"),
          );
          await hub.ask("POST", "/api/teams", { import: "Studio" });
        },
      });
      await until(
        "Studio's team",
        () => app.team(),
        (d) => d.gateway === "Studio",
      );
      await rename(other, "writer", "Over there");
      await app.page.locator("footer.status").getByText("Gateway changed: 1 difference").waitFor();
      await app.hub.kill();
      await rename(other, "backend", "Engine room");
      await app.hub.restart();
      await app.page.locator("footer.status").getByText("Gateway changed: 2 differences").click({ timeout: 40_000 });
      await theirs(app).getByText("Engine room").first().waitFor();
      await app.page.getByRole("combobox", { name: "Compare with" }).click();
      const local = app.page.getByRole("option", { name: /Built-in gateway/ });
      expect(await local.locator("i.gw").count()).toBe(1);
      await local.click();
      await app.page.getByText("This team is applied to another gateway.").waitFor();
      await app.button("Switch to Built-in gateway").waitFor();
      expect(await app.button("Apply my team…").count()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
