import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { violations } from "./axe.ts";
import type { Hub } from "./hub.ts";
import { desk, field, openRoom, post, said, stored, texts } from "./rooms.ts";

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

  test("TR-4 a system message shows its sender, unless the hub sent it", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        for (const [sender, message] of [
          ["Bob", "The owner halted this room."],
          ["AgentFlow", "This room is full."],
        ])
          await hub.ask("POST", "/api/message", { room: "Checkout", sender, message, type: "system" });
      },
    });
    await openRoom(app, "Checkout");
    const bobs = said(app).filter({ hasText: "The owner halted this room." });
    await bobs.getByText("Bob", { exact: true }).waitFor();
    await app.page.locator(".sysline").getByText("This room is full.").waitFor();
  });

  test("APP-4 the notice of an apply doesn't cover the field in which a message is written", async ({ open }) => {
    const app = await open({ seed: (hub) => post(hub, "Checkout", "backend", "はい").then(() => undefined) });
    const team = await app.team();
    await app.hub.save(team.id, {
      ...team.topology,
      agents: team.topology.agents.map((a, i) => (i ? a : { ...a, name: "Planner" })),
    });
    await app.button("Review Ctrl+Enter").click();
    await app.button(/^Apply 1 change/).click();
    await app.page
      .getByText(/^Applied/)
      .first()
      .waitFor();
    await openRoom(app, "Checkout");
    const notice = app.page.locator(".toast", { hasText: "Undo apply" });
    await notice.waitFor();
    const composer = app.page.locator(".composer");
    await until("the notice to be off the field", async () => {
      const a = await notice.boundingBox(),
        b = await composer.boundingBox();
      return !!a && !!b && (a.y + a.height <= b.y || a.x >= b.x + b.width || a.x + a.width <= b.x);
    });
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
    await post(app.hub, "会計", "backend", "one  \ntwo"); // Markdown's own line break
    await until(
      "the lines as they were typed",
      () => texts(app),
      (all) => all.includes("請求書\n2") && all.includes("one\ntwo"),
    );
    await until(
      "the field to be empty",
      () => field(app).inputValue(),
      (v) => v === "",
    );
  });

  test("APP-4 CH-7 participants of the room can be mentioned by keyboard", async ({ open }) => {
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
