import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";
import type { Hub } from "./hub.ts";
import { redraw, withAgent } from "./seed.ts";
import { gate, withTeam } from "./team.ts";

const field = (app: App, agent: string) => app.page.getByRole("textbox", { name: new RegExp(agent) });
const panel = (app: App, agent: string) => app.page.getByRole("region", { name: agent });
type History = { messages: { role: string; content: { type: string; text?: string }[] }[] };
const history = (hub: Hub, sessionKey: string) => hub.ask<History>("POST", "/api/gateway/chat/history", { sessionKey });
const send = (hub: Hub, sessionKey: string, message: string) =>
  hub.ask("POST", "/api/gateway/chat/send", {
    sessionKey,
    message,
    idempotencyKey: `${sessionKey}-${message}`.slice(0, 100),
  });
const answered = (hub: Hub, key: string, n: number) =>
  until(
    "the answer",
    () => history(hub, key),
    (h) => h.messages.filter((m) => m.role === "assistant").length === n,
  );

const keyOf = (id: string) => `agent:${id}:main`;
const go = (app: App, ...ids: string[]) =>
  app.go(["sessions", "local", ...ids.map(keyOf)].map(encodeURIComponent).join("/"));

describe("sessions", () => {
  test("APP-4 a session is begun with an agent, answered as it is written, and listed", async ({ open }) => {
    const app = await open();
    await app.go("sessions");
    await app.page.getByText("No sessions yet").waitFor();
    await app.button("New session").click();
    await app.page.getByRole("menuitem", { name: "Lead" }).click();
    await field(app, "Lead").fill("Good morning");
    await app.page.keyboard.press("Enter");
    await panel(app, "Lead").locator("article.msg").filter({ hasText: "Good morning" }).first().waitFor();
    await until(
      "the demo's answer",
      () => panel(app, "Lead").locator("article.msg:not(.is-me):not([data-live])").count(),
      (n) => n === 1,
    );
    await answered(app.hub, keyOf("lead"), 1);
    await until(
      "each, once",
      () => panel(app, "Lead").locator("article.msg").count(),
      (n) => n === 2,
    );
    await app.page.locator(".sessions-list button.lrow").filter({ hasText: "Lead" }).waitFor();
    await panel(app, "Lead").getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 they are those of the open team's gateway, unless another was chosen since", async ({ open }) => {
    const gateway = await FakeGateway.start({ entries: { main: { name: "Main" } } });
    try {
      const app = await open();
      const [first] = await app.hub.teams(),
        second = await gateway.join(app.hub);
      const shown = (name: string) =>
        app.page.locator(".sessions-list").getByRole("combobox", { name: "Gateway" }).filter({ hasText: name });
      const toSessions = () =>
        app.page
          .getByRole("link", { name: /^Sessions/ })
          .or(app.button(/^Sessions/))
          .first()
          .click();
      await toSessions();
      await shown("Built-in").waitFor();
      await go(app, "lead");
      await panel(app, "Lead").waitFor();
      await app.openTeam(second);
      await toSessions();
      await shown("studio").waitFor();
      await app.go("sessions/local");
      await shown("Built-in").waitFor();
      await app.go("canvas");
      await app.node("main").waitFor();
      await toSessions();
      await shown("Built-in").waitFor();
      await app.openTeam(first!.id);
      await toSessions();
      await shown("Built-in").waitFor();
    } finally {
      await gateway.stop();
    }
  });

  test("APP-4 several panels side by side, kept by the address; the history is there after the hub has come back", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        for (const id of ["lead", "writer"]) {
          await send(hub, keyOf(id), `to ${id}`);
          await answered(hub, keyOf(id), 1);
        }
      },
    });
    await app.go("sessions");
    await app.page.locator(".sessions-list button.lrow").filter({ hasText: "Lead" }).click();
    await app.page.locator(".sessions-list button.lrow").filter({ hasText: "Writer" }).click();
    await panel(app, "Lead").getByText("to lead", { exact: true }).waitFor();
    await panel(app, "Writer").getByText("to writer", { exact: true }).waitFor();
    await app.hub.kill();
    await panel(app, "Lead").getByText("Connection to AgentFlow lost").waitFor();
    await app.hub.restart();
    await send(app.hub, keyOf("writer"), "after the restart");
    await panel(app, "Writer").getByText("after the restart", { exact: true }).waitFor();
    await panel(app, "Lead").getByText("Connection to AgentFlow lost").waitFor({ state: "detached" });
    expect(await panel(app, "Lead").getByText("to lead", { exact: true }).count()).toBe(1);
    const address = () => app.page.evaluate(() => decodeURIComponent(location.hash));
    expect(await address()).toBe(`#/sessions/local/${keyOf("lead")}/${keyOf("writer")}`);
    await app.page.reload();
    await panel(app, "Lead").getByText("to lead", { exact: true }).waitFor();
    await panel(app, "Writer").getByText("after the restart", { exact: true }).waitFor();
    await panel(app, "Writer")
      .getByRole("button", { name: /^Close the session/ })
      .click();
    await panel(app, "Writer").waitFor({ state: "detached" });
    expect(await address()).toBe(`#/sessions/local/${keyOf("lead")}`);
    await app.page.goBack();
    await panel(app, "Writer").waitFor();
  });

  test("GW-5 an answer is stopped in its panel: what had come stays, nothing more comes, and one can go on", async ({
    open,
  }) => {
    // Another piece comes whenever the page has been looked at, since what came before it listened is not told again.
    let more = () => {},
      stopped = false;
    const looked = () =>
      new Promise<void>((r) => {
        more = r;
      });
    await withTeam(
      open,
      async function* (q) {
        if (q.includes("again")) {
          yield "Once more.";
          return;
        }
        while (!stopped) {
          yield "I begin ";
          await looked();
        }
        yield "and go on";
      },
      async (app) => {
        await go(app, "dev");
        await field(app, "Dev").fill("Begin");
        await app.page.keyboard.press("Enter");
        const dev = panel(app, "Dev");
        await until(
          "the answer to grow",
          () => {
            more();
            return dev.locator("article.msg[data-live]").getByText("I begin").count();
          },
          (n) => n === 1,
        );
        await dev.getByRole("button", { name: "Stop", exact: true }).click();
        await dev.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
        await until(
          "nothing to grow",
          () => dev.locator("article.msg[data-live]").count(),
          (n) => n === 0,
        );
        stopped = true;
        more();
        await dev.getByRole("button", { name: "Try again" }).waitFor();
        await app.page.reload();
        await dev.getByText("Stopped. The partial answer is kept.").waitFor();
        await dev.getByRole("button", { name: "Try again" }).waitFor();
        await field(app, "Dev").fill("And again");
        await app.page.keyboard.press("Enter");
        await dev.getByText("Once more.").waitFor();
        expect(await dev.getByText("and go on").count()).toBe(0);
        expect(
          (await history(app.hub, keyOf("dev"))).messages.some((m) =>
            m.content.some((c) => c.text?.includes("and go on")),
          ),
        ).toBe(false);
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("GW-9 APP-4 a panel that is opened in the middle of an answer shows what has come of it, before any more comes", async ({
    open,
  }) => {
    const more = gate();
    await withTeam(
      open,
      async function* (q) {
        yield `First about ${q.includes("dev") ? "dev" : "writer"}, `;
        await more.opened;
        yield "then the rest.";
      },
      async (app) => {
        const ask = (agent: string) =>
          app.hub.ask("POST", "/api/gateway/chat/send", { sessionKey: keyOf(agent), message: `Tell me, ${agent}` });
        const begun = (agent: string) =>
          until(
            "the answer to begin",
            () =>
              app.hub
                .ask<{ sessions: { sessionKey: string; running?: boolean }[] }>(
                  "POST",
                  "/api/gateway/sessions/list",
                  {},
                )
                .then((l) => l.sessions.find((s) => s.sessionKey === keyOf(agent))),
            (s) => s?.running === true,
          );
        await ask("dev");
        await begun("dev");
        await go(app, "dev");
        await panel(app, "Dev").locator("article.msg[data-live]").getByText("First about dev,").waitFor();
        // The page follows the gateway already when this one begins.
        await ask("writer");
        await begun("writer");
        await go(app, "writer");
        await panel(app, "Writer").locator("article.msg[data-live]").getByText("First about writer,").waitFor();
        more.open();
        await panel(app, "Writer").getByText("First about writer, then the rest.").waitFor();
        await until(
          "nothing to grow",
          () => app.page.locator("article.msg[data-live]").count(),
          (n) => n === 0,
        );
        expect(app.complaints).toEqual([]);
      },
    );
  });

  test("APP-4 from the canvas to a session with the chosen agent", async ({ open }) => {
    const app = await open();
    await app.node("writer").click();
    await app.page.keyboard.press("Control+k");
    await app.page.getByRole("dialog").waitFor();
    await app.page.keyboard.type("Chat with");
    await app.page.getByRole("option", { name: /Chat with the selected agent/ }).click();
    await field(app, "Writer").fill("Hello");
    await app.page.keyboard.press("Enter");
    await answered(app.hub, keyOf("writer"), 1);
  });

  test("APP-4 the panel of an agent that its gateway doesn't have leads to the review", async ({ open }) => {
    const app = await open();
    await app.page.mouse.dblclick(...(Object.values(await app.emptyPlace()) as [number, number]));
    await app.node("agent-1").waitFor();
    await app.go("sessions/local/agent:agent-1:main");
    await app.page.getByText("isn't on this gateway").waitFor();
    expect(await app.page.getByRole("textbox", { name: /Message/ }).count()).toBe(0);
    expect(await violations(app)).toEqual([]);
    await app.button("Review").click();
    await until("the review", () => app.page.evaluate(() => location.hash.startsWith("#/review")));
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.model", withAgent("agent-1", { model: "demo/echo" }));
    await app.hub.apply(id);
    await app.go("sessions/local/agent:agent-1:main");
    await app.page.getByText("No messages yet").or(app.page.getByText("isn't on this gateway")).first().waitFor();
    await until("the box to write in", () => app.page.getByRole("textbox", { name: /Message/ }).isVisible());
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 what was not read in sessions is counted in the list and in the rail, after a reload and in every window, and never where it is being read", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        await send(hub, keyOf("lead"), "first");
        await answered(hub, keyOf("lead"), 1);
      },
    });
    const read = (of: string) =>
      until(
        "the hub to know what was read",
        () => app.hub.ask<{ places: { conversation: string; read?: string }[] }>("GET", "/api/desk"),
        (d) => d.places.some((p) => p.conversation === `session:local/${of}` && !!p.read),
      );
    const rail = (page: Page, n: string) =>
      until(
        `the rail to say "${n}"`,
        () => page.locator(".rail-item .count").allInnerTexts(),
        (l) => l.join() === n,
      );
    const row = (page: Page, agent: string) => page.locator(".sessions-list button.lrow").filter({ hasText: agent });
    await go(app, "lead");
    await panel(app, "Lead").getByText("first", { exact: true }).waitFor();
    await read(keyOf("lead"));
    await read(""); // from here on, what begins elsewhere is new as well
    await app.go("canvas");
    await send(app.hub, keyOf("lead"), "second");
    await send(app.hub, keyOf("writer"), "to one who was never opened");
    await rail(app.page, "2");
    await app.page.reload();
    await rail(app.page, "2");
    await go(app);
    for (const agent of ["Lead", "Writer"])
      await row(app.page, agent).getByText("1 unread").waitFor({ state: "attached" });

    const other = await app.context.newPage();
    await other.goto(`${app.hub.url}/#/sessions`);
    await rail(other, "2");
    await row(other, "Lead").click();
    await other.locator(".sysline--new").waitFor();
    await rail(other, "1");
    await rail(app.page, "1");
    await row(app.page, "Lead").getByText("unread").waitFor({ state: "detached" });

    await other.evaluate(() => {
      const seen: string[] = Object.assign(globalThis, { seen: [] as string[] }).seen;
      new MutationObserver(() => {
        for (const c of document.querySelectorAll(".rail-item .count"))
          if (seen.at(-1) !== c.textContent) seen.push(c.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await send(app.hub, keyOf("lead"), "third");
    await until(
      "each answer, whole",
      () => other.locator("article.msg:not(.is-me):not([data-live])").count(),
      (n) => n === 3,
    );
    await send(app.hub, keyOf("writer"), "one more");
    await rail(other, "2");
    await rail(app.page, "2");
    expect(await other.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual(["1", "2"]); // and nothing between
    await row(other, "Lead").getByText("unread").waitFor({ state: "detached" });
    expect(app.complaints).toEqual([]);
  });

  for (const ja of [false, true])
    test(`APP-1 sessions have no serious fault for axe, ${ja ? "Japanese, dark" : "English, light"}`, async ({
      open,
    }) => {
      const app = await open({
        language: ja ? "ja" : "en",
        colorScheme: ja ? "dark" : "light",
        seed: async (hub) => {
          await send(hub, keyOf("lead"), "**Bold** `code`");
          await answered(hub, keyOf("lead"), 1);
        },
      });
      await go(app, "lead");
      await app.page.locator("article.msg strong").first().waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.setViewportSize({ width: 390, height: 844 });
      await app.page.getByRole("log").waitFor();
      expect(await app.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await app.button(/^(Back to the sessions|セッションの一覧に戻る)$/).click();
      await app.page.locator("button.lrow").first().waitFor();
      expect(await violations(app)).toEqual([]);
      expect(app.complaints).toEqual([]);
    });
});
