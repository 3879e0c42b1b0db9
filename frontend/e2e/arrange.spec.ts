import { describe } from "vitest";
import type { Drawing, Point } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const place = (d: Drawing, id: string): Point => d.topology.layout![id]!;
const item = (app: App, name: string | RegExp) => app.page.getByRole("menuitem", { name }).first();
const chosen = (app: App) => app.page.locator(".react-flow__node.selected").evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.id ?? "").sort());

/** Chooses agents as a hand does: a click, and more with Shift. */
async function pick(app: App, ...ids: string[]): Promise<void> {
  await app.page.keyboard.press("Escape");
  for (const [i, id] of ids.entries()) await app.node(id).click(i ? { modifiers: ["Shift"] } : {});
  await until("them to be selected", () => chosen(app), (v) => v.join() === [...ids].sort().join());
}

/** Agents that stand on no common line. */
const scattered = { lead: { x: 300, y: 0 }, researcher: { x: 10, y: 130 }, writer: { x: 330, y: 210 }, backend: { x: 560, y: 170 }, reviewer: { x: 120, y: 420 } };
const openScattered = async (open: (o?: object) => Promise<App>): Promise<App> => open({ seed: async (hub: App["hub"]) => {
  const [first] = await hub.drawings();
  const d = await hub.drawing(first!.id);
  await hub.save(d.id, { ...d.topology, layout: scattered, notes: [] });
} });

describe("align and distribute", () => {
  test("APP-1 several are aligned from the inspector, by key and from the menu; each is one undo step", async ({ open }) => {
    const app = await openScattered(open);
    const before = await app.drawing();
    await pick(app, "researcher", "writer", "backend");
    await app.button("Align left").click();
    await app.kept("one left edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).x === 10));
    await app.undo();
    await app.kept("the places as they were", (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout));

    await app.page.keyboard.press("Alt+w");
    await app.kept("one upper edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).y === 130));
    await app.undo();
    await app.kept("the places as they were", (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout));

    await app.node("writer").click({ button: "right" });
    await item(app, "Align").hover();
    await item(app, /^Align right/).click();
    await app.kept("one right edge", (d) => ["researcher", "writer", "backend"].every((id) => place(d, id).x === 560));
    expect(place(await app.drawing(), "writer").y).toBe(210);
    await app.undo();
    await app.kept("the places as they were", (d) => JSON.stringify(d.topology.layout) === JSON.stringify(before.topology.layout));
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 three are spread out with equal gaps, by key and from the inspector; two cannot be", async ({ open }) => {
    const app = await openScattered(open);
    await pick(app, "researcher", "writer");
    expect(await app.button("Equal gaps side by side").isDisabled()).toBe(true);
    await pick(app, "researcher", "writer", "backend");
    await app.page.keyboard.press("Alt+Shift+H");
    const d = await app.kept("equal gaps", (x) => place(x, "writer").x === 285);
    expect([place(d, "researcher"), place(d, "backend"), place(d, "writer").y]).toEqual([scattered.researcher, scattered.backend, scattered.writer.y]);
    await app.undo();
    await app.kept("the place as it was", (x) => place(x, "writer").x === 330);
    await app.button("Equal gaps above each other").click();
    await app.kept("equal gaps", (x) => place(x, "backend").y === 170);
    expect(app.complaints).toEqual([]);
  });
});

describe("menus", () => {
  test("APP-1 a right click asks about what is under it, and every command names its key", async ({ open }) => {
    const app = await open();
    await app.node("lead").click({ button: "right" });
    await until("the menu of the agent", () => app.page.getByRole("menuitem").allInnerTexts(), (v) => v.some((x) => /Rename\s*F2/.test(x)) && v.some((x) => /Connect to…\s*C/.test(x)) && v.some((x) => /Delete\s*Del/.test(x)));
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

  for (const key of ["ContextMenu", "Shift+F10"]) test(`APP-1 the menu opens at the agent that has the focus: ${key}`, async ({ open }) => {
    const app = await open();
    await app.node("writer").click();
    await app.page.keyboard.press("Escape");
    await app.node("writer").focus();
    await app.page.keyboard.press(key);
    await item(app, /^Rename/).waitFor();
    const node = (await app.node("writer").boundingBox())!, menu = (await app.page.getByRole("menu").boundingBox())!;
    expect(menu.x).toBeGreaterThan(node.x - 20);
    expect(menu.x).toBeLessThan(node.x + node.width + 20);
    await until("the menu to have the focus", () => app.page.evaluate(() => !!document.activeElement?.closest("[role=menu]")));
    await app.page.keyboard.press("Home");
    await app.page.keyboard.press("Enter");
    await until("the name to take the keys", () => app.node("writer").locator("input").evaluate((e) => e === document.activeElement));
    expect(app.complaints).toEqual([]);
  });
});
