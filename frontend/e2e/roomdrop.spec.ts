import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { says, withTeam } from "./team.ts";

/** Takes what is at a node and holds it over the rail's entry; the button is still down. */
async function holdOverRooms(app: App, from: { x: number; y: number }): Promise<void> {
  const to = (await app.page.locator("[data-screen=rooms]").boundingBox())!;
  await app.page.mouse.move(from.x, from.y);
  await app.page.mouse.down();
  await app.page.mouse.move(from.x - 30, from.y - 10, { steps: 4 });
  await app.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
}

const members = async (app: App, ...names: string[]) => {
  for (const name of names)
    await until(`${name} to be in it`, () => app.page.getByRole("checkbox", { name }).isChecked());
};

describe("agents that are dragged to Rooms", () => {
  test("CH-12 APP-4 make a room; on the canvas they stay where they were, and nothing is to be undone", async ({
    open,
  }) => {
    await withTeam(open, says("Yes."), async (app) => {
      const before = await app.team();
      await app.node("dev").click();
      await app.node("writer").click({ modifiers: ["Shift"] });
      await holdOverRooms(app, await app.middle(app.node("dev")));
      await app.page.getByText("Drop to create a room with 2 agents").waitFor();
      await until(
        "the entry to show it",
        () => app.page.locator("[data-screen=rooms][data-drop]").count(),
        (n) => n === 1,
      );
      await app.page.mouse.up();
      await app.page.getByLabel("Name", { exact: true }).waitFor();
      await members(app, "Dev", "Writer");
      expect(await app.page.getByRole("checkbox", { name: "Ops" }).isChecked()).toBe(false);
      await app.page.getByLabel("Name", { exact: true }).fill("Night");
      await app.page.keyboard.press("Enter");
      await app.page.locator(".composer textarea").waitFor();
      await until(
        "both to be in the room",
        () => app.hub.ask<{ cast?: { agents: string[] } }>("GET", "/api/rooms/Night/state"),
        (s) => s.cast?.agents.toSorted().join() === "dev,writer",
      );
      await app.page.locator(".head").getByRole("button", { name: "More", exact: true }).last().click();
      await app.page.getByRole("menuitem", { name: "Agents in this room…" }).click();
      await members(app, "Dev", "Writer");
      await app.page.getByRole("checkbox", { name: "Writer" }).click();
      await app.page.getByRole("checkbox", { name: "Ops" }).click();
      await app.button("Save agents").click();
      await until(
        "one removed and one added",
        () => app.hub.ask<{ cast?: { agents: string[] } }>("GET", "/api/rooms/Night/state"),
        (s) => s.cast?.agents.toSorted().join() === "dev,ops",
      );
      const after = await app.team();
      expect([after.head, after.topology.layout]).toEqual([before.head, before.topology.layout]);
      expect(app.complaints).toEqual([]);
    });
  });

  test("CH-12 a frame brings everybody inside it; brought back to the canvas it makes none", async ({ open }) => {
    await withTeam(open, says("Yes."), async (app) => {
      const { id } = await app.team(),
        { topology } = await app.hub.team(id);
      await app.hub.save(id, { ...topology, groups: [{ id: "g", name: "Build", members: ["dev", "writer"] }] });
      await app.group("g").waitFor();
      await app.ready();
      const head = app.group("g").locator(".frame-head"),
        grip = await app.middle(head);
      await holdOverRooms(app, grip);
      await app.page.getByText("Drop to create a room with 2 agents").waitFor();
      await app.page.mouse.move(grip.x, grip.y, { steps: 6 });
      await app.page.getByText("Drop to create a room with 2 agents").waitFor({ state: "detached" });
      await app.page.mouse.up();
      expect(await app.page.getByLabel("Name", { exact: true }).count()).toBe(0);
      await app.ready();
      await holdOverRooms(app, await app.middle(head));
      await app.page.getByText("Drop to create a room with 2 agents").waitFor();
      await app.page.mouse.up();
      await app.page.getByLabel("Name", { exact: true }).waitFor();
      await members(app, "Dev", "Writer");
      expect(app.complaints).toEqual([]);
    });
  });
});
