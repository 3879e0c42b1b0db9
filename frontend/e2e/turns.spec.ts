import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { gate, says, withTeam } from "./team.ts";

const field = (app: App) => app.page.locator(".composer textarea");
const said = (app: App) => app.page.locator("article.msg[data-message]");
const growing = (app: App) => app.page.locator("article.msg[data-live]");
const stored = (app: App) =>
  app.hub
    .ask<{ messages: { sender: string; message: string }[] }>("GET", "/api/messages?room=Night&limit=100")
    .then((r) => r.messages.map((m) => `${m.sender}: ${m.message}`));

/** A room of Dev and Writer, made from what is chosen on the canvas. */
async function openAsRoom(app: App): Promise<void> {
  await app.node("dev").click();
  await app.node("writer").click({ modifiers: ["Shift"] });
  await app.page.keyboard.press("Control+k");
  const ask = app.page.getByRole("combobox");
  await ask.waitFor();
  await ask.fill("room with the selected agents");
  await app.page.getByRole("option", { name: "Create a room with the selected agents…" }).click();
  for (const name of ["Dev", "Writer"]) expect(await app.page.getByRole("checkbox", { name }).isChecked()).toBe(true);
  expect(await app.page.getByRole("checkbox", { name: "Ops" }).isChecked()).toBe(false);
  await app.page.getByLabel("Name", { exact: true }).fill("Night");
  await app.page.keyboard.press("Enter");
  await field(app).waitFor();
  await app.page.getByText("3 online").waitFor(); // agents answer only messages that are sent while they are there
}

const say = async (app: App, text: string) => {
  await field(app).fill(text);
  await app.page.keyboard.press("Enter");
};

describe("agents in a room", () => {
  test("CH-12 APP-4 agents that were drawn answer in a room; an answer is seen to grow, and is there once", async ({
    open,
  }) => {
    const first = gate();
    await withTeam(
      open,
      async function* () {
        yield "First this, ";
        await first.opened;
        yield "then that.";
      },
      async (app) => {
        await openAsRoom(app);
        await say(app, "@Dev what is next?");
        await growing(app).getByText("First this,").waitFor();
        await app.page.getByText("Dev · writing").waitFor();
        expect(await stored(app)).toHaveLength(1);
        first.open();
        await said(app).getByText("First this, then that.").waitFor();
        await until(
          "nothing to grow",
          () => growing(app).count(),
          (n) => n === 0,
        );
        expect(await app.page.locator("article.msg").getByText("First this, then that.").count()).toBe(1);
        expect(await stored(app)).toContain("Dev: First this, then that.");
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("CH-12 APP-4 what an agent does in a room is seen on the canvas, and leads to the room", async ({ open }) => {
    const rest = gate();
    await withTeam(
      open,
      async function* () {
        yield "I begin ";
        await rest.opened;
        yield "and end.";
      },
      async (app) => {
        const [team] = await app.hub.teams();
        await app.hub.ask("POST", "/api/rooms", { name: "Night", team: team!.id, agents: ["dev", "writer"] });
        await app.go("rooms/Night");
        await app.page.getByText("3 online").waitFor();
        await say(app, "@Dev how is it going?");
        await growing(app).getByText("I begin").waitFor();
        await app.go("canvas");
        const open = app.node("dev").getByRole("button", { name: "Open the room Night" });
        await open.waitFor();
        expect(await app.node("dev").locator(".node-foot").getAttribute("title")).toBe("Answering in a room: Night");
        await app.node("writer").getByText("Idle").waitFor();
        await open.click();
        await growing(app).getByText("I begin").waitFor();
        rest.open();
        await said(app).getByText("I begin and end.").waitFor();
        await app.go("canvas");
        await app.node("dev").getByText("Idle").waitFor();
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("CH-12 APP-4 three agents that answer at once are three answers, each under its own name, while they grow and after", async ({
    open,
  }) => {
    const rest = gate();
    await withTeam(
      open,
      async function* () {
        for (const word of ["This ", "is ", "a slow "]) yield word;
        await rest.opened;
        yield "answer.";
      },
      async (app) => {
        const [team] = await app.hub.teams();
        await app.hub.ask("POST", "/api/rooms", {
          name: "Night",
          team: team!.id,
          agents: ["dev", "writer", "ops"],
        });
        await app.go("rooms/Night");
        await app.page.getByText("4 online").waitFor();
        await say(app, "@Dev @Writer @Ops how is it going?");
        await until(
          "three answers that grow",
          () => growing(app).count(),
          (n) => n === 3,
        );
        for (const name of ["Dev", "Writer", "Ops"]) {
          const one = growing(app).filter({ has: app.page.locator("header b", { hasText: new RegExp(`^${name}$`) }) });
          await until(
            `what ${name} says`,
            () => one.locator(".md").innerText(),
            (text) => text.trim() === "This is a slow",
          );
        }
        rest.open();
        await until(
          "three answers",
          () => said(app).getByText("This is a slow answer.", { exact: true }).count(),
          (n) => n === 3,
        );
        expect(await growing(app).count()).toBe(0);
        expect(
          (await stored(app))
            .filter((m) => m.endsWith("This is a slow answer."))
            .map((m) => m.split(":")[0])
            .sort(),
        ).toEqual(["Dev", "Ops", "Writer"]);
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("CH-12 APP-4 a person stops an answer, pauses the agents and lets them go on", async ({ open }) => {
    const never = gate();
    await withTeam(
      open,
      async function* (q) {
        if (!q.includes("again")) {
          yield "I begin ";
          await never.opened;
        }
        yield "Once more.";
      },
      async (app) => {
        await openAsRoom(app);
        await say(app, "@Dev begin");
        await growing(app).getByText("I begin").waitFor();
        await app.button("Stop all answers").click();
        await until(
          "nothing to grow",
          () => growing(app).count(),
          (n) => n === 0,
        );
        // What was written stays, marked, on this page and after a reload.
        const kept = said(app)
          .filter({ hasText: "I begin" })
          .filter({ hasText: "Stopped. The partial answer is kept." });
        await kept.waitFor();
        expect((await stored(app)).filter((m) => m.startsWith("Dev: "))).toEqual(["Dev: I begin"]);
        expect(await app.page.getByText("New messages").count()).toBe(0);
        await app.page.reload();
        await kept.waitFor();
        const { person } = await app.hub.ask<{ person: string }>("GET", "/api/desk");
        await app.page.locator(".rooms").getByText(`${person} stopped the agents.`).first().waitFor();
        await app.button("Pause the agents").click();
        await app.page.getByText("The agents are paused.").waitFor();
        await say(app, "@Dev again, please");
        await said(app).getByText("again, please").waitFor();
        await app.button("Resume").click();
        await said(app).getByText("Once more.").waitFor();
        await app.page.getByText("The agents are paused.").waitFor({ state: "detached" });
        never.open();
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("CH-6 APP-4 the room's own messages are shown in the person's language, and stored unchanged", async ({
    open,
  }) => {
    const cut = gate();
    await withTeam(
      open,
      async function* () {
        yield "途中まで";
        await cut.opened;
        throw new Error("the line is cut");
      },
      async (app) => {
        const [team] = await app.hub.teams();
        await app.hub.ask("POST", "/api/rooms", { name: "Night", team: team!.id, agents: ["dev"] });
        await app.go("rooms/Night");
        await app.page.getByText("参加中：2").waitFor();
        await say(app, "@開発 次は何ですか");
        await growing(app).getByText("途中まで").waitFor();
        cut.open();
        const row = said(app).filter({
          hasText: "開発は回答できませんでした。モデルのプロバイダーからの回答が、途中で切れました。",
        });
        await row.getByText("途中まで", { exact: true }).waitFor();
        await row.getByText("詳細").click();
        await row.getByText("開発 could not answer: ").waitFor();
        expect((await stored(app)).filter((m) => m.startsWith("開発: 開発 could not answer: "))).toHaveLength(1);
        expect(app.complaints).toEqual([]);
      },
      { language: "ja" },
    );
  });

  test("CH-12 a discussion that its turn limit ended can be wrapped up", async ({ open }) => {
    await withTeam(open, says("The bridge stays."), async (app) => {
      await openAsRoom(app);
      const { policy } = await app.hub.ask<{ policy: object }>("GET", "/api/rooms/Night/state");
      await app.hub.ask("PUT", "/api/rooms/Night/policy", { ...policy, maxAgentTurns: 1, toAgents: "none" });
      await say(app, "@Dev @Writer does the bridge stay?");
      await app.page.getByText("Turn limit reached.").waitFor();
      await app.button("Wrap up with a final summary").click();
      await app.page.getByText("The agents have wrapped up.").waitFor();
      expect(await app.button("Wrap up with a final summary").isDisabled()).toBe(true);
      expect(app.complaints).toEqual([]);
    });
  });
});
