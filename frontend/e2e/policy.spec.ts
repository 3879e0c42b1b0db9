import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";
import { gate, says, withTeam } from "./team.ts";

type State = {
  policy: {
    order: string;
    toPeople: string;
    toAgents: string;
    maxAgentTurns: number;
    turnsPerMinute: number;
    maxTokens: number;
  };
  agents: { name: string; turnId?: string; queued?: boolean }[];
  costUsd: number;
  unpriced: number;
};
const state = (app: App) => app.hub.ask<State>("GET", "/api/rooms/Night/state");
const field = (app: App) => app.page.locator(".composer textarea");
const strip = (app: App) => app.page.getByRole("group", { name: "How the agents talk" });
const say = async (app: App, text: string) => {
  await field(app).fill(text);
  await app.page.keyboard.press("Enter");
};

const mine = Object.values(networkInterfaces())
  .flat()
  .some((a) => a && !a.internal);
if (!mine) console.error("NOT TESTED: the link of a room for another computer: this one is in no network");

const knock = (hub: Hub) =>
  hub.ask("POST", "/api/message", { room: "設計 1", sender: "backend", message: "Here." }).then(() => undefined);
/** Opens the room with who is in it. */
async function here(page: Page): Promise<void> {
  await page.evaluate((room) => {
    location.hash = `#/rooms/${encodeURIComponent(room)}`;
  }, "設計 1");
  await page.locator(".composer textarea").waitFor();
  if (
    !(await page
      .locator(".rooms-link")
      .or(page.getByRole("heading", { name: "Participants" }))
      .count())
  )
    await page.getByRole("button", { name: "Participants" }).first().click();
}
async function makeLink(page: Page): Promise<string> {
  await here(page);
  await page.getByRole("button", { name: "Create link" }).click();
  return (await page.locator('.rooms-link code[title^="http"]').getAttribute("title"))!;
}

/** A room of Dev and Writer, from the menu of what is chosen on the canvas. */
async function openByMenu(app: App): Promise<void> {
  await app.node("dev").click();
  await app.node("writer").click({ modifiers: ["Shift"] });
  await app.node("dev").click({ button: "right" });
  await app.page.getByRole("menuitem", { name: "Open as a room…" }).click();
  for (const name of ["Dev", "Writer"]) expect(await app.page.getByRole("checkbox", { name }).isChecked()).toBe(true);
  expect(await app.page.getByRole("checkbox", { name: "Ops" }).isChecked()).toBe(false);
  await app.page.getByLabel("Name", { exact: true }).fill("Night");
  await app.page.keyboard.press("Enter");
  await field(app).waitFor();
}

describe("the settings of a room", () => {
  test("CH-12 who answers, in which order and how much is set by keyboard, shown, and kept", async ({ open }) => {
    const first = gate();
    await withTeam(
      open,
      async function* () {
        yield "Well, ";
        await first.opened;
        yield "done.";
      },
      async (app) => {
        await openByMenu(app);
        await strip(app).getByText("All at once · agents answer along connections").waitFor();
        await strip(app)
          .getByRole("button", { name: /^Room settings/ })
          .focus();
        await app.page.keyboard.press("Enter");
        const dialog = app.page.getByRole("dialog", { name: "Settings of Night" });
        await dialog.getByRole("radio", { name: "One after the other" }).click();
        await dialog.getByRole("radio", { name: "No one" }).click();
        await dialog.getByLabel("Turns of agents in a row").fill("0");
        await app.page.keyboard.press("Enter");
        await dialog.getByText("Enter a whole number from 1 to 1,000.").waitFor();
        await dialog.getByLabel("Turns of agents in a row").fill("３");
        await dialog.getByLabel("Total token limit").fill("50,000");
        await app.page.keyboard.press("Enter");
        await dialog.waitFor({ state: "detached" });
        await strip(app).getByText("One after the other · agents answer people only").waitFor();
        await strip(app).getByText("Turns 0 of 3").waitFor();
        expect((await state(app)).policy).toEqual({
          order: "round_robin",
          toPeople: "all",
          toAgents: "none",
          maxAgentTurns: 3,
          turnsPerMinute: 30,
          maxTokens: 50_000,
        });

        // One after the other: while the first writes, the second waits, although both are meant.
        await say(app, "Begin");
        await app.page.locator("article.msg[data-live]").getByText("Well,").waitFor();
        const now = await state(app);
        expect(now.agents.filter((a) => a.turnId).length).toBe(1);
        expect(now.agents.filter((a) => a.queued).length).toBe(1);
        first.open();
        await until(
          "both have answered",
          () => app.page.locator("article.msg[data-message]").getByText("Well, done.").count(),
          (n) => n === 2,
        );
        await strip(app).getByText("Turns 2 of 3").waitFor();
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("CH-11 what a model costs is written down in the settings, and a room says what it has cost", async ({
    open,
  }) => {
    await withTeam(open, says("Yes."), async (app) => {
      await openByMenu(app);
      await say(app, "@Dev ready?");
      await app.page.locator("article.msg[data-message]").getByText("Yes.").waitFor();
      const before = await until(
        "the count",
        () => state(app),
        (s) => s.unpriced > 0,
      );
      expect(before.costUsd).toBe(0);

      await app.go("settings");
      await app.button(/^Models/).click();
      const card = app.page.getByRole("article", { name: "local" });
      await card.getByRole("button", { name: "Price of local/m: Price unknown" }).click();
      const dialog = app.page.getByRole("dialog", { name: "Price of local/m" });
      await dialog.getByLabel("Input").fill("a lot");
      await app.page.keyboard.press("Enter");
      await dialog.getByText("Enter an amount such as 1.25, or 0 if it's free.").first().waitFor();
      await dialog.getByLabel("Input").fill("１０００");
      await dialog.getByLabel("Output").fill("250000.5");
      await app.page.keyboard.press("Enter");
      await card.getByText("$1,000 in, $250,000.5 out").first().waitFor();
      expect(await app.hub.ask("GET", "/api/prices")).toMatchObject({
        prices: [{ model: "local/m", input: 1000, output: 250_000.5 }],
      });

      await app.go("rooms/Night");
      await field(app).waitFor();
      await say(app, "@Dev again?");
      await until(
        "the cost",
        () => state(app),
        (s) => s.costUsd > 0,
      );
      await strip(app)
        .getByText(/^\$\d.* \+$/)
        .waitFor();

      await app.go("settings");
      await card.getByRole("button", { name: /^Price of local\/m: / }).click();
      await dialog.getByRole("button", { name: "Remove price" }).click();
      await card.getByRole("button", { name: "Price of local/m: Price unknown" }).waitFor();
      expect(await app.hub.ask("GET", "/api/prices")).toMatchObject({ prices: [] });
      expect(app.complaints).toEqual([]);
    });
  });

  test.skipIf(!mine)(
    "APP-4 a link opens the room in another browser, once, at the address that others reach",
    async ({ open }) => {
      const app = await open({ host: "0.0.0.0", seed: knock });
      expect(new URL(app.page.url()).hostname).toBe("127.0.0.1");
      const link = await makeLink(app.page);
      expect(isIP(new URL(link).hostname) && !new URL(link).hostname.startsWith("127.")).toBe(true);
      const command = app.page.locator('.rooms-link code[title^="agentflow chat join"]');
      expect(await command.getAttribute("title")).toContain(`--url ${new URL(link).origin} `);
      const elsewhere = await app.page.context().browser()!.newContext();
      try {
        const other = await elsewhere.newPage();
        await other.goto(link);
        await other.locator("article.msg[data-message]").getByText("Here.").waitFor();
        const third = await (await app.page.context().browser()!.newContext()).newPage();
        expect((await third.goto(link))?.status()).toBeGreaterThanOrEqual(400);
        await third.context().close();
        // A page that was itself opened there hands out its own address.
        expect(new URL(await makeLink(other)).origin).toBe(new URL(other.url()).origin);
      } finally {
        await elsewhere.close();
      }
      expect(app.complaints).toEqual([]);
    },
  );

  test("APP-4 where only this computer reaches the hub, a room hands out no link, and says what to do", async ({
    open,
  }) => {
    const app = await open({ seed: knock });
    await here(app.page);
    await app.page.getByText("Only this computer can reach AgentFlow now.").waitFor();
    expect(await app.button("Create link").count()).toBe(0);
    const port = new URL(app.hub.url).port;
    expect(await app.page.locator(".rooms-link code").allTextContents()).toEqual([
      expect.stringMatching(`^agentflow serve --data .+ --listen 0\\.0\\.0\\.0:${port} --tls-self-signed$`),
    ]);
    await app.page.getByRole("link", { name: "Settings → Security" }).click();
    await app.page.getByText("Only this computer can connect to it.").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 from an agent's menu on the canvas to a talk with it", async ({ open }) => {
    await withTeam(open, says("Hello."), async (app) => {
      await app.node("dev").click({ button: "right" });
      await app.page.getByRole("menuitem", { name: "Chat with this agent" }).click();
      await field(app).waitFor();
      await say(app, "Who are you?");
      await app.page.getByText("Hello.").first().waitFor();
      expect(decodeURIComponent(app.page.url())).toContain("agent:dev:main");
      expect(app.complaints).toEqual([]);
    });
  });
});
