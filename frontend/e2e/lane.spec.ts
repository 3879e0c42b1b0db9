import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { opened, panel } from "./routing.ts";

const card = (app: App, channel: string, account = "default") =>
  app.page.locator(`.react-flow__node[data-id="channel:${channel}:${account}"]`);
const bindings = [
  { agentId: "main", match: { channel: "telegram", accountId: "*" } },
  { agentId: "writer", match: { channel: "telegram", accountId: "work", peer: { kind: "direct", id: "4711" } } },
  { agentId: "ghost", match: { channel: "discord", guildId: "42" } },
  "odd",
];
const line = (app: App, at: number) => app.edge(`binding:${at}`);

/** Brings everything into view: a panel that opens moves nothing. */
async function fit(app: App): Promise<void> {
  await app.button(/^Fit/).first().click();
  await app.ready();
}

/** A click on a line's label. */
const pick = (app: App, at: number) => app.page.locator(`.on-line[data-id="binding:${at}"] .edge-label`).click();

/** Draws a line from a card of a channel to an agent. */
async function bind(app: App, from: ReturnType<typeof card>, agent: string): Promise<void> {
  await from.hover();
  await app.drag(await app.middle(from.locator(".react-flow__handle")), await app.middle(app.node(agent)));
}

describe("the lane of channels", () => {
  test("OC-3 channels stand beside the team, and each binding is a line with its conditions", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await card(app, "telegram", "work").getByText("1 binding").waitFor();
        await card(app, "telegram", "*").getByText("All accounts").waitFor();
        await card(app, "telegram", "home").getByText("As all accounts").waitFor();
        await card(app, "discord").getByText("ghost isn't in the team.").waitFor();
        await app.page.getByText("1 · Person 4711", { exact: true }).waitFor();
        await app.page.getByText("3 · All messages", { exact: true }).waitFor();
        expect(await line(app, 2).count()).toBe(0);
        expect(await violations(app)).toEqual([]);

        await app.button("Hide channels on the canvas").click();
        await until(
          "no channels",
          () => card(app, "discord").count(),
          (n) => n === 0,
        );
        await app.page.reload();
        await app.ready();
        await app.button("Show channels on the canvas").click();
        await card(app, "discord").waitFor();
      },
      { bindings },
    );
  });

  test("APP-1 OC-3 a window that becomes a phone's, and wide again, shows all of the team", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await card(app, "telegram", "*").waitFor();
        await fit(app);
        const inView = () =>
          app.page.locator(".react-flow__node-agent").evaluateAll((nodes) => {
            const area = document.querySelector(".react-flow")!.getBoundingClientRect();
            return nodes.every((n) => {
              const r = n.getBoundingClientRect();
              return r.width > 40 && r.left >= area.left && r.right <= area.right && r.top >= area.top;
            });
          });
        for (const width of [390, 1280]) {
          await app.page.setViewportSize({ width, height: 800 });
          await until(
            "the canvas to have its size",
            () => app.page.evaluate(() => document.querySelector(".react-flow")!.clientWidth),
            (w) => (width === 390 ? w > 350 && w <= 390 : w > 390),
          );
          await until(`all of the team at ${width}`, inView);
        }
      },
      { bindings },
    );
  });

  test("OC-3 a channel that is gone from the gateway is said to be, and no longer once it is restored", async ({
    open,
  }) => {
    await opened(
      open,
      async (app, gateway) => {
        const gone = card(app, "discord").getByText("Not on the gateway");
        await card(app, "discord").waitFor();
        expect(await gone.count()).toBe(0);
        const before = gateway.config;
        gateway.config = { ...before, channels: {} };
        gateway.tellConfig();
        await gone.waitFor();
        await app.page.getByRole("button", { name: "Restore…" }).click();
        await app.page
          .getByRole("dialog")
          .getByRole("button", { name: /^Roll back/ })
          .click();
        await gone.waitFor({ state: "detached" });
      },
      { bindings },
    );
  });

  test("OC-3 a line drawn from a channel is a binding, is moved to another agent, deleted and undone", async ({
    open,
  }) => {
    await opened(
      open,
      async (app) => {
        await fit(app);
        await bind(app, card(app, "discord"), "writer");
        const form = panel(app).getByRole("form", { name: /Edit binding/ });
        await form.getByRole("combobox", { name: "Conversation" }).click();
        await app.page.getByRole("option", { name: "Group", exact: true }).click();
        await form.getByRole("textbox", { name: "ID", exact: true }).fill("77");
        await form.getByRole("button", { name: "Save" }).click();
        const grouped = { agentId: "writer", match: { channel: "discord", peer: { kind: "group", id: "77" } } };
        await app.kept("the binding", (d) => JSON.stringify(d.topology.bindings?.[4]) === JSON.stringify(grouped));

        await pick(app, 4);
        await until(
          "its row",
          () => panel(app).locator("[aria-current=true]").innerText(),
          (s) => s.includes("Group 77"),
        );
        const end = line(app, 4).locator(".react-flow__edgeupdater-target");
        await app.drag(await app.middle(end), await app.middle(app.node("main")));
        await app.kept("the other agent", (d) => (d.topology.bindings?.[4] as { agentId: string }).agentId === "main");
        await pick(app, 4);
        await app.page.keyboard.press("Delete");
        await app.kept("the deletion", (d) => d.topology.bindings?.length === 4);
        await app.page.keyboard.press("Control+z");
        await app.kept("the undo", (d) => d.topology.bindings?.length === 5);
        await app.page.keyboard.press("Control+z");
        await app.page.keyboard.press("Control+z");
        await app.page.keyboard.press("Control+z");
        await app.kept("all undone", (d) => d.topology.bindings?.length === 4);
      },
      { bindings },
    );
  });

  test("OC-3 channels and bindings are reached and drawn with the keyboard", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        const { keyboard } = app.page;
        await fit(app);
        await card(app, "discord").focus();
        await keyboard.press("Tab");
        await keyboard.press("Tab");
        await keyboard.press("Tab");
        await until(
          "the card",
          () => app.page.evaluate(() => document.activeElement?.getAttribute("data-id")),
          (id) => id === "channel:telegram:work",
        );
        expect(await card(app, "telegram", "work").getAttribute("aria-label")).toBe("Telegram, Work phone, 1 binding");
        await keyboard.press("l");
        await app.page
          .getByText("Binding 1: Telegram, account work, Person 4711 to Writer")
          .first()
          .waitFor({ state: "attached" });
        await keyboard.press("Delete");
        await app.kept("the deletion", (d) => d.topology.bindings?.length === 3);
        await app.page.keyboard.press("Control+z");
        await app.kept("the undo", (d) => d.topology.bindings?.length === 4);
        await card(app, "discord").focus();
        await keyboard.press("c");
        await app.page.getByText("Use the arrow keys to pick an agent").waitFor();
        await keyboard.press("Enter");
        await app.kept("the binding", (d) => d.topology.bindings?.length === 5);
        await panel(app)
          .getByRole("form", { name: /Edit binding/ })
          .waitFor();
      },
      { bindings },
    );
  });

  test("OC-3 who answers is lit up on the canvas, and the others stand back", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        const who = panel(app).getByRole("region", { name: "Who answers?" });
        await who.getByRole("combobox", { name: "Channel" }).fill("telegram");
        await who.getByRole("button", { name: "Find agent" }).click();
        await panel(app)
          .getByText(/Main answers/)
          .waitFor();
        await fit(app);
        await line(app, 0).locator(".edge--won").waitFor();
        await line(app, 1).locator(".edge--dim").waitFor();
        await card(app, "discord").locator(".is-dim").waitFor();
        await panel(app).getByRole("button", { name: "Close" }).click();
        await until(
          "nothing lit",
          () => app.page.locator(".edge--won").count(),
          (n) => n === 0,
        );
      },
      { bindings },
    );
  });
});

describe("the lane of a large team", () => {
  test("OC-3 1,000 agents with 200 bindings of 50 channels are drawn without an element for each line", async ({
    open,
  }) => {
    const channels = Array.from({ length: 50 }, (_, i) => `channel-${i}`);
    const many = Array.from({ length: 200 }, (_, i) => ({
      agentId: `agent-${(i * 37) % 1000}`,
      match: { channel: channels[i < 60 ? 0 : i % 50], peer: { kind: "group", id: String(i) } },
    }));
    const entries = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`agent-${i}`, { name: `Agent ${i}` }]));
    await opened(
      open,
      async (app) => {
        await panel(app).getByText("channel-0, default account", { exact: false }).first().waitFor();
        await panel(app).getByRole("button", { name: "Close" }).click();
        await fit(app);
        await card(app, "channel-0").waitFor();
        await until(
          "the lines to be drawn",
          () => app.page.locator("canvas[data-crowd]").count(),
          (n) => n === 1,
        );
        expect(await app.page.locator(".react-flow__edge").count()).toBe(0);
        expect(await app.page.locator(".react-flow__node:not(:has(.lane-card))").count()).toBeLessThan(5);
        await app.button("Hide channels on the canvas").click();
        await until(
          "no channels",
          () => app.page.locator(".lane-card").count(),
          (n) => n === 0,
        );
        await app.button("Show channels on the canvas").click();
        await card(app, "channel-49").waitFor();
        expect(app.complaints).toEqual([]);
      },
      { bindings: many, entries, channels: Object.fromEntries(channels.map((c) => [c, {}])) },
    );
  });
});

describe("the panel of routes", () => {
  test("OC-3 says that the gateway has bindings which the team doesn't know, and imports them", async ({ open }) => {
    await opened(
      open,
      async (app, gateway) => {
        gateway.config = { ...gateway.config, bindings };
        gateway.tellConfig();
        const banner = panel(app).getByText(
          "The gateway has bindings or broadcast groups that this team doesn't know.",
          { exact: false },
        );
        await until(
          "the gateway to be read again",
          () => banner.count(),
          (n) => n === 1,
        );
        await panel(app).getByRole("button", { name: "Import", exact: true }).click();
        await app.kept("the bindings", (d) => d.topology.bindings?.length === 4);
        await banner.waitFor({ state: "detached" });
      },
      { bindings: [] },
    );
  });

  test("OC-3 says that a binding changed meanwhile, and keeps the form open", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await panel(app).getByRole("button", { name: "Edit binding 1" }).click();
        // Its number changes with what it is about.
        const form = panel(app).getByRole("form", { name: /^Edit binding/ });
        await form.waitFor();
        const { id, head, topology } = await app.team();
        const other = {
          ...topology,
          bindings: bindings.map((b, i) => (i === 1 ? { agentId: "main", match: { channel: "irc" } } : b)),
        };
        await app.hub.ask("PUT", `/api/teams/${id}`, { topology: other, head, label: "edit.bindingChange" });
        await fit(app);
        await card(app, "irc").waitFor();
        await form.getByRole("button", { name: "Save" }).click();
        await form.getByText("The binding changed meanwhile. Cancel, and edit it again.").waitFor();
      },
      { bindings },
    );
  });
});
