import { describe } from "vitest";
import type { Topology } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import { settingsPart } from "./scenes/scene.ts";
import { seedShop } from "./seed.ts";

const row = (app: App, id: string) => app.page.locator(`.agents-row[data-agent="${id}"]`);
const shown = (app: App) =>
  app.page.locator(".agents-row").evaluateAll((els) => els.map((e) => (e as HTMLElement).dataset.agent));
const chosenRows = (app: App) =>
  app.page
    .locator('.agents-row[aria-selected="true"]')
    .evaluateAll((els) => els.map((e) => (e as HTMLElement).dataset.agent).sort());
const chosenNodes = (app: App) =>
  app.page
    .locator(".react-flow__node-agent.selected")
    .evaluateAll((els) => els.map((e) => (e as HTMLElement).dataset.id).sort());
async function openList(app: App): Promise<void> {
  await app.button("Show the list of agents").click();
  await row(app, "lead").waitFor();
}
const shop = (app: Parameters<typeof seedShop>[0]) => seedShop(app, false).then(() => undefined);

describe("the list of agents", () => {
  test("APP-1 list and canvas share one selection; arrows, Shift, Space and Enter work it", async ({ open }) => {
    const app = await open({ seed: shop, viewport: { width: 1920, height: 1080 } });
    await openList(app);
    await row(app, "qa").click();
    await until(
      "the node to be chosen",
      () => chosenNodes(app),
      (ids) => ids.join() === "qa",
    );
    await app.node("lead").click();
    await until(
      "the row to be chosen",
      () => chosenRows(app),
      (ids) => ids.join() === "lead",
    );
    const order = await shown(app);
    await row(app, order[0]!).click();
    await app.page.getByRole("grid").focus();
    await app.page.keyboard.press("ArrowDown");
    await until(
      "the second row",
      () => chosenRows(app),
      (ids) => ids.join() === order[1],
    );
    await app.page.keyboard.press("Shift+ArrowDown");
    await until(
      "two rows",
      () => chosenNodes(app),
      (ids) => ids.join() === [order[1]!, order[2]!].sort().join(),
    );
    await app.page.keyboard.press("Control+ArrowDown");
    await app.page.keyboard.press("Space");
    await until(
      "a third",
      () => chosenRows(app),
      (ids) => ids.length === 3 && ids.includes(order[3]),
    );
    await app.page.keyboard.press("End");
    await app.page.keyboard.press("Enter");
    await until("the last alone, in view", () => app.node(order.at(-1)!).isVisible());
    expect(await chosenRows(app)).toEqual([order.at(-1)]);
    await app.page.keyboard.press("Control+a");
    await until(
      "all",
      () => chosenNodes(app),
      (ids) => ids.length === order.length,
    );
    await app.page.keyboard.press("Escape");
    await until(
      "none",
      () => chosenRows(app),
      (ids) => ids.length === 0,
    );
    for (const key of ["Space", "ArrowUp", "ArrowUp", "Space"]) await app.page.keyboard.press(key);
    await until(
      "two rows apart from each other",
      () => chosenNodes(app),
      (ids) => ids.join() === [order.at(-1)!, order.at(-3)!].sort().join(),
    );
  });

  test("APP-1 scrolled sideways, each row still shows its agent's name", async ({ open }) => {
    const app = await open({ seed: shop });
    await openList(app);
    const grid = app.page.getByRole("grid");
    await grid.evaluate((e) => {
      e.scrollLeft = e.scrollWidth;
    });
    await until("the last column", () =>
      app.page
        .getByRole("columnheader", { name: "Change" })
        .evaluate((e) => e.getBoundingClientRect().right <= e.closest(".agents")!.getBoundingClientRect().right + 1),
    );
    for (const id of ["lead", "qa"]) {
      // Nothing lies over the name, and its box can be ticked.
      const seen = await row(app, id).evaluate((e) =>
        [".check", "b"].map((s) => {
          const el = e.querySelector(s)!,
            r = el.getBoundingClientRect();
          return el.contains(document.elementFromPoint(r.x + Math.min(8, r.width / 2), r.y + r.height / 2));
        }),
      );
      expect(seen).toEqual([true, true]);
    }
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 it sorts by a column and narrows by text, role, problems and change", async ({ open }) => {
    const app = await open({ seed: shop, viewport: { width: 1920, height: 1080 } });
    await openList(app);
    await app.page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await until(
      "descending",
      () => app.page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort"),
      (s) => s === "descending",
    );
    expect((await shown(app))[0]).toBe("docs"); // Writer
    await app.page.getByRole("columnheader", { name: "Out" }).getByRole("button").click();
    await until(
      "by connections",
      () => shown(app),
      (ids) => ids.slice(0, 2).sort().join() === "arch,lead",
    );
    const filter = app.page.getByRole("search", { name: "Filter the list" }).getByRole("textbox");
    await filter.fill("ＱＷＥＮ３ coder");
    await until(
      "two",
      () => shown(app),
      (ids) => [...ids].sort().join() === "backend,frontend",
    );
    await app.page.getByText("2 of 9").waitFor();
    await filter.fill("nobody at all");
    await app.button("Show all").last().click();
    await until(
      "all again",
      () => shown(app),
      (ids) => ids.length === 9,
    );
    await app.node("ops").click();
    await app.field("Role").fill("Releases");
    await app.kept("the role", (d) => d.changes.length > 0);
    await app.page.locator(".agents-facets").getByRole("button", { name: "Changed" }).click();
    await until(
      "the changed one",
      () => shown(app),
      (ids) => ids.join() === "ops",
    );
  });

  test("APP-5 a change to many is one step of undo", async ({ open }) => {
    const app = await open({ seed: shop, viewport: { width: 1920, height: 1080 } });
    await openList(app);
    await row(app, "backend").click();
    await row(app, "frontend").click({ modifiers: ["Control"] });
    const bulk = app.page.getByRole("toolbar", { name: "Change selected agents" });
    await bulk.getByRole("button", { name: "Role" }).click();
    await app.page.getByRole("dialog").getByRole("textbox").fill("Builds the shop");
    await app.page.getByRole("dialog").getByRole("button", { name: "Set" }).click();
    const roles = (d: { topology: Topology }) =>
      d.topology.agents.filter((a) => a.role === "Builds the shop").map((a) => a.id);
    await app.kept("both roles", (d) => roles(d).join() === "backend,frontend");
    await bulk.getByRole("button", { name: "Tools" }).click();
    await app.page.getByRole("dialog").getByRole("textbox").fill("read, write");
    await app.page.getByRole("dialog").getByRole("button", { name: "Set" }).click();
    await app.kept(
      "both tools",
      (d) => d.topology.agents.filter((a) => a.tools?.allow?.join() === "read,write").length === 2,
    );
    await bulk.getByRole("button", { name: "Model" }).click();
    await app.page.getByRole("dialog").getByRole("combobox").fill("demo/");
    await app.page.getByRole("option").filter({ hasText: "echo" }).first().click();
    await app.page.getByRole("dialog").getByRole("button", { name: "Set" }).click();
    const models = (d: { topology: Topology }) =>
      d.topology.agents.filter((a) => a.model === "demo/echo").map((a) => a.id);
    await app.kept("both models", (d) => models(d).join() === "backend,frontend");
    await app.button(/^Undo/).first().click();
    await app.kept("the old models", (d) => models(d).length === 0);
    await until("the next undo to be offered", () => app.button(/^Undo/).first().isEnabled());
    await app.button(/^Undo/).first().click();
    await app.kept(
      "no tools, the roles still there",
      (d) => !d.topology.agents.some((a) => a.tools?.allow) && roles(d).length === 2,
    );
    await until("undo to be offered again", () => app.button(/^Undo/).first().isEnabled());
    await app.button(/^Undo/).first().click();
    await app.kept("the old roles, in one step", (d) => roles(d).length === 0);
  });

  test("B29 the form for many agents has room and stays off the rail; card heads fill cards", async ({ open }) => {
    const app = await open({ seed: shop, viewport: { width: 1280, height: 800 } });
    await openList(app);
    await row(app, "backend").click();
    await row(app, "frontend").click({ modifiers: ["Control"] });
    const bulk = app.page.getByRole("toolbar", { name: "Change selected agents" });
    for (const name of ["Model", "Role", "Tools"]) {
      await bulk.getByRole("button", { name }).click();
      const form = app.page.getByRole("dialog", { name });
      await form.waitFor();
      const at = await form.evaluate((e) => {
        const rail = document.querySelector(".rail")!.getBoundingClientRect(),
          box = e.getBoundingClientRect();
        const inner = [...e.querySelectorAll("input, textarea, button")].map((x) => x.getBoundingClientRect());
        return {
          offRail: box.left - rail.right,
          room: Math.min(...inner.flatMap((r) => [r.left - box.left, box.right - r.right, box.bottom - r.bottom])),
        };
      });
      expect(at.offRail, name).toBeGreaterThanOrEqual(0);
      expect(at.room, name).toBeGreaterThanOrEqual(12);
      await app.page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
    }
    await app.hub.ask("POST", "/api/providers", { name: "far", kind: "openai", baseUrl: "http://127.0.0.1:9/v1" });
    await settingsPart(app, "models");
    const head = app.page.locator("main article > header").first();
    await head.waitFor();
    const short = await app.page.locator("main article > header").evaluateAll((all) =>
      all.map((e) => {
        const box = e.parentElement!,
          r = e.getBoundingClientRect();
        return Math.round(box.getBoundingClientRect().left + box.clientLeft + box.clientWidth - r.right);
      }),
    );
    expect(short).toEqual(short.map(() => 0));
  });

  test("APP-1 it is resized by its edge, and open and as wide after a reload", async ({ open }) => {
    const app = await open({ seed: shop });
    await openList(app);
    const handle = app.page.getByRole("separator", { name: "Width of the list" });
    const before = Number(await handle.getAttribute("aria-valuenow"));
    await handle.focus();
    await app.page.keyboard.press("ArrowRight");
    await until(
      "wider",
      async () => Number(await handle.getAttribute("aria-valuenow")),
      (n) => n === before + 16,
    );
    await app.page.reload();
    await row(app, "lead").waitFor();
    expect(Number(await handle.getAttribute("aria-valuenow"))).toBe(before + 16);
    await app.button("Hide the list").last().click();
    await row(app, "lead").waitFor({ state: "detached" });
  });

  test("APP-1 5,000 agents: only the rows that are seen are drawn, and all are found", async ({ open }) => {
    const app = await open({ seed: shop });
    await openList(app);
    const agents = Array.from({ length: 5000 }, (_, i) => ({
      id: `a-${i}`,
      name: `Agent ${i}`,
      model: "demo/echo",
      connections: [{ targetId: `a-${(i + 1) % 5000}`, type: "command" }],
    }));
    const layout = Object.fromEntries(
      agents.map((a, i) => [a.id, { x: (i % 100) * 220, y: Math.floor(i / 100) * 120 }]),
    );
    await app.hub.save((await app.team()).id, { agents, layout });
    const grid = app.page.getByRole("grid");
    await until(
      "all rows to be counted",
      () => grid.getAttribute("aria-rowcount"),
      (n) => n === "5001",
    );
    await row(app, "a-0").waitFor();
    expect((await shown(app)).length).toBeLessThan(80);
    await grid.focus();
    await app.page.keyboard.press("End");
    await row(app, "a-4999").waitFor();
    await app.page.getByRole("search", { name: "Filter the list" }).getByRole("textbox").fill("agent 4321");
    await until(
      "one",
      () => shown(app),
      (ids) => ids.join() === "a-4321",
    );
    await grid.focus();
    await app.page.keyboard.press("ArrowDown");
    await app.page.keyboard.press("Enter");
    await app.node("a-4321").waitFor();
    expect(await chosenNodes(app)).toEqual(["a-4321"]);
  });
});
