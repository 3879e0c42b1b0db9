import { readFileSync } from "node:fs";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import type { Hub } from "./hub.ts";

type Stored = { id: number; sender: string; message: string; clientMessageId?: string };

const post = (hub: Hub, room: string, sender: string, message: string, more: object = {}) =>
  hub.ask<Stored>("POST", "/api/message", { room, sender, message, ...more });
const stored = (hub: Hub, room: string) =>
  hub
    .ask<{ messages: Stored[] }>("GET", `/api/messages?room=${encodeURIComponent(room)}&limit=500`)
    .then((r) => r.messages);
const field = (app: App) => app.page.locator(".composer textarea");
const said = (app: App) => app.page.locator("article.msg[data-message]");
const list = (app: App) => app.page.getByRole("log");
const texts = (app: App) => app.page.locator("article.msg .md").allInnerTexts();
const desk = (hub: Hub) =>
  hub
    .ask<{ places: { conversation: string; read?: string; draft?: string }[] }>("GET", "/api/desk")
    .then((d) => d.places);

async function openRoom(app: App, room: string): Promise<void> {
  await app.go(`rooms/${encodeURIComponent(room)}`);
  await field(app).waitFor();
}

describe("rooms", () => {
  test("APP-4 CH-7 a room is made, written in and read by others; what they write comes without a click", async ({
    open,
  }) => {
    const app = await open();
    await app.go("rooms");
    await app.page.getByText("No rooms yet").waitFor();
    await app.page.locator(".empty").getByRole("button", { name: "New room" }).click();
    await app.page.getByLabel("Name").fill("Checkout");
    await app.page.keyboard.press("Enter");
    await field(app).waitFor();
    await field(app).fill("Cart and invoice differ by 1 yen.");
    await app.page.keyboard.press("Enter");
    await said(app).getByText("Cart and invoice differ").waitFor();
    expect((await stored(app.hub, "Checkout")).map((m) => m.message)).toEqual(["Cart and invoice differ by 1 yen."]);
    await post(app.hub, "Checkout", "backend", "Per line, half up.");
    await said(app).getByText("Per line, half up.").waitFor();
    expect(await said(app).count()).toBe(2);
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 CH-7 a key of the input method neither sends nor chooses; Shift+Enter starts a line", async ({
    open,
  }) => {
    const app = await open({
      language: "ja",
      seed: (hub) => post(hub, "会計", "backend", "はい").then(() => undefined),
    });
    await openRoom(app, "会計");
    await field(app).click();
    await app.compose("せいきゅう");
    // The key that takes the word over, as browsers report it while a word is put together.
    await field(app).evaluate((e) => {
      for (const init of [{ isComposing: true }, { keyCode: 229 }])
        e.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }));
    });
    await app.commit("請求書");
    await until(
      "the word",
      () => field(app).inputValue(),
      (v) => v === "請求書",
    );
    expect((await stored(app.hub, "会計")).length).toBe(1);
    await app.page.keyboard.press("Shift+Enter");
    await app.page.keyboard.type("2");
    expect(await field(app).inputValue()).toBe("請求書\n2");
    await app.page.keyboard.press("Enter");
    await until(
      "the message",
      () => stored(app.hub, "会計"),
      (l) => l.length === 2 && l[1]!.message === "請求書\n2",
    );
    await until(
      "the field to be empty",
      () => field(app).inputValue(),
      (v) => v === "",
    );
  });

  test("APP-4 CH-7 whoever is in the room is mentioned by keyboard", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        await post(hub, "Checkout", "backend", "Here.");
        await post(hub, "Checkout", "writer", "Here, too.");
      },
    });
    await openRoom(app, "Checkout");
    await said(app).first().waitFor();
    await field(app).click();
    await app.page.keyboard.type("Please, @wr");
    const menu = app.page.getByRole("listbox", { name: "Mention suggestions" });
    await menu.getByRole("option").first().waitFor();
    expect(await menu.getByRole("option").allInnerTexts()).toHaveLength(1);
    await app.page.keyboard.press("Enter");
    await until(
      "the name",
      () => field(app).inputValue(),
      (v) => v === "Please, @writer ",
    );
    await app.page.keyboard.type("@");
    await until(
      "both",
      () => menu.getByRole("option").count(),
      (n) => n === 2,
    );
    await app.page.keyboard.press("ArrowDown");
    await until(
      "the second",
      () => menu.getByRole("option").nth(1).getAttribute("aria-selected"),
      (v) => v === "true",
    );
    await app.page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await app.page.keyboard.press("Backspace");
    await until(
      "the field",
      () => field(app).inputValue(),
      (v) => v === "Please, @writer ",
    );
    await app.page.keyboard.press("Enter");
    await app.page.locator("article.msg .mention").getByText("@writer").waitFor();
  });

  test("APP-4 a draft is kept in the hub, for each room its own, and is there again after a reload", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        await post(hub, "One", "backend", "1");
        await post(hub, "Two", "backend", "2");
      },
    });
    await openRoom(app, "One");
    await field(app).fill("not finished");
    await openRoom(app, "Two");
    await until(
      "an empty field",
      () => field(app).inputValue(),
      (v) => v === "",
    );
    await openRoom(app, "One");
    await until(
      "the draft",
      () => field(app).inputValue(),
      (v) => v === "not finished",
    );
    await until(
      "the hub to have it",
      () => desk(app.hub),
      (l) => l.some((p) => p.draft === "not finished"),
    );
    expect(await app.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      "not finished",
    );
    await app.page.reload();
    await until(
      "the draft",
      () => field(app).inputValue(),
      (v) => v === "not finished",
    );
    await app.page.keyboard.press("Control+a");
    await field(app).fill("");
    await until(
      "the hub to forget it",
      () => desk(app.hub),
      (l) => l.every((p) => !p.draft),
    );
  });

  test("APP-4 CH-7 Markdown is safe: no script, no picture from elsewhere, links marked; Japanese emphasis needs no space", async ({
    open,
  }) => {
    const hostile = [
      "<script>window.hacked=1</script><img src=x onerror=window.hacked=2>",
      "[go](javascript:window.hacked=3)",
      "![chart](https://pictures.example/p.png)",
      "[docs](https://docs.example/a)",
      "**「強調」**です。~~「古い」~~と",
      "```ts\nconst a: number = 1;\n```",
      "| a | b |\n|---|---|\n| 1 | 2 |",
    ].join("\n\n");
    const app = await open({ seed: (hub) => post(hub, "Safe", "backend", hostile).then(() => undefined) });
    await openRoom(app, "Safe");
    const body = app.page.locator(".md");
    await body.getByText("古い").waitFor();
    expect(await body.locator("script, img, iframe, [onerror], [href^='javascript']").count()).toBe(0);
    expect(await app.page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(await body.locator("strong").allInnerTexts()).toEqual(["「強調」"]);
    expect(await body.locator("del").allInnerTexts()).toEqual(["「古い」"]);
    expect(
      await body
        .locator("a")
        .evaluateAll((l) => l.map((a) => [a.getAttribute("href"), a.getAttribute("rel"), a.getAttribute("target")])),
    ).toEqual(
      ["https://pictures.example/p.png", "https://docs.example/a"].map((u) => [
        u,
        "noopener noreferrer nofollow",
        "_blank",
      ]),
    );
    await body.getByText("chart (image at pictures.example, not loaded)").waitFor();
    await body.locator(".hljs-keyword").getByText("const").waitFor();
    expect(await body.locator("td").allInnerTexts()).toEqual(["1", "2"]);
    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await body.locator(".codeblock").hover();
    await body.getByRole("button", { name: "Copy the code" }).click();
    await until(
      "the code on the clipboard",
      () => app.page.evaluate(() => navigator.clipboard.readText()),
      (v) => v === "const a: number = 1;",
    );
    expect(app.complaints).toEqual([]);
  });

  test("CH-6 APP-4 what an agent did with a tool is one line, which opens and folds by keyboard and by click", async ({
    open,
  }) => {
    const result = "```\n# high water 09:40\n```",
      params = { agent: "Ann", tool: "tide", arguments: '{"day":"Sunday"}', own: String(result.length) };
    const used = (hub: Hub, code: string) =>
      post(hub, "Harbour", "Ann", `Ann used tide {"day":"Sunday"}\n\n${result}`, {
        type: "system",
        cause: { code, params },
      });
    const app = await open({
      seed: async (hub) => {
        await used(hub, "tool_used");
        await used(hub, "tool_failed");
      },
    });
    await openRoom(app, "Harbour");
    const line = said(app).first().locator("summary"),
      body = said(app).first().locator(".tool-body");
    expect((await line.innerText()).replace(/\s+/g, " ")).toMatch(/^Ann tide Sunday OK \d/);
    await said(app).nth(1).locator("summary").getByText("Failed", { exact: true }).waitFor();
    await body.getByText("# high water 09:40", { exact: true }).waitFor({ state: "hidden" });
    await line.press("Enter");
    await body.getByText('{"day":"Sunday"}', { exact: true }).waitFor();
    await body.getByText("# high water 09:40", { exact: true }).waitFor();
    expect(await violations(app)).toEqual([]);
    await line.press("Space");
    await body.waitFor({ state: "hidden" });
    await line.click();
    await body.waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 what was not read is counted, and read once it has been seen", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        for (let i = 1; i <= 3; i++) await post(hub, "News", "backend", `n${i}`);
        await post(hub, "Other", "backend", "o");
      },
    });
    await openRoom(app, "Other");
    const row = app.page.locator(".rooms-list button.lrow").filter({ hasText: "News" });
    await row.getByText("3 unread").waitFor({ state: "attached" });
    await row.click();
    await said(app).getByText("n3").waitFor();
    await row.getByText("unread").waitFor({ state: "detached" });
    await until(
      "the hub to know",
      () => desk(app.hub),
      (l) => l.some((p) => p.conversation === "room:News" && Number(p.read) > 0),
    );
    await openRoom(app, "Other");
    await post(app.hub, "News", "backend", "n4");
    await row.getByText("1 unread").waitFor({ state: "attached" });
    await until(
      "the rail to say so",
      () => app.page.locator(".rail-item .count").allInnerTexts(),
      (l) => l.join() === "1",
    );
    await row.click();
    await until(
      "the rail to be quiet",
      () => app.page.locator(".rail-item .count").count(),
      (n) => n === 0,
    );
    await app.page.locator(".sysline--new").getByText("New messages").waitFor();
  });

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

  test("CH-7 a room that cannot be read says so, and can be read again; CH-9 nothing is asked for over and over", async ({
    open,
  }) => {
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
      "the message as it is told",
      () => hits.allInnerTexts(),
      (l) => l.length === 1 && l[0]!.includes("エージェントの発言が1,200回続いたため、止めました。"),
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
      inJapanese = "エージェントの発言が5回続いたため、止めました。";
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

  test("APP-4 CH-7 on a phone the list and the room are a page each, and nothing is cut off", async ({ open }) => {
    const app = await open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      seed: async (hub) => {
        await post(hub, "Checkout", "backend", "Hello");
        await post(hub, "A room with quite a long name that does not fit", "backend", "Hello");
      },
    });
    await app.go("rooms");
    await app.page.locator("button.lrow").filter({ hasText: "Checkout" }).tap();
    await field(app).waitFor();
    await field(app).fill("From the phone");
    await app.button("Send").tap();
    await said(app).getByText("From the phone").waitFor();
    expect(await app.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const small = await app.page.locator(".main :is(button, textarea):visible").evaluateAll((l) =>
      l
        .filter((e) => {
          const b = e.getBoundingClientRect();
          return b.height < 40 && !e.closest(".msg");
        })
        .map((e) => e.outerHTML.slice(0, 120)),
    );
    expect(small).toEqual([]);
    await app.button("Back to the rooms").tap();
    await app.page.locator("button.lrow").filter({ hasText: "A room with" }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  for (const ja of [false, true])
    test(`APP-1 rooms have no serious fault for axe, ${ja ? "Japanese, dark" : "English, light"}`, async ({ open }) => {
      const app = await open({
        language: ja ? "ja" : "en",
        colorScheme: ja ? "dark" : "light",
        seed: async (hub) => {
          await post(
            hub,
            "Checkout",
            "backend",
            '**Bold** `code` @writer\n\n```ts\nconst a = "b"; // c\n```\n\n[link](https://a.example)',
          );
          await post(hub, "Checkout", "writer", "Yes");
        },
      });
      await app.go("rooms");
      await said(app).first().waitFor();
      await app.page.locator(".hljs-keyword").first().waitFor();
      expect(await violations(app)).toEqual([]);
      await field(app).fill("@");
      await app.page.getByRole("listbox").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      await app.button(/^(Search messages|メッセージを検索)$/).click();
      await app.page.getByRole("textbox", { name: /^(Search messages|メッセージを検索)$/ }).fill("Yes");
      await app.page.locator(".rooms-hit").first().waitFor();
      expect(await violations(app)).toEqual([]);
      expect(app.complaints).toEqual([]);
    });
});
