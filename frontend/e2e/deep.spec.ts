import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";
import { submit, toTasks, row, view, withTeam } from "./team.ts";

// What nobody writes, and somebody sends: text that is nested deeper than a browser can lay out.
const deep = {
  bullets: `${"- ".repeat(1500)}x`,
  numbers: `${"1. ".repeat(1500)}x`,
  quotes: `${"> ".repeat(1500)}x`,
  mixed: `${"- > ".repeat(800)}x`,
  arrows: ">".repeat(60_000),
  stars: `${"*".repeat(3000)}a${"*".repeat(3000)}`,
};

const post = (hub: Hub, room: string, message: string) =>
  hub.ask("POST", "/api/message", { room, sender: "stranger", message });
const field = (app: App) => app.page.locator(".composer textarea");
const broken = (app: App) => app.page.getByText("This part of the screen stopped working");

describe("text that is nested too deep to be laid out", () => {
  test("CH-7 APP-4 is shown as it was written; the room is read and written in, also after a reload", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        await post(hub, "Open", "the first");
        for (const text of Object.values(deep)) await post(hub, "Open", text);
        await post(hub, "Open", "**the last**");
      },
    });
    await app.go("rooms/Open");
    await app.page.locator("article.msg strong").getByText("the last").waitFor();
    await field(app).fill("- one\n  - two");
    await app.page.keyboard.press("Enter");
    await app.page.locator("article.msg li li").getByText("two").waitFor();
    await app.page.reload();
    await app.page.locator("article.msg li li").getByText("two").waitFor();
    await app.page.getByRole("log").evaluate((e) => {
      e.scrollTop = 0;
    });
    // The messages that are in view come as the list is scrolled.
    await until(
      "the first of them, as it was written",
      () => app.page.locator("article.msg .md-plain").first().innerText(),
      (text) => text.startsWith("- - - -"),
    );
    expect(await broken(app).count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("CH-7 APP-4 breaks no session", async ({ open }) => {
    const key = "agent:lead:main";
    const app = await open({
      seed: (hub) =>
        hub
          .ask("POST", "/api/gateway/chat/send", { sessionKey: key, message: deep.bullets, idempotencyKey: "deep" })
          .then(() => undefined),
    });
    await app.go(["sessions", "local", key].map(encodeURIComponent).join("/"));
    await app.page.locator("article.msg .md-plain").first().waitFor();
    await field(app).fill("and now?");
    await app.page.keyboard.press("Enter");
    await app.page.locator("article.msg").getByText("and now?", { exact: true }).first().waitFor();
    expect(await broken(app).count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("CH-7 APP-5 breaks no task, while it is said and as its result", async ({ open }) => {
    await withTeam(
      open,
      function* () {
        yield deep.quotes.slice(0, 1000);
        yield deep.quotes.slice(1000);
        yield "\n\n**done**";
      },
      async (app) => {
        await toTasks(app);
        const { taskId } = await submit(app.hub, "Say it");
        await row(app, taskId).click();
        await view(app).locator(".md-plain").first().waitFor();
        await until(
          "the end",
          () => view(app).getByText("Done", { exact: true }).count(),
          (n) => n > 0,
        );
        expect(await broken(app).count()).toBe(0);
        expect(app.complaints).toEqual([]);
      },
    );
  });
});
