import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { Hub } from "./hub.ts";

const banner = (app: App, text: string | RegExp) => app.page.locator(".banner").filter({ hasText: text });
const here = (app: App) => app.page.getByRole("complementary", { name: "Participants" });

describe("what agents can't do is said beforehand", () => {
  test("CH-12 APP-4 agents whose model only their gateway has are said to be unable to answer before a room is made, and in it", async ({
    open,
  }) => {
    const other = await Hub.start();
    try {
      let id = "";
      const app = await open({
        seed: async (hub) => {
          await hub.ask("POST", "/api/gateways", {
            name: "Studio",
            url: `ws://127.0.0.1:${other.port}/gateway`,
            token: other.token,
          });
          await until(
            "the link",
            () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
            (r) => r.gateways.some((g) => g.name === "Studio" && g.state === "connected"),
          );
          const d = await hub.ask<{ id: string; topology: { agents: { id: string }[] } }>("POST", "/api/teams", {
            name: "Studio team",
            import: "Studio",
          });
          id = d.id;
          await hub.save(id, {
            ...d.topology,
            agents: d.topology.agents.map((a) => (a.id === "lead" ? { ...a, model: "fake/fake-2" } : a)),
          });
          await hub.ask("POST", "/api/rooms", { name: "Night", team: id, agents: ["lead", "writer"] });
        },
      });
      await app.go(`canvas/${id}`);
      await app.node("writer").getByText("Status unknown").waitFor();
      expect(await app.page.locator(".node-foot").filter({ hasText: "Idle" }).count()).toBe(0);

      await app.go("rooms");
      await app.button("New room").first().click();
      await app.page.getByText("These agents run on Studio. In rooms, AgentFlow runs them").waitFor();
      await app.page.getByText("Can't answer in rooms: AgentFlow has no provider for fake/fake-2.").waitFor();
      await app.page.getByRole("checkbox", { name: "Lead" }).check();
      await banner(app, "Lead can't answer until AgentFlow has a provider").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");

      await app.go("rooms/Night");
      await banner(app, "Lead can't answer in this room.").waitFor();
      expect(await banner(app, "can't answer").innerText()).not.toContain("Writer");
      await here(app).getByText("can't answer").waitFor();
      expect(await violations(app)).toEqual([]);
      await banner(app, "can't answer").getByRole("link", { name: "Open Models" }).click();
      await until(
        "the models",
        () => app.page.evaluate(() => location.hash),
        (h) => h === "#/settings/models",
      );
      expect(app.complaints).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test("TR-1 APP-4 an agent that lost its tools to missing trust is named in the room, with the way to allow it", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        const [d] = await hub.teams();
        await hub.save(d!.id, {
          agents: [
            {
              id: "w",
              name: "Worker",
              model: "demo/echo",
              extra: { mcpServers: [{ name: "t", command: ["sh", "-c", "true"] }] },
            },
            { id: "e", name: "Echo", model: "demo/echo" },
          ],
        });
        await hub.ask("POST", "/api/rooms", { name: "Night", team: d!.id, agents: ["w", "e"] });
      },
    });
    const [team] = await app.hub.teams();
    await app.go("rooms/Night");
    await banner(app, "Worker can talk here, but has no tools.").waitFor();
    await here(app).getByText("tools not allowed").waitFor();
    expect(await here(app).getByText("tools not allowed").count()).toBe(1);
    expect(await violations(app)).toEqual([]);
    await banner(app, "no tools").getByRole("link", { name: "Open Trust" }).click();
    await app.page.locator(`[data-team="${team!.id}"] [data-agent="w"]`).waitFor();
    const { agents } = await app.hub.ask<{ agents: { agent: string; hash: string }[] }>(
      "GET",
      `/api/trust/${team!.id}`,
    );
    await app.hub.ask("POST", `/api/trust/${team!.id}/allow`, {
      agents: agents.map(({ agent, hash }) => ({ agent, hash })),
    });
    await app.go("rooms/Night");
    await here(app).getByText("Worker").waitFor();
    await until(
      "the note to go",
      () => banner(app, "no tools").count(),
      (n) => n === 0,
    );
    expect(app.complaints).toEqual([]);
  });
});
