import { readFileSync } from "node:fs";
import { describe } from "vitest";
import { expect, test, until, type App, type Options } from "../app.ts";
import { gate, withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";

// Journey 5: a room in which several talk at once.

const field = (app: App) => app.page.locator(".composer textarea");
const said = (app: App) => app.page.locator("article.msg[data-message]");
const words = Array.from({ length: 40 }, (_, i) => `word${i}`);

/** Speaks slowly enough for others to speak meanwhile, and stops halfway until it has been heard. */
async function* slowly(heard: Promise<void>): AsyncIterable<string> {
  for (const [i, word] of words.entries()) {
    yield `${word} `;
    if (i === words.length / 2) await heard;
    await new Promise((r) => {
      setTimeout(r, 25);
    });
  }
}

/** What the hub keeps of the room; the page draws only what is near the view. */
const kept = (app: App, room: string) =>
  app.hub.ask<{ messages: unknown[] }>("GET", `/api/messages?room=${room}`).then((r) => r.messages);

/** A room of Dev, Writer and Ops, with the rules a new room has. */
async function makeRoom(app: App, name: string): Promise<void> {
  await app.go("rooms");
  await app.page
    .locator(".empty")
    .getByRole("button", { name: /^(New room|新しいルーム|ルームを作成)/ })
    .click();
  const dialog = app.page.getByRole("dialog").or(app.page.locator("form")).first();
  for (const who of ["Dev", "Writer", "Ops"]) await dialog.getByRole("checkbox", { name: who }).check();
  await app.page.getByLabel("Name", { exact: true }).fill(name);
  await app.page.keyboard.press("Enter");
  await field(app).waitFor();
  await app.page.getByText("4 online").waitFor();
}

describe("journey 5: a room", () => {
  // B2 of the first stranger's hour: simultaneous answers were poured into one message.
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])
    test(`CH-12 three agents answer at once, and every answer is whole at every moment (${viewport.width} px)`, async ({
      open,
    }) => {
      const heard = gate();
      await withTeam(
        (o?: Options) => open({ ...o, viewport: { width: 1280, height: 800 } }),
        () => slowly(heard.opened),
        async (app) => {
          const watch = Watch.start(app);
          await makeRoom(app, "Night");
          await app.page.setViewportSize(viewport);
          await field(app).fill("@Dev @Writer @Ops begin");
          await app.page.keyboard.press("Enter");
          const torn: string[] = [];
          let most = 0;
          await until(
            "all three answers",
            async () => {
              const live = await app.page.locator("article.msg[data-live] .md").allInnerTexts();
              most = Math.max(most, live.length);
              if (most > 1) heard.open(); // they do speak at once
              // Every text that grows is words in their order, from the first one.
              for (const text of live) {
                const list = text
                    .trim()
                    .split(/\s+/)
                    .filter((w) => /\d$/.test(w)),
                  numbers = list.map((w) => Number(/\d+$/.exec(w)![0]));
                if (numbers.some((n, i) => n !== i)) torn.push(text);
              }
              return (await kept(app, "Night")).length;
            },
            (n) => n === 4,
            60_000,
          );
          await until(
            "the answers to have ended",
            () => app.page.locator("article.msg[data-live]").count(),
            (n) => n === 0,
          );
          await said(app).last().getByText(words.join(" ")).waitFor();
          expect(torn).toEqual([]);
          expect(await watch.problems(app.page)).toEqual([]);
        },
      );
    });

  test("CH-11 CH-12 APP-4 agents are stopped, paused and wrapped up; the room is searched and exported", async ({
    open,
  }) => {
    const never = gate(),
      answers = ["The harbor opens at nine.", "That is our summary."];
    let asked = 0;
    await withTeam(
      open,
      async function* () {
        if (!asked++) {
          yield "I begin ";
          await never.opened;
        }
        yield answers[Math.min(asked - 2, 1)]!;
      },
      async (app) => {
        const watch = Watch.start(app);
        const say = async (text: string) => {
          await field(app).fill(text);
          await app.page.keyboard.press("Enter");
        };
        await makeRoom(app, "Night");
        await say("@Dev an endless tale");
        await app.page.locator("article.msg[data-live]").getByText("I begin").waitFor();
        await app.button("Stop all answers").click();
        await app.page.locator("article.msg[data-live]").waitFor({ state: "detached" });

        await app.button("Pause the agents").click();
        await app.page.getByText("The agents are paused.").waitFor();
        await say("@Writer when does the harbor open?");
        await app.go("settings"); // elsewhere and back, while the question waits
        await app.page.getByRole("heading", { level: 1 }).first().waitFor();
        await app.go("rooms/Night");
        await app.page.getByText("The agents are paused.").waitFor();
        expect(await said(app).getByText("The harbor opens at nine.").count()).toBe(0);
        await app.button("Resume").click();
        await said(app).getByText("The harbor opens at nine.").waitFor();

        await app.button("Wrap up with a final summary").click();
        await said(app).getByText("That is our summary.").first().waitFor();
        await app.page.getByText("The agents have wrapped up. Send a message or select Resume.").waitFor();

        const [team] = await app.hub.teams();
        await app.hub.ask("PUT", "/api/rooms/Night/cast", { team: team!.id, agents: ["dev", "writer"] });
        await app.page.getByText("3 online").waitFor();

        await app.button("Search messages").click();
        await app.page.getByRole("textbox", { name: "Search messages" }).fill("opens harbor");
        await app.page.locator(".rooms-hit").click();
        await app.page.locator("article.is-found").getByText("The harbor opens at nine.").waitFor();
        await app.page.reload();
        await field(app).waitFor();
        await app.page.locator(".room-head, main").getByRole("button", { name: "More", exact: true }).first().click();
        const [file] = await Promise.all([
          app.page.waitForEvent("download"),
          app.page.getByRole("menuitem", { name: "Export as Markdown" }).click(),
        ]);
        const text = readFileSync(await file.path(), "utf8");
        for (const line of ["an endless tale", "The harbor opens at nine.", "That is our summary."])
          expect(text).toContain(line);
        never.open();
        expect(await watch.problems(app.page)).toEqual([]);
      },
    );
  });

  // K1: one message broke a room's page for everybody, for good.
  const deep: [string, string][] = [
    [
      "bullets in bullets",
      Array.from({ length: 1500 }, (_, i) => `${" ".repeat(i)}- x`)
        .join("\n")
        .slice(0, 60_000),
    ],
    ["quotes in quotes", `${">".repeat(60_000)} x`],
    ["list and quote", `${"- > ".repeat(1500)}x`],
    ["numbers", `${"1. ".repeat(1500)}x`],
  ];
  for (const [name, text] of deep)
    test(`CH-7 a message of ${name} breaks nobody's room`, async ({ open }) => {
      const app = await open({
        seed: async (hub) => {
          await hub.ask("POST", "/api/message", { room: "Deep", sender: "backend", message: "before it" });
          await hub.ask("POST", "/api/message", { room: "Deep", sender: "backend", message: text });
        },
      });
      const watch = Watch.start(app);
      for (const again of [false, true]) {
        if (again) await app.page.reload();
        await app.go("rooms/Deep");
        await field(app).waitFor();
        await said(app).last().waitFor();
        await field(app).fill(`still usable ${String(again)}`);
        await app.page.keyboard.press("Enter");
        await said(app)
          .getByText(`still usable ${String(again)}`)
          .waitFor();
      }
      expect(await watch.problems(app.page)).toEqual([]);
    });

  test("CH-7 Ctrl+K in a message box opens the palette; what is searched is not sent to the agents", async ({
    open,
  }) => {
    const app = await open({
        seed: (hub) =>
          hub.ask("POST", "/api/message", { room: "Night", sender: "backend", message: "hello" }).then(() => undefined),
      }),
      watch = Watch.start(app);
    await app.go("rooms/Night");
    await field(app).click();
    await app.page.keyboard.press("Control+k");
    await until("the palette", () => app.page.evaluate(() => document.activeElement?.matches("[cmdk-input]") ?? false));
    await app.page.keyboard.type("settings");
    await app.page.keyboard.press("Escape");
    expect(await kept(app, "Night")).toHaveLength(1);
    expect(await watch.problems(app.page)).toEqual([]);
  });
});
