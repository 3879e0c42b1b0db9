import { readFileSync } from "node:fs";
import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { field, list, openRoom, post, said, stored, texts } from "./rooms.ts";

describe("a room's messages", () => {
  test("APP-4 CH-7 the hub goes and comes back: nothing is lost, nothing is there twice", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Line", "backend", "before").then(() => undefined) });
    await openRoom(app, "Line");
    await said(app).getByText("before").waitFor();
    await app.hub.kill();
    await app.page.getByText("Connection to the room lost").waitFor();
    await field(app).fill("written meanwhile");
    await app.page.keyboard.press("Enter");
    await app.page.getByText("Waiting for connection").waitFor();
    await app.hub.restart();
    await post(app.hub, "Line", "backend", "from elsewhere");
    await until(
      "all three, once",
      () => texts(app),
      (l) =>
        l.length === 3 &&
        ["before", "written meanwhile", "from elsewhere"].every((x) => l.filter((y) => y.trim() === x).length === 1),
    );
    await app.page.getByText("Connection to the room lost").waitFor({ state: "detached" });
    await app.page.getByText("Waiting for connection").waitFor({ state: "detached" });
    await until(
      "the hub to have it",
      () => stored(app.hub, "Line"),
      (l) => l.some((m) => m.message === "written meanwhile"),
    );
    expect((await stored(app.hub, "Line")).filter((m) => m.message === "written meanwhile").length).toBe(1);
  });

  test("APP-4 CH-7 what is written while the hub is away outlives its room, a reload and the hub", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        await post(hub, "Line", "backend", "before");
        await post(hub, "Other", "backend", "elsewhere");
      },
    });
    await openRoom(app, "Line");
    await said(app).getByText("before").waitFor();
    await app.hub.kill();
    await app.page.getByText("Connection to the room lost").waitFor();
    await field(app).fill("written meanwhile");
    await app.page.keyboard.press("Enter");
    await app.page.getByText("Waiting for connection").waitFor();
    await app.go("rooms/Other");
    await app.go("rooms/Line");
    await app.page.reload().catch(() => undefined); // there is nothing that could answer
    await until(
      "the browser's error page to end",
      () =>
        app.page.goto("about:blank").then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    await app.hub.restart();
    await app.page.goto(app.hub.link);
    await app.go("rooms/Line");
    await until(
      "the hub to have it",
      () => stored(app.hub, "Line"),
      (l) => l.filter((m) => m.message === "written meanwhile").length === 1,
    );
    await until(
      "it to stand there once",
      () => texts(app),
      (l) => l.filter((x) => x.trim() === "written meanwhile").length === 1,
    );
    await app.page.getByText("Waiting for connection").waitFor({ state: "detached" });
    expect(await app.page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("written meanwhile");
  });

  test("CH-7 an unreadable room shows an error and can be read again; CH-9 no request loops", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Checkout", "backend", "Here.").then(() => undefined) });
    let asked = 0,
      refuse = true;
    await app.page.route("**/api/messages?*", async (route) => {
      asked++;
      await (refuse
        ? route.fulfill({
            status: 503,
            contentType: "application/json",
            body: JSON.stringify({ error: { code: "UNAVAILABLE", message: "busy" } }),
          })
        : route.continue());
    });
    await app.go("rooms/Checkout");
    const failed = app.page.getByRole("alert").filter({ hasText: "Couldn't open the room" });
    await failed.waitFor();
    refuse = false;
    await failed.getByRole("button").click();
    await said(app).getByText("Here.").waitFor();
    const before = asked;
    for (let i = 0; i < 30; i++) await post(app.hub, "Checkout", "backend", `More ${i}`);
    await said(app).getByText("More 29").waitFor();
    expect(asked - before).toBeLessThan(10);
  });

  test("APP-4 an answer that is lost on its way does not make a message twice", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Once", "backend", "x").then(() => undefined) });
    await openRoom(app, "Once");
    await said(app).first().waitFor();
    let lost = 0;
    await app.page.route("**/api/message", async (route) => {
      if (lost++) {
        await route.continue();
        return;
      }
      await route.fetch();
      await route.abort();
    });
    await field(app).fill("only once");
    await app.page.keyboard.press("Enter");
    await until(
      "it, once",
      () => texts(app),
      (l) => l.filter((x) => x.trim() === "only once").length === 1 && l.length === 2,
    );
    await until(
      "nothing on its way",
      () => app.page.locator(".msg-state").count(),
      (n) => n === 0,
    );
    expect((await stored(app.hub, "Once")).length).toBe(2);
  });

  test("APP-4 CH-7 10,000 messages: few are drawn, older ones come above without a jump, and the newest is one click away", async ({
    open,
  }) => {
    const total = 10_000,
      at = 64;
    const app = await open({
      seed: async (hub) => {
        for (let i = 0; i < total; i += at)
          await Promise.all(
            Array.from({ length: Math.min(at, total - i) }, (_, k) =>
              post(hub, "Long", k % 2 ? "backend" : "writer", `message ${i + k}\n\n${"words ".repeat((i + k) % 30)}`),
            ),
          );
      },
    });
    await openRoom(app, "Long");
    const log = list(app),
      scroll = (to: number) =>
        log.evaluate((e, y) => {
          e.scrollTop = y;
        }, to);
    const newest = (await stored(app.hub, "Long")).at(-1)!.id;
    await app.page.locator(`[data-message="${newest}"]`).waitFor();
    await until(
      "the newest in view",
      () => log.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop),
      (left) => left <= 2,
    );
    const ids = () => said(app).evaluateAll((l) => l.map((e) => Number((e as HTMLElement).dataset.message)));
    const oldest = async () => Math.min(...(await ids()));
    await until("messages", ids, (l) => l.length > 3);
    expect(await app.page.locator("article.msg").count()).toBeLessThan(80);
    // A page of older ones comes in above what is looked at, which stays where it is.
    let asked = 0,
      give: () => void = () => undefined;
    const held = new Promise<void>((r) => {
      give = r;
    });
    await app.page.route(/\/api\/messages\?.*before=/, async (route) => {
      if (!asked++) await held;
      await route.continue();
    });
    const loading = app.page.getByText("Loading older messages"),
      jump = app.button("Jump to newest");
    // While it is laid out for the first time the list goes to its end: only once it has left it, it stays.
    await until("the view to have left the end, and older ones to be asked for", async () => {
      await scroll(200);
      return (await loading.isVisible()) && (await jump.isVisible()) && (await log.evaluate((e) => e.scrollTop)) < 600;
    });
    const first = await oldest();
    const mark = app.page.locator(`[data-message="${(await ids()).sort((a, b) => a - b)[4]!}"]`);
    const place = async () => (await mark.boundingBox())!.y;
    let y = NaN;
    await until("the view to rest", async () => {
      const was = y;
      y = await place();
      return y === was;
    });
    give();
    await until("older ones", oldest, (id) => id < first);
    await until("the view to rest", async () => {
      const was = y;
      const now = await place();
      return Math.abs(now - was) < 4;
    });
    // On to the very first.
    await until(
      "the first of all",
      async () => {
        await scroll(0);
        return app.page.getByText("This is the start of the room.").isVisible();
      },
      Boolean,
      45_000,
    );
    expect(await app.page.locator("article.msg").count()).toBeLessThan(80);
    await post(app.hub, "Long", "backend", "the newest of all");
    await app.button("1 new message").click();
    await said(app).getByText("the newest of all").waitFor();
    await until(
      "the end",
      () => log.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop),
      (left) => left <= 2,
    );
    await post(app.hub, "Long", "backend", "and one more");
    await said(app).getByText("and one more").waitFor();
    await until(
      "the end",
      () => log.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop),
      (left) => left <= 2,
    );
    expect(app.complaints).toEqual([]);
  }, 180_000);

  test("APP-4 a search finds what is far back and goes there, in any room; a Japanese reader by the words that the screen shows", async ({
    open,
  }) => {
    const app = await open({
      language: "ja",
      seed: async (hub) => {
        const fill = async (room: string) => {
          for (let i = 0; i < 250; i += 50)
            await Promise.all(Array.from({ length: 50 }, (_, k) => post(hub, room, "writer", `hay ${i + k}`)));
        };
        await post(hub, "Deep", "AgentFlow", "The agents have had 1200 turns in a row.", {
          type: "system",
          cause: { code: "limit_turns", params: { n: "1200" } },
        });
        await post(hub, "Deep", "backend", "the needle in question");
        await post(hub, "別室", "backend", "another needle");
        await fill("Deep");
        await fill("別室");
      },
    });
    await openRoom(app, "Deep");
    await said(app).first().waitFor();
    await app.button("メッセージを検索").click();
    const box = app.page.getByRole("textbox", { name: "メッセージを検索" }),
      hits = app.page.locator(".rooms-hit"),
      told = app.page.getByRole("status").filter({ hasText: /語順は問いません|見つかり/ });
    await box.click();
    await app.compose("はつげん");
    // Keys of the input method: they neither close the panel nor look for half a word.
    await box.evaluate((e) => {
      for (const key of ["Escape", "Enter"])
        e.dispatchEvent(new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true }));
    });
    await told.getByText("語順は問いません").waitFor();
    await app.commit("発言が1,200回続いた");
    await until(
      "the word",
      () => box.inputValue(),
      (v) => v === "発言が1,200回続いた",
    );
    await until(
      "the message in the person's language",
      () => hits.allInnerTexts(),
      (l) => l.length === 1 && l[0]!.includes("エージェントの発言が1,200回続いたため、停止しました。"),
    );
    await told.getByText("1件見つかりました").waitFor();
    await hits.click();
    await app.page.locator(".sysline.is-found").getByText("エージェントの発言が1,200回続いたため").waitFor();
    await app.button("最新へ移動").click();
    const newest = (await stored(app.hub, "Deep")).at(-1)!; // they were sent side by side
    await said(app).getByText(newest.message, { exact: true }).waitFor();
    await box.fill("どこにもない言葉");
    await app.page.getByText("見つかりませんでした").waitFor();
    await box.fill("NEEDLE the");
    await until(
      "the only one here",
      () => hits.allInnerTexts(),
      (l) => l.length === 1 && l[0]!.includes("the needle in question"),
    );
    await app.page.getByRole("radio", { name: "すべてのルーム" }).click();
    await box.fill("needle");
    await until(
      "both",
      () => hits.count(),
      (n) => n === 2,
    );
    await hits.filter({ hasText: "別室" }).click();
    await app.page.locator("article.is-found").getByText("another needle").waitFor();
    await app.page.getByRole("heading", { name: "別室" }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 a room goes to a file: as Markdown in the reader's language, as JSON as it is stored", async ({
    open,
  }) => {
    const halted = "The agents have had 5 turns in a row.",
      inJapanese = "エージェントの発言が5回続いたため、停止しました。";
    const app = await open({
      language: "ja",
      seed: async (hub) => {
        await post(hub, "Minutes", "backend", "for the file");
        await post(hub, "Minutes", "AgentFlow", halted, {
          type: "system",
          cause: { code: "limit_turns", params: { n: "5" } },
        });
      },
    });
    await openRoom(app, "Minutes");
    await said(app).first().waitFor();
    for (const [kind, ending, is, isNot] of [
      ["Markdownで書き出す", "md", inJapanese, halted],
      ["JSONで書き出す", "json", halted, inJapanese],
    ] as const) {
      await app.button("その他").click();
      const [file] = await Promise.all([
        app.page.waitForEvent("download"),
        app.page.getByRole("menuitem", { name: kind }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`Minutes.${ending}`);
      const text = readFileSync(await file.path(), "utf8");
      expect(text).toContain("for the file");
      expect(text).toContain(is);
      expect(text).not.toContain(isNot);
    }
  });
});
