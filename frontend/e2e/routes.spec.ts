import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { bindings, opened, panel } from "./routing.ts";

const form = (app: App) => panel(app).getByRole("form", { name: "Add binding" });

async function pick(app: App, label: string, option: string): Promise<void> {
  await form(app).getByRole("combobox", { name: label }).click();
  await app.page.getByRole("option", { name: option, exact: true }).click();
}

/** Adds a binding of the account Work phone to Writer, with the keyboard alone but for the lists. */
async function bindWriter(app: App): Promise<void> {
  await panel(app).getByRole("button", { name: "Add binding" }).press("Enter");
  await pick(app, "Agent", "Writer");
  await form(app).getByRole("combobox", { name: "Channel" }).fill("telegram");
  await pick(app, "Account", "Work phone");
  await form(app).getByRole("button", { name: "Add", exact: true }).press("Enter");
  await app.kept("the binding", (d) => d.topology.bindings?.length === 4);
  // Its number is known once the hub has said in which order the gateway tries the bindings.
  await panel(app).getByText("Telegram, account work", { exact: true }).waitFor();
}

async function ask(app: App, account: string): Promise<void> {
  const who = panel(app).getByRole("region", { name: "Who answers?" });
  await who.getByRole("combobox", { name: "Channel" }).fill("telegram");
  await who.getByRole("combobox", { name: "Account" }).click();
  await app.page.getByRole("option", { name: account, exact: true }).click();
  await who.getByRole("button", { name: "Find agent" }).click();
}

describe("routes", () => {
  test("OC-3 a binding is added, explained, reviewed, applied, read back and undone", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      await panel(app).getByText("Not understood. It is kept as it is.").waitFor();
      await bindWriter(app);
      const answer = panel(app).getByRole("status").last();
      await ask(app, "Work phone");
      await panel(app).getByText("Writer answers, because of binding 1.").waitFor();
      await until(
        "the winner on the canvas",
        () => app.node("writer").getAttribute("class"),
        (c) => !!c?.includes("selected"),
      );
      await panel(app).getByText("A more precise binding wins.").waitFor();
      await ask(app, "home");
      await panel(app).getByText("Main answers, because of binding 2.").waitFor();
      expect(await answer.count()).toBe(1);

      await app.button("Review Ctrl+Enter").click();
      await app.page.getByText("Messages of Telegram, account work").first().waitFor();
      await app.page.getByText("Go to Writer").first().waitFor();
      await app.button(/^Apply 1 change/).click();
      await app.page
        .getByText(/^Applied 1 change/)
        .first()
        .waitFor();
      await until(
        "the gateway's config",
        () => gateway.config.bindings,
        (b) =>
          JSON.stringify(b) ===
          JSON.stringify([...bindings, { agentId: "writer", match: { channel: "telegram", accountId: "work" } }]),
      );
      await app.kept("nothing left to apply", (d) => d.unsent === 0);
    });
  });

  test("OC-3 a binding is edited, deleted and brought back by undo; one to a missing agent is a problem", async ({
    open,
  }) => {
    await opened(open, async (app) => {
      await bindWriter(app);
      await panel(app).getByRole("button", { name: "Edit binding 1" }).press("Enter");
      const edit = panel(app).getByRole("form", { name: "Edit binding 1" });
      await edit.getByRole("combobox", { name: "Conversation" }).click();
      await app.page.getByRole("option", { name: "Person", exact: true }).click();
      await edit.getByRole("button", { name: "Save" }).click();
      await edit.getByText("Enter an ID, or choose all conversations.").waitFor();
      await edit.getByRole("textbox", { name: "ID" }).fill("4711");
      await edit.getByRole("button", { name: "Save" }).click();
      await panel(app).getByText("Telegram, account work, Person 4711").waitFor();
      await panel(app).getByRole("button", { name: "Delete binding 1" }).press("Enter");
      await app.kept("the deletion", (d) => d.topology.bindings?.length === 3);
      await app.page.keyboard.press("Control+z");
      await app.kept("the undo", (d) => d.topology.bindings?.length === 4);
      await panel(app).getByText("Telegram, account work, Person 4711").waitFor();

      const { id, head, topology } = await app.team();
      const strange = { ...topology, bindings: [{ agentId: "ghost", match: { channel: "irc" } }] };
      await app.hub.ask("PUT", `/api/teams/${id}`, { topology: strange, head, label: "edit.bindingChange" });
      await panel(app).getByText("ghost isn't in the team.").waitFor();
      await panel(app).getByText("The gateway doesn't have this channel.").waitFor();
    });
  });

  test("OC-3 an agent that is deleted takes its bindings along", async ({ open }) => {
    await opened(open, async (app) => {
      await bindWriter(app);
      await app.node("writer").click();
      await app.page.keyboard.press("Delete");
      await app.kept("the deletion", (d) => d.topology.bindings?.length === 3);
      await app.page.keyboard.press("Control+z");
      await app.kept("the undo", (d) => d.topology.bindings?.length === 4);
    });
  });

  test("OC-3 on a phone the routes can be read and asked", async ({ open }) => {
    await opened(
      (o) => open({ ...o, viewport: { width: 390, height: 844 } }),
      async (app) => {
        await ask(app, "home");
        await panel(app).getByText("Main answers, because of binding 1.").waitFor();
        expect(await panel(app).getByRole("button", { name: "Add binding" }).count()).toBe(0);
        expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      },
    );
  });

  test("OC-3 the built-in gateway has no channels", async ({ open }) => {
    const app = await open();
    await app.button("Show routes").click();
    await panel(app).getByText("No channels", { exact: true }).waitFor();
  });
});
