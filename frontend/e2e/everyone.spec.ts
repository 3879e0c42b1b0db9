import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until, type App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

const agents = () => ({
  defaults: { thinkingDefault: "low", model: { primary: "fake/fake-1" } },
  entries: {
    lead: { name: "Lead", subagents: { allowAgents: ["writer", "coder"] } },
    writer: { name: "Writer" },
    coder: { name: "Coder" },
  },
});
const everyone = (app: App) => app.page.locator(".react-flow__node-everyone");
const panel = (app: App) => app.page.getByText("Settings that every agent inherits", { exact: true });
const row = (app: App, path: string) => app.page.locator(`[data-setting="${path}"]`);
const selected = (app: App) => everyone(app).evaluate((n) => n.classList.contains("selected"));

type Open = (o?: Parameters<typeof App.open>[0]) => Promise<App>;

/** A hub with the team of an OpenClaw gateway on the canvas. */
async function opened(open: Open, work: (app: App, gateway: FakeGateway) => Promise<void>, how = {}): Promise<void> {
  const gateway = await FakeGateway.start(agents());
  try {
    const app = await open(how);
    await app.openTeam(await gateway.join(app.hub));
    await everyone(app).waitFor();
    await work(app, gateway);
    expect(app.complaints).toEqual([]);
  } finally {
    await gateway.stop();
  }
}

/** Sets a value of everyone, as another window does. */
async function setDefaults(app: App, defaults: Record<string, unknown>): Promise<void> {
  const { id, topology } = await app.team();
  await app.hub.save(id, { ...topology, defaults: { ...topology.defaults, ...defaults } });
}

describe("everyone on the canvas", () => {
  test("OC-1 new agents don't push it out of view", async ({ open }) => {
    await opened(open, async (app) => {
      const place = () => everyone(app).evaluate((n) => n.style.transform);
      const before = await place();
      for (let n = 4; n < 7; n++) {
        await app.button("Add agent").click();
        await until(
          `${n} agents`,
          () => app.page.locator(".react-flow__node-agent").count(),
          (c) => c === n,
        );
        await app.page.keyboard.press("Escape");
      }
      const y = (transform: string) => /, (-?[\d.]+)px/.exec(transform)?.[1];
      expect(y(await place())).toBe(y(before));
    });
  });

  test("OC-1 what every agent inherits is shown above the team, and a click opens its settings", async ({ open }) => {
    await opened(open, async (app) => {
      const { page } = app;
      await everyone(app).getByText("fake-1 · Thinking: low", { exact: true }).waitFor();
      await everyone(app).getByText("2 settings", { exact: true }).waitFor();
      const at = await everyone(app).boundingBox(),
        lead = await app.node("lead").boundingBox();
      expect(at!.y + at!.height).toBeLessThan(lead!.y);
      expect(await everyone(app).locator(".react-flow__handle").count()).toBe(0);

      await everyone(app).click();
      await panel(app).waitFor();
      expect(await selected(app)).toBe(true);
      await setDefaults(app, { params: { temperature: 1 } });
      await everyone(app).getByText("3 settings", { exact: true }).waitFor();
      await page.getByRole("img", { name: "Minimap" }).waitFor();
      expect(await violations(app)).toEqual([]);

      // With Shift, too, an agent takes its place: it is chosen alone.
      await app.node("writer").click({ modifiers: ["Shift"] });
      await panel(app).waitFor({ state: "detached" });
      expect(await selected(app)).toBe(false);
      await everyone(app).click({ modifiers: ["Shift"] });
      await panel(app).waitFor();
      await until(
        "the agent to be let go",
        () => page.locator(".react-flow__node-agent.selected").count(),
        (n) => n === 0,
      );
      await page.locator(".react-flow__pane").click({ position: { x: 200, y: 600 } });
      await panel(app).waitFor({ state: "detached" });
    });
  });

  test("OC-1 keys come to it, go into its panel, and neither delete, copy nor move it", async ({ open }) => {
    await opened(open, async (app) => {
      const { page } = app,
        before = JSON.stringify((await app.team()).topology);
      await app.node("lead").click();
      await page.keyboard.press("Shift+Tab");
      await panel(app).waitFor();
      const name = () =>
        page.evaluate(() => {
          const { ariaLabel, ariaRoleDescription } = document.activeElement!;
          return `${ariaLabel}: ${ariaRoleDescription}`;
        });
      expect(await name()).toBe("Everyone, fake-1 · Thinking: low, 2 settings: settings of every agent");
      const place = await everyone(app).boundingBox();
      const why = page.getByText("Everyone stays where it is", { exact: false });
      for (const key of ["Delete", "Control+c"]) {
        await page.keyboard.press(key);
        await why.waitFor();
        await why.waitFor({ state: "detached" });
      }
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Control+d");
      await why.waitFor();
      await page.keyboard.press("Control+g");
      expect(await everyone(app).boundingBox()).toEqual(place);
      await page.keyboard.press("Enter");
      await until("the cursor in the panel", () =>
        page.evaluate(() => !!document.activeElement?.closest(".panel--side") && document.activeElement.tagName),
      );
      await page.keyboard.press("Escape");
      await everyone(app).focus();
      await page.keyboard.press("Tab");
      await until("the first agent", () =>
        app.node("lead").evaluate((n) => n.contains(document.activeElement) || n === document.activeElement),
      );
      await page.keyboard.press("Shift+Tab");
      await panel(app).waitFor();
      await page.keyboard.press("Escape");
      await panel(app).waitFor({ state: "detached" });
      expect(JSON.stringify((await app.team()).topology)).toBe(before);
    });
  });

  test("OC-1 it follows the team's layout, also undone, isn't dragged, and isn't selected with the rest", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      const { page } = app;
      const above = async () => {
        const nodes = await page.locator(".react-flow__node-agent").all(),
          tops = await Promise.all(nodes.map(async (n) => (await n.boundingBox())!.y)),
          box = await everyone(app).boundingBox();
        return Math.round(Math.min(...tops) - box!.y - box!.height);
      };
      const gap = await above(),
        start = await everyone(app).boundingBox();
      const middle = await app.middle(everyone(app));
      await app.drag(middle, { x: middle.x + 120, y: middle.y + 60 });
      expect(await everyone(app).boundingBox()).toEqual(start);

      const from = await app.middle(app.node("lead"));
      await app.drag(from, { x: from.x, y: from.y - 80 });
      await app.kept("the move", (d) => d.unsent === 0 && d.topology.layout?.lead !== undefined);
      await until("its distance", above, (n) => Math.abs(n - gap) <= 1);
      expect((await everyone(app).boundingBox())!.y).toBeLessThan(start!.y - 60);
      await app.undo();
      await until(
        "its place again",
        () => everyone(app).boundingBox(),
        (b) => Math.abs(b!.y - start!.y) < 1,
      );

      await page.locator(".canvas-menu").focus();
      await page.keyboard.press("Control+a");
      await until(
        "all agents",
        () => page.locator(".react-flow__node-agent.selected").count(),
        (n) => n === 3,
      );
      expect(await selected(app)).toBe(false);
      await everyone(app).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Show in the inspector" }).click();
      await panel(app).waitFor();
      expect(await page.getByRole("menuitem").count()).toBe(0);
    });
  });

  test("OC-1 unapplied changes mark it, also in the review's picture, where a click finds them", async ({ open }) => {
    await opened(open, async (app) => {
      const { page } = app;
      expect(await everyone(app).locator(".mark").count()).toBe(0);
      await setDefaults(app, { thinkingDefault: "high" });
      await everyone(app).locator(".mark").waitFor();
      await app.button("Review Ctrl+Enter").click();
      await page.locator(".everyone.d-chg").waitFor();
      expect(await page.locator(".everyone.d-chg").getByText("Thinking: high", { exact: false }).count()).toBe(1);
      await page.locator(".everyone.d-chg").click();
      await page.locator(".react-flow__node-everyone.selected").waitFor();
      expect(await violations(app)).toEqual([]);
    });
  });

  test("OC-1 the team of the built-in gateway has none, and on a phone it opens its settings to read", async ({
    open,
  }) => {
    await opened(
      open,
      async (app) => {
        await everyone(app).click();
        await panel(app).waitFor();
        expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
        expect(await violations(app)).toEqual([]);
      },
      { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    );
    const plain = await open({});
    await plain.node("lead").waitFor();
    expect(await everyone(plain).count()).toBe(0);
  });
});

describe("the settings of subagents on a Delegate connection", () => {
  test("OC-1 each end's settings are edited on the connection, apply to its other connections, and are undone", async ({
    open,
  }) => {
    await opened(open, async (app, gateway) => {
      const { page } = app;
      const part = (name: string) => page.locator(".set-group", { has: page.getByRole("button", { name }) });
      await app.edge("connection:lead:command:writer").click();
      await part("Lead delegates").getByText("These settings apply to all Delegate connections from Lead.").waitFor();
      await part("Lead delegates").locator("[data-setting='subagents.delegationMode']").getByRole("combobox").click();
      await page.getByRole("option", { name: "prefer", exact: true }).click();
      const extra = (id: string) => async () =>
        JSON.stringify((await app.team()).topology.agents.find((a) => a.id === id)?.extra?.subagents);
      await until("the mode", extra("lead"), (s) => s === '{"delegationMode":"prefer"}');
      await part("Writer receives")
        .locator("[data-setting='subagents.model']")
        .getByRole("textbox")
        .fill("fake/fake-2");
      await until("the model", extra("writer"), (s) => s === '{"model":"fake/fake-2"}');
      await part("Everyone").getByRole("button", { name: "Everyone" }).press("Enter");
      await row(app, "subagents.maxSpawnDepth").getByRole("textbox").fill("2");
      await app.kept("the limit", (d) => JSON.stringify(d.topology.defaults?.subagents) === '{"maxSpawnDepth":2}');
      expect(await violations(app)).toEqual([]);

      // The other connection of the same agent shows the same value.
      await app.edge("connection:lead:command:coder").click();
      await part("Coder receives").waitFor();
      await part("Lead delegates").getByRole("combobox").getByText("prefer").waitFor();
      await app.node("lead").focus();
      for (let i = 0; i < 3; i++) await app.undo();
      await until("the undo", extra("lead"), (s) => s === undefined);
      expect(gateway.config.agents.entries.lead).toEqual(agents().entries.lead);
      const line = app.page.getByRole("combobox", { name: "Kind" });
      await line.click();
      await page.getByRole("option", { name: "Message", exact: true }).click();
      await part("Lead delegates").waitFor({ state: "detached" });
    });
  });
});
