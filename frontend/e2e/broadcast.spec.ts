import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { opened, panel } from "./routing.ts";

const entries = { main: { name: "Main" }, writer: { name: "Writer" }, ops: { name: "Ops" } };
const group = { agents: ["main", "writer"], maxRounds: 2 };
const more = { entries, broadcast: { "telegram:-7": group } };
const card = (app: App, key: string) => app.page.locator(`.react-flow__node[data-id="channel:@:${key}"]`);
const line = (app: App, key: string, agent: string) => app.edge(`cast:${key}>${agent}`);
const section = (app: App) => panel(app).getByRole("region", { name: "Broadcast groups" });

async function fit(app: App): Promise<void> {
  await app.button(/^Fit/).first().click();
  await app.ready();
}

/** Asks who answers a group of Telegram. */
async function ask(app: App, id: string): Promise<void> {
  const who = panel(app).getByRole("region", { name: "Who answers?" });
  await who.getByRole("combobox", { name: "Channel" }).fill("telegram");
  await who.getByRole("combobox", { name: "Comes from" }).click();
  await app.page.getByRole("option", { name: "Group", exact: true }).click();
  await who.getByRole("textbox", { name: "ID", exact: true }).fill(id);
  await who.getByRole("button", { name: "Find agent" }).click();
}

describe("broadcast groups", () => {
  test("OC-3 a group is added, answers, is reviewed, applied and read back", async ({ open }) => {
    await opened(
      open,
      async (app, gateway) => {
        await section(app).getByRole("button", { name: "Add group" }).press("Enter");
        const form = section(app).getByRole("form", { name: "Add group" });
        await form.getByRole("combobox", { name: "Channel" }).fill("telegram");
        await form.getByRole("button", { name: "Add", exact: true }).click();
        await form.getByText("Enter the ID of the conversation.").waitFor();
        await form.getByRole("textbox", { name: "Conversation ID" }).fill("-8");
        await form.getByRole("button", { name: "Add", exact: true }).click();
        await form.getByText("Select at least one agent.").waitFor();
        await form.getByRole("checkbox", { name: "Writer" }).press("Space");
        await form.getByRole("checkbox", { name: "Ops" }).press("Space");
        await form.getByText("2 of 3 selected").waitFor();
        expect(await violations(app)).toEqual([]);
        await form.getByRole("button", { name: "Add", exact: true }).press("Enter");
        await app.kept(
          "the group",
          (d) => JSON.stringify(d.topology.broadcast?.["telegram:-8"]) === '["writer","ops"]',
        );
        await section(app).getByRole("combobox", { name: "Order of answers" }).click();
        await app.page.getByRole("option", { name: "One after another" }).click();
        await app.kept("the order", (d) => d.topology.broadcast?.strategy === "sequential");

        await ask(app, "-8");
        await panel(app).getByText("Writer and Ops answer, because the conversation is a broadcast group.").waitFor();
        await ask(app, "-9");
        await panel(app)
          .getByText(/Main answers/)
          .waitFor();

        await app.button("Review Ctrl+Enter").click();
        await app.page.getByText("Broadcast group of Telegram, conversation -8").first().waitFor();
        await app.page.getByText("Agents: Writer and Ops").first().waitFor();
        await app.page.getByText("Order of answers: One after another").first().waitFor();
        await app.button(/^Apply 2 changes/).click();
        await app.page
          .getByText(/^Applied 2 changes/)
          .first()
          .waitFor();
        await until(
          "the gateway's config",
          () => gateway.config.broadcast,
          (b) =>
            JSON.stringify(b) ===
            JSON.stringify({ "telegram:-7": group, "telegram:-8": ["writer", "ops"], strategy: "sequential" }),
        );
      },
      more,
    );
  });

  test("OC-3 a group is edited and keeps its other settings, is deleted and brought back by undo", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await section(app).getByRole("button", { name: "Edit group of Telegram, conversation -7" }).click();
        const edit = section(app).getByRole("form", { name: "Edit group of Telegram, conversation -7" });
        await edit.getByText("The group's other settings are kept.").waitFor();
        await edit.getByRole("checkbox", { name: "Main" }).click();
        await edit.getByRole("button", { name: "Save" }).click();
        const left = JSON.stringify({ ...group, agents: ["writer"] });
        await app.kept("the change", (d) => JSON.stringify(d.topology.broadcast?.["telegram:-7"]) === left);
        await section(app).getByRole("button", { name: "Delete group of Telegram, conversation -7" }).click();
        await app.kept("the deletion", (d) => d.topology.broadcast?.["telegram:-7"] === undefined);
        await app.page.keyboard.press("Control+z");
        await app.kept("the undo", (d) => JSON.stringify(d.topology.broadcast?.["telegram:-7"]) === left);
      },
      more,
    );
  });

  test("OC-3 a group stands beside the team, with a line to each agent that is drawn, deleted and undone", async ({
    open,
  }) => {
    await opened(
      open,
      async (app) => {
        await card(app, "telegram:-7").getByText("2 agents answer").waitFor();
        await fit(app);
        await line(app, "telegram:-7", "main").waitFor();
        await line(app, "telegram:-7", "writer").waitFor();
        expect(await violations(app)).toEqual([]);
        const from = card(app, "telegram:-7");
        await from.hover();
        await app.drag(await app.middle(from.locator(".react-flow__handle")), await app.middle(app.node("ops")));
        await app.kept(
          "the third agent",
          (d) =>
            JSON.stringify(d.topology.broadcast?.["telegram:-7"]) ===
            JSON.stringify({ ...group, agents: ["main", "writer", "ops"] }),
        );
        await from.focus();
        await app.page.keyboard.press("l");
        await app.page
          .getByText("Broadcast group of Telegram, conversation -7: Main")
          .first()
          .waitFor({ state: "attached" });
        await until(
          "its row",
          () => panel(app).locator("[aria-current=true]").innerText(),
          (s) => s.includes("conversation -7"),
        );
        await app.page.keyboard.press("Delete");
        await app.kept(
          "two agents",
          (d) =>
            JSON.stringify(d.topology.broadcast) ===
            JSON.stringify({ "telegram:-7": { ...group, agents: ["writer", "ops"] } }),
        );
        await app.page.keyboard.press("Control+z");
        await line(app, "telegram:-7", "main").waitFor();
        await from.focus();
        await app.page.keyboard.press("l");
        await app.page.keyboard.press("Enter");
        await section(app).getByRole("form", { name: "Edit group of Telegram, conversation -7" }).waitFor();
        await ask(app, "-7");
        await line(app, "telegram:-7", "ops").locator(".edge--won").waitFor();
      },
      more,
    );
  });

  test("OC-3 an agent that is deleted leaves its groups", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await app.node("writer").click();
        await app.page.keyboard.press("Delete");
        await app.kept(
          "the group without it",
          (d) =>
            JSON.stringify(d.topology.broadcast?.["telegram:-7"]) === JSON.stringify({ ...group, agents: ["main"] }),
        );
        await app.page.keyboard.press("Control+z");
        await app.kept(
          "the undo",
          (d) => JSON.stringify(d.topology.broadcast?.["telegram:-7"]) === JSON.stringify(group),
        );
      },
      more,
    );
  });

  test("OC-3 on a phone the groups can be read and asked", async ({ open }) => {
    await opened(
      (o) => open({ ...o, viewport: { width: 390, height: 844 } }),
      async (app) => {
        await section(app).getByText("Telegram, conversation -7").waitFor();
        await ask(app, "-7");
        await panel(app).getByText("Main and Writer answer, because the conversation is a broadcast group.").waitFor();
        expect(await panel(app).getByRole("button", { name: "Add group" }).count()).toBe(0);
        expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      },
      more,
    );
  });
});
