import { describe } from "vitest";
import type { Team, Point } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const place = (d: Team, id: string): Point => d.topology.layout![id]!;
const item = (app: App, name: string | RegExp) => app.page.getByRole("menuitem", { name }).first();
const chosen = (app: App) =>
  app.page
    .locator(".react-flow__node.selected")
    .evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.id ?? "").sort());

/** Chooses agents as a hand does: a click, and more with Shift. */
async function pick(app: App, ...ids: string[]): Promise<void> {
  await app.page.keyboard.press("Escape");
  for (const [i, id] of ids.entries()) await app.node(id).click(i ? { modifiers: ["Shift"] } : {});
  await until(
    "them to be selected",
    () => chosen(app),
    (v) => v.join() === [...ids].sort().join(),
  );
}

/** Agents that stand on no common line. */
const scattered = {
  lead: { x: 300, y: 0 },
  researcher: { x: 10, y: 130 },
  writer: { x: 330, y: 210 },
  backend: { x: 560, y: 170 },
  reviewer: { x: 120, y: 420 },
};
const openScattered = async (open: (o?: object) => Promise<App>): Promise<App> =>
  open({
    seed: async (hub: App["hub"]) => {
      const [first] = await hub.teams();
      const d = await hub.team(first!.id);
      await hub.save(d.id, { ...d.topology, layout: scattered, notes: [] });
    },
  });

describe("align and distribute", () => {
  test("APP-1 several are aligned from the inspector, by key and from the menu; each is one undo step", async ({
    open,
  }) => {
    const app = await openScattered(open);
    const before = await app.team();
    await pick(app, "researcher", "writer", "backend");
    await app.button("Align left").click();
    await app.kept("one left edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).x === 10));
    await app.undo();
    await app.kept(
      "the places as they were",
      (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout),
    );

    await app.page.keyboard.press("Alt+w");
    await app.kept("one upper edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).y === 130));
    await app.undo();
    await app.kept(
      "the places as they were",
      (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout),
    );

    await app.node("writer").click({ button: "right" });
    await item(app, "Align").hover();
    await item(app, /^Align right/).click();
    await app.kept("one right edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).x === 560));
    expect(place(await app.team(), "writer").y).toBe(210);
    await app.undo();
    await app.kept(
      "the places as they were",
      (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout),
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 three are spread out with equal gaps, by key and from the inspector; two cannot be", async ({ open }) => {
    const app = await openScattered(open);
    await pick(app, "researcher", "writer");
    expect(await app.button("Distribute horizontally").isDisabled()).toBe(true);
    await pick(app, "researcher", "writer", "backend");
    await app.page.keyboard.press("Alt+Shift+H");
    const d = await app.kept("equal gaps", (x) => place(x, "writer").x === 285);
    expect([place(d, "researcher"), place(d, "backend"), place(d, "writer").y]).toEqual([
      scattered.researcher,
      scattered.backend,
      scattered.writer.y,
    ]);
    await app.undo();
    await app.kept("the place as it was", (x) => place(x, "writer").x === 330);
    await app.button("Distribute vertically").click();
    await app.kept("equal gaps", (x) => place(x, "backend").y === 170);
    expect(app.complaints).toEqual([]);
  });
});

describe("menus", () => {
  test("APP-1 a right click asks about what is under it, and every command names its key", async ({ open }) => {
    const app = await open();
    await app.node("lead").click({ button: "right" });
    await until(
      "the menu of the agent",
      () => app.page.getByRole("menuitem").allInnerTexts(),
      (v) =>
        v.some((x) => /Rename\s*F2/.test(x)) &&
        v.some((x) => /Connect to…\s*C/.test(x)) &&
        v.some((x) => /Delete\s*Del/.test(x)),
    );
    await item(app, /^Rename/).click();
    const field = app.node("lead").locator("input");
    await until("the name to take the keys", () => field.evaluate((e) => e === document.activeElement));
    await app.page.keyboard.type("Chief");
    await app.page.keyboard.press("Enter");
    await app.kept("the new name", (d) => d.topology.agents[0]!.name === "Chief");

    await pick(app, "researcher", "writer");
    await app.node("researcher").click({ button: "right" });
    await item(app, /^Align/).waitFor();
    expect(await item(app, /^Distribute/).getAttribute("data-disabled")).not.toBeNull();
    await app.page.keyboard.press("Escape");
    await app.page.getByRole("menu").waitFor({ state: "detached" });

    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y, { button: "right" });
    await item(app, /^Add agent/).click();
    await app.node("agent-1").waitFor();
    const mid = await app.middle(app.node("agent-1"));
    expect(Math.hypot(mid.x - at.x, mid.y - at.y)).toBeLessThan(12);
    expect(app.complaints).toEqual([]);
  });

  for (const key of ["ContextMenu", "Shift+F10"])
    test(`APP-1 the menu opens at the agent that has the focus: ${key}`, async ({ open }) => {
      const app = await open();
      await app.node("writer").click();
      await app.page.keyboard.press("Escape");
      await app.node("writer").focus();
      await app.page.keyboard.press(key);
      await item(app, /^Rename/).waitFor();
      const node = (await app.node("writer").boundingBox())!,
        menu = (await app.page.getByRole("menu").boundingBox())!;
      expect(menu.x).toBeGreaterThan(node.x - 20);
      expect(menu.x).toBeLessThan(node.x + node.width + 20);
      await until("the menu to have the focus", () =>
        app.page.evaluate(() => !!document.activeElement?.closest("[role=menu]")),
      );
      await app.page.keyboard.press("Home");
      await app.page.keyboard.press("Enter");
      await until("the name to take the keys", () =>
        app
          .node("writer")
          .locator("input")
          .evaluate((e) => e === document.activeElement),
      );
      expect(app.complaints).toEqual([]);
    });
});

describe("dragging", () => {
  const left = async (app: App, id: string) => (await app.node(id).boundingBox())!.x;

  test("APP-1 what is dragged catches on what stands near, with a line drawn; Ctrl lets it go freely; one undo step", async ({
    open,
  }) => {
    const app = await openScattered(open);
    const before = await app.team();
    const { mouse, keyboard } = app.page;
    const from = await app.middle(app.node("writer"));
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 8, from.y + 90, { steps: 4 });
    await keyboard.down("Control");
    let at = from.x + 8;
    const go = async (by: number) => {
      at += by;
      await mouse.move(at, from.y + 97);
    };
    await go(1);
    await go((await left(app, "researcher")) + 3 - (await left(app, "writer")));
    await until(
      "it to stand beside the edge",
      async () => (await left(app, "writer")) - (await left(app, "researcher")),
      (d) => Math.abs(d - 3) < 0.8,
    );
    expect(await app.page.locator(".guides").count()).toBe(0);
    await keyboard.up("Control");
    await go(-1);
    await until(
      "it to stand on the edge",
      async () => (await left(app, "writer")) - (await left(app, "researcher")),
      (d) => Math.abs(d) < 0.3,
    );
    await app.page.locator(".guides .guide").first().waitFor({ state: "attached" });
    await mouse.up();
    await app.kept(
      "the exact edge",
      (d) => place(d, "writer").x === scattered.researcher.x && place(d, "writer").y !== scattered.writer.y,
    );
    await app.page.locator(".guides").waitFor({ state: "detached" });
    await app.undo();
    const end = await app.kept("the place as it was", (d) => place(d, "writer").x === scattered.writer.x);
    expect(end.topology.layout).toEqual(before.topology.layout);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 gaps become equal and are shown; the menu turns catching off", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const [first] = await hub.teams();
        const d = await hub.team(first!.id);
        await hub.save(d.id, {
          ...d.topology,
          notes: [],
          layout: {
            researcher: { x: 0, y: 200 },
            backend: { x: 500, y: 213 },
            writer: { x: 230, y: 340 },
            lead: { x: 91, y: 0 },
            reviewer: { x: 421, y: 27 },
          },
        });
      },
    });
    const { mouse } = app.page;
    const from = await app.middle(app.node("writer"));
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x, from.y - 20, { steps: 4 });
    const row = (await app.node("researcher").boundingBox())!,
      other = (await app.node("backend").boundingBox())!;
    const mid = (row.x + row.width + other.x) / 2,
      me = (await app.node("writer").boundingBox())!;
    await mouse.move(from.x + mid - me.x - me.width / 2, from.y - 20 - (me.y - row.y) + 24, { steps: 6 });
    await until(
      "two equal gaps to be shown",
      () => app.page.locator(".guides").getAttribute("data-gaps"),
      (v) => v === "2",
    );
    await mouse.up();
    await app.kept("the middle between the two", (d) => place(d, "writer").x === 250);

    const at = await app.emptyPlace();
    await mouse.click(at.x, at.y, { button: "right" });
    await app.page.getByRole("menuitemcheckbox", { name: "Snap while dragging" }).click();
    await until(
      "the setting in the hub",
      () => app.hub.ask<{ snap: string }>("GET", "/api/settings"),
      (s) => s.snap === "off",
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a drag with Alt leaves the original and places a copy, in one step", async ({ open }) => {
    const app = await openScattered(open);
    const from = await app.middle(app.node("writer")),
      { mouse, keyboard } = app.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 40, from.y + 60, { steps: 4 });
    await keyboard.down("Alt");
    await mouse.move(from.x + 80, from.y + 160, { steps: 4 });
    await app.node("copy writer").waitFor();
    expect(Math.abs((await app.middle(app.node("writer"))).x - from.x)).toBeLessThan(1);
    await mouse.up();
    await keyboard.up("Alt");
    const d = await app.kept("a copy", (x) => x.topology.agents.some((a) => a.id === "writer-1"));
    expect(place(d, "writer")).toEqual(scattered.writer);
    expect(place(d, "writer-1").y).toBeGreaterThan(scattered.writer.y + 100);
    await app.node("copy writer").waitFor({ state: "detached" });
    await app.undo();
    await app.kept("no copy", (x) => x.topology.agents.length === 5);
    expect(app.complaints).toEqual([]);
  });
});
