import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";

const key = "agent:lead:main";
const message = (role: string, text: string, timestamp: number) => ({ role, content: text, timestamp });
const team = {
  entries: { lead: { name: "Lead", subagents: { allowAgents: ["web"] } }, web: { name: "Web" } },
};

describe("what is done with a session of a gateway", () => {
  test("OC-5 a session is forked, compacted and reset from its menu, which has only what the gateway offers", async ({
    open,
  }) => {
    const gateway = await FakeGateway.start(team);
    try {
      gateway.sessions = [{ key, agentId: "lead", updatedAt: 1_790_000_000_000, derivedTitle: "Travel" }];
      gateway.said[key] = [
        message("user", "Where to?", 1_790_000_000_000),
        message("assistant", "Oslo", 1_790_000_001_000),
      ];
      gateway.lacks = ["chat.abort"];
      const app = await open({ seed: async (hub) => void (await gateway.join(hub)) });
      await app.go(["sessions", "studio", key].map(encodeURIComponent).join("/"));
      await app.page.locator(".sessions-panel").getByText("Oslo", { exact: true }).waitFor();
      const menu = app.page.getByRole("button", { name: /^Actions for the session/ });
      await menu.first().click();
      expect(await app.page.getByRole("menuitem").allTextContents()).toEqual(["Compact", "Fork", "Reset…"]);
      await app.page.getByRole("menuitem", { name: "Compact" }).click();
      await app.page.getByText("The gateway says: Nothing to compact").waitFor();
      await menu.first().click();
      await app.page.getByRole("menuitem", { name: "Fork" }).click();
      await until(
        "the copy beside it",
        () => app.page.locator(".sessions-panel").count(),
        (n) => n === 2,
      );
      const rows = app.page.locator(".lrow").filter({ hasText: "Oslo" }); // the copy has its last message, too
      await until(
        "both in the list",
        () => rows.count(),
        (n) => n === 2,
      );
      const copy = app.page.getByRole("button", { name: "Actions for the session with Lead · main-copy" });
      await copy.waitFor(); // each says which of the two it is
      await app.page.getByRole("button", { name: "Actions for the session with Lead · main", exact: true }).click();
      await app.page.getByRole("menuitem", { name: "Reset…" }).click();
      const dialog = app.page.getByRole("dialog", { name: "Reset the session with Lead · main?" });
      await dialog.getByText("You can't undo this.").waitFor();
      expect(await violations(app)).toEqual([]);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect(gateway.said[key]).toHaveLength(2);
      await menu.first().click();
      await app.page.getByRole("menuitem", { name: "Reset…" }).click();
      await dialog.getByRole("button", { name: "Reset session" }).click();
      await app.page.getByText("Session reset", { exact: true }).waitFor();
      expect([gateway.said[key], gateway.said[`${key}-copy`]?.length]).toEqual([[], 2]);
      await until(
        "the messages to go from the panel",
        () => app.page.locator(".sessions-panel").first().getByText("Oslo", { exact: true }).count(),
        (n) => n === 0,
      );
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  test("OC-5 a session that runs shows on the canvas with its parent, until it ends or the link is lost", async ({
    open,
  }) => {
    const gateway = await FakeGateway.start(team);
    try {
      const child = "agent:web:subagent:1",
        row = {
          key: child,
          agentId: "web",
          hasActiveRun: true,
          spawnedBy: key,
          derivedTitle: "Find hotels",
          totalTokens: 1234,
        };
      gateway.sessions = [row];
      let id = "";
      const app = await open({ seed: async (hub) => void (id = await gateway.join(hub)) });
      await app.go(`canvas/${id}`);
      const node = app.page.locator('.react-flow__node[data-id="web"]'),
        foot = node.locator(".node-foot");
      await foot.getByText("Find hotels · 1,234 tokens · Started by Lead").waitFor();
      await foot.getByRole("button", { name: "Open the session Find hotels" }).click();
      await until(
        "the session",
        () => app.page.evaluate(() => decodeURIComponent(location.hash)),
        (hash) => hash.includes(child),
      );
      await app.page.goBack();
      await foot.getByText("Find hotels").waitFor();
      gateway.cut();
      await foot.getByText("Find hotels").waitFor({ state: "detached" });
      gateway.back();
      await app.hub.ask("POST", "/api/gateways/studio/reconnect");
      await foot.getByText("Find hotels").waitFor();
      gateway.sessions = [{ ...row, hasActiveRun: false }];
      gateway.chat({ state: "final", sessionKey: child, runId: "r1" });
      await foot.getByText("Find hotels").waitFor({ state: "detached" });
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  test("GW-9 a half answer and its lost question stay in place after the gateway's restart, in every window", async ({
    open,
  }) => {
    const gateway = await FakeGateway.start(team);
    try {
      const before = [message("user", "Hello", Date.now() - 60_000), message("assistant", "Hi", Date.now() - 59_000)];
      gateway.sessions = [{ key, agentId: "lead", updatedAt: Date.now() - 59_000 }];
      gateway.said[key] = [...before];
      const app = await open({ seed: async (hub) => void (await gateway.join(hub)) }),
        address = ["sessions", "studio", key].map(encodeURIComponent).join("/");
      await app.go(address);
      await app.page.getByRole("textbox", { name: /Lead/ }).fill("Count to a thousand");
      await app.page.keyboard.press("Enter");
      const [asked] = await until(
        "the question",
        () => gateway.sent,
        (l) => l.length === 1,
      );
      gateway.said[key] = [...before]; // a gateway of 2026.2 writes the question down with its answer
      gateway.chat({
        runId: asked?.run,
        sessionKey: key,
        seq: 1,
        state: "delta",
        message: { role: "assistant", content: [{ type: "text", text: "One, two, three" }] },
      });
      await app.page.locator("article.msg[data-live]").getByText("One, two, three").waitFor();
      await app.page.locator(".sessions-list button.lrow").getByText("Count to a thousand").waitFor();
      gateway.cut();
      await app.page.getByText("Connection to studio lost. AgentFlow is reconnecting").waitFor();
      await app.page.locator("article.msg[data-live]").waitFor({ state: "detached" });
      await app.page.locator(".sessions-panel .head .badge, .sessions-list .s-running").waitFor({ state: "detached" });
      await app.page.getByText("One, two, three").waitFor();
      gateway.back();
      await app.page.getByText(/^(Connection to studio lost|No connection to studio)/).waitFor({ state: "detached" });
      const shown = (page: Page) => page.locator("article.msg .read").allInnerTexts();
      const lines = ["Hello", "Hi", /^Count to a thousand\s.*didn't save/s, /^One, two, three\s.*is cut off/s];
      const are = async (page: Page, want: (string | RegExp)[]) =>
        void (await until(
          `the lines ${want.join(", ")}`,
          () => shown(page),
          (l) => l.length === want.length && want.every((w, i) => (typeof w === "string" ? l[i] === w : w.test(l[i]!))),
        ));
      await are(app.page, lines);
      gateway.say(key, "user", "What is two and two?");
      gateway.say(key, "assistant", "Four");
      gateway.chat({ runId: "another", sessionKey: key, seq: 1, state: "final" });
      const after = [...lines, "What is two and two?", "Four"];
      await are(app.page, after);
      await app.page.locator(".sessions-list button.lrow").getByText("Four").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.reload();
      await are(app.page, after);
      const second = await app.context.newPage();
      await second.goto(`${app.hub.url}/#/${address}`);
      await are(second, after);
      await app.page.getByRole("button", { name: "Send again" }).click();
      await until(
        "the question again",
        () => gateway.sent,
        (l) => l.length === 2 && l[1]?.text === "Count to a thousand",
      );
      await app.page.locator("article.msg").filter({ hasText: "is cut off" }).waitFor({ state: "detached" });
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
