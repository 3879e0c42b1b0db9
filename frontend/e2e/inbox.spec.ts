import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { asks, askingEnv, delegates, elsewhereAgent, npm, takers, takesKeys, told } from "./asking.ts";
import { violations } from "./axe.ts";
import { says, submit, withTeam } from "./team.ts";

const rows = (app: App) => app.page.locator(".rows .lrow");
const team = { env: askingEnv, seed: (hub: App["hub"]) => elsewhereAgent(hub, "writer") };
const heading = (app: App, name: string | RegExp) => app.page.getByRole("heading", { level: 2, name });

describe("inbox", () => {
  test("a new question shows up without a reload, and one key answers it and opens the next", async ({ open }) => {
    const app = await open(team);
    await app.go("inbox");
    await app.page.getByText("All caught up").waitFor();
    const first = await asks(app.hub, npm()),
      second = await asks(app.hub, {
        key: "w",
        tool: "file_write",
        from: "files",
        arguments: { path: "notes.md", content: "# Notes\n<script>alert(1)</script>" },
      });
    await until(
      "both",
      () => rows(app).count(),
      (n) => n === 2,
    );
    expect(await app.page.getByRole("button", { name: "Inbox 2" }).first().isVisible()).toBe(true);
    await heading(app, "Run this command?").waitFor();
    expect(await app.page.locator(".inbox-view").innerText()).toContain("npm ci --ignore-scripts");
    await app.page.keyboard.press("j");
    await heading(app, "Write to this file?").waitFor();
    await app.page.keyboard.press("k");
    await heading(app, "Run this command?").waitFor();
    // The second is answered before the page has the hub's answer to the first.
    let sent = () => undefined as void;
    const both = new Promise<void>((done) => (sent = done));
    await app.page.route(`**/inbox/${first.id}/answer`, async (route) => {
      const response = await route.fetch();
      await both;
      await route.fulfill({ response });
    });
    await takesKeys(app);
    await app.page.keyboard.press("y");
    expect(await told(app.hub, first.id)).toMatchObject({ state: "answered", choice: "once" });
    await heading(app, "Write to this file?").waitFor();
    expect(await app.page.locator(".inbox-code").innerText()).toContain("<script>alert(1)</script>");
    await app.page.getByLabel(/Or deny with a reply/).fill("not there, in docs/");
    await app.page.keyboard.press("Control+Enter");
    expect(await told(app.hub, second.id)).toMatchObject({
      state: "answered",
      choice: "deny",
      word: "not there, in docs/",
    });
    sent();
    await app.page.getByText("All caught up").waitFor();
    await app.page.getByRole("radio", { name: "Answered", exact: true }).click();
    await until(
      "what was answered",
      () => rows(app).count(),
      (n) => n === 2,
    );
    await app.page.getByText("Your reply: not there, in docs/").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("the notice of a question names the agent, also where the open team doesn't have it", async ({ open }) => {
    const app = await open(team);
    const { gateway } = await app.team();
    const made = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Another",
      gateway,
      topology: { agents: [{ id: "solo", name: "Solo" }] },
    });
    await app.openTeam(made.id);
    await app.page.reload({ waitUntil: "commit" }); // answers to the page before it never end
    const known = app.page.waitForResponse((r) => /\/gateways\/[^/]+\/agents$/.test(new URL(r.url()).pathname));
    await app.ready();
    await (await known).finished();
    await app.page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }))); // it's taken
    const { id: question } = await asks(app.hub, npm());
    const notice = app.page.locator(".toast").filter({ hasText: "has a question for you" });
    await notice.waitFor();
    expect(await notice.innerText()).toContain("Writer has a question for you");
    await app.hub.ask("POST", `/api/inbox/${question}/answer`, { choice: "deny" });
    await notice.waitFor({ state: "detached", timeout: 6_000 }); // it stays for twelve seconds while the question waits
    expect(app.complaints).toEqual([]);
  });

  test("TR-2 F3 what is allowed from now on is chosen, not made by one key; it is listed with its use, and revoked", async ({
    open,
  }) => {
    await withTeam(
      open,
      says("ok"),
      async (app) => {
        const far = await takers(1);
        try {
          await app.hub.changeConfig((c) => {
            Object.assign((c.agents as Record<string, object>).dev!, {
              url: far.urls[0],
              secretEnv: "AGENTFLOW_AGENT_FAR",
            });
          });
          await app.hub.trust();
          const { taskId: task } = await submit(app.hub, "Build the shop", { agent: "dev" });
          await until(
            "Dev to have it",
            () => far.taken,
            (l) => l.includes(task),
          );
          const git = (key: string, command: string) =>
            asks(app.hub, { key, tool: "shell_exec", from: "shell", task, arguments: { command } });
          const first = await git("1", "git log main");
          await app.go("inbox");
          await heading(app, "Run this command?").waitFor();
          await app.page.keyboard.press("a");
          expect(await app.hub.ask<{ entries: unknown[] }>("GET", "/api/inbox").then((r) => r.entries.length)).toBe(1);
          await app.button("Allow from now on…").click();
          await app.page.getByRole("radio", { name: 'Commands that start with "git log"', exact: true }).click();
          await app.page.getByRole("radio", { name: "Until the end of today" }).click();
          expect(await violations(app)).toEqual([]);
          await app.page.getByRole("button", { name: "Allow from now on", exact: true }).click();
          expect(await told(app.hub, first.id)).toMatchObject({ choice: "always" });
          expect((await git("2", "git log --oneline")).state).toBe("answered");
          expect((await git("3", "git push")).state).toBe("waiting");
          await app.page.getByRole("radio", { name: "Allowed", exact: true }).click();
          await app.page.getByText("Used 1 time").waitFor();
          await app.page.getByText(/^Dev · shell/).waitFor(); // its name, not its ID
          expect(await violations(app)).toEqual([]);
          await app.button("Revoke").click();
          await app.page.getByText("No standing permissions").waitFor();
          expect((await git("4", "git log --oneline")).state).toBe("waiting");
        } finally {
          await far.close();
        }
      },
      { env: askingEnv },
    );
  });

  const late = {
    en: { first: /Read to the end before you allow it/, long: /\d[\d,]+ characters, 92 lines/ },
    ja: { first: /最後まで読む必要があります/, long: /\d[\d,]+文字、92行/ },
  };
  for (const language of ["en", "ja"] as const)
    test(`TR-2 F5 F19 what is asked is shown whole, with marks, and allowed once its end was in view, ${language}`, async ({
      open,
    }) => {
      const app = await open({ ...team, language });
      const lines = Array.from({ length: 90 }, (_, i) => `# checks part ${i} of the tree, and no more`).join("\n");
      const q = await asks(app.hub, {
        ...npm(),
        arguments: { command: `git status${" ".repeat(400)}\n${lines}\ntouch \u202Egnp.exe`, dir: "a\u2066b" },
      });
      await app.go("inbox");
      const view = app.page.locator(".inbox-view"),
        code = view.locator(".inbox-code");
      await code.waitFor();
      expect(await code.innerText()).toContain("git status␣×400");
      expect(await code.innerText()).toContain("touch ⟨U+202E⟩gnp.exe");
      expect(await view.locator(".inbox-facts").innerText()).toContain("a⟨U+2066⟩b");
      expect(await rows(app).first().innerText()).toContain("git status␣×400");
      await view.getByText(late[language].first).waitFor();
      await view.getByText(late[language].long).waitFor();
      const allow = view.locator(".inbox-answers button").first();
      expect(await allow.isDisabled()).toBe(true);
      await takesKeys(app);
      await app.page.keyboard.press("y");
      expect(await app.hub.ask<{ entries: unknown[] }>("GET", "/api/inbox").then((r) => r.entries.length)).toBe(1);
      await until("the text to have the focus", () => code.evaluate((e) => document.activeElement === e), Boolean);
      await app.page.keyboard.press("End");
      await until(
        "Allow to be enabled",
        () => allow.isDisabled(),
        (is) => !is,
      );
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("y");
      expect(await told(app.hub, q.id)).toMatchObject({ choice: "once" });
      expect(app.complaints).toEqual([]);
    });

  test("a question in words; keys of an input method answer nothing; what another window answered is gone here", async ({
    open,
  }) => {
    const app = await open(team);
    await app.go("inbox");
    const friday = await asks(app.hub, { key: "f", text: "Which Friday: 20 or 27 November?" });
    await heading(app, "Which Friday: 20 or 27 November?").waitFor();
    await app.page.keyboard.press("y");
    await app.page.getByLabel(/reads your answer/).focus();
    await app.compose("にじゅう");
    await app.page.keyboard.press("Control+Enter");
    await app.commit("20日");
    expect(await app.hub.ask<{ entries: unknown[] }>("GET", "/api/inbox").then((r) => r.entries.length)).toBe(1);
    await app.page.keyboard.press("Control+Enter");
    expect(await told(app.hub, friday.id)).toMatchObject({ state: "answered", word: "20日" });
    const npmQ = await asks(app.hub, npm());
    await heading(app, "Run this command?").waitFor();
    await app.hub.ask("POST", `/api/inbox/${npmQ.id}/answer`, { choice: "deny" });
    await app.page.getByText("All caught up").waitFor();
  });

  test("a question is announced on every screen, on the desktop with permission, and survives a restart", async ({
    open,
  }) => {
    const app = await open(team);
    await app.context.grantPermissions(["notifications"], { origin: app.hub.url });
    await app.always(() => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      const Fake = class {
        static permission = "granted";
        onclick: (() => void) | null = null;
        constructor(title: string, o?: NotificationOptions) {
          shown.push(`${title} | ${o?.body ?? ""}`);
        }
        close() {
          /* nothing to close */
        }
      };
      Object.assign(globalThis, { Notification: Fake });
      document.hasFocus = () => false;
    });
    await app.page.reload();
    await app.ready();
    await app.page.getByText("English").waitFor();
    const q = await asks(app.hub, npm());
    const seen = () => app.page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    await until("the notification", seen, (l) => l.length === 1);
    expect((await seen())[0]).toBe("Writer has a question for you | It wants to use shell_exec.");
    await app.hub.kill();
    await app.hub.restart();
    await app.go("inbox");
    await heading(app, "Run this command?").waitFor();
    await until(
      "the answer to be taken",
      async () => {
        const deny = app.page.locator(".inbox-answers button").last(); // while the hub isn't back, the question stays
        if ((await deny.count()) && (await deny.isEnabled())) await app.page.keyboard.press("n");
        return rows(app).count();
      },
      (n) => n === 0,
    );
    expect(await told(app.hub, q.id)).toMatchObject({ choice: "deny" });
  });

  const held = {
    en: { blocks: "Blocks 2 tasks", who: "Dev and Writer are waiting for your answer." },
    ja: { blocks: "タスク2件が待機中", who: "開発、ライターが回答を待っています。" },
  };
  for (const language of ["en", "ja"] as const)
    test(`a question says which tasks it blocks, and leads to the one it is asked for, ${language}`, async ({
      open,
    }) => {
      await withTeam(
        open,
        says("ok"),
        async (app) => {
          const far = await takers(2);
          try {
            await app.hub.changeConfig((c) => {
              const agents = c.agents as Record<string, object>;
              Object.assign(agents.dev!, {
                url: far.urls[0],
                secretEnv: "AGENTFLOW_AGENT_DEV",
                subagents: { allowAgents: ["writer"] },
              });
              Object.assign(agents.writer!, { url: far.urls[1], secretEnv: "AGENTFLOW_AGENT_FAR" });
            });
            await app.hub.trust();
            const whole = await submit(app.hub, "Build the shop", { agent: "dev" });
            await until(
              "Dev to have it",
              () => far.taken,
              (l) => l.includes(whole.taskId),
            );
            const part = await delegates(app.hub, "dev-secret-of-a-test-of-24-bytes", whole.taskId, {
              agent: "writer",
              prompt: "Write the guide",
            });
            await until(
              "Writer to have its part",
              () => far.taken,
              (l) => l.includes(part),
            );
            await asks(app.hub, { ...npm(), task: part });
            await app.go("inbox");
            const view = app.page.locator(".inbox-view");
            await view.getByText(held[language].blocks, { exact: true }).waitFor();
            await view.getByText(held[language].who, { exact: true }).waitFor();
            expect(await violations(app)).toEqual([]);
            await view.getByRole("button", { name: "Write the guide" }).click();
            await until(
              "the task's address",
              () => app.page.evaluate(() => location.hash),
              (h) => h === `#/tasks/${part}`,
            );
            await app.page
              .getByText(
                { en: "Writer is waiting for your approval.", ja: "ライターが承認を待っています。" }[language],
                { exact: true },
              )
              .waitFor();
            expect(await violations(app)).toEqual([]);
            await app.page
              .locator(".task")
              .getByRole("button", { name: { en: "Answer", ja: "回答" }[language] })
              .click();
            await view.getByText(held[language].who, { exact: true }).waitFor();
          } finally {
            await far.close();
          }
        },
        { language, env: { ...askingEnv, AGENTFLOW_AGENT_DEV: "dev-secret-of-a-test-of-24-bytes" } },
      );
    });

  for (const language of ["en", "ja"] as const)
    test(`no serious fault for axe, and nothing cut off, ${language}`, async ({ open }) => {
      const app = await open({
        ...team,
        language,
        colorScheme: language === "ja" ? "dark" : "light",
        viewport: language === "ja" ? { width: 390, height: 844 } : { width: 1280, height: 800 },
      });
      await asks(app.hub, npm());
      await app.go("inbox");
      await rows(app).first().click();
      await app.page.locator(".inbox-view").waitFor();
      expect(await violations(app)).toEqual([]);
      expect(
        await app.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBeLessThanOrEqual(0);
    });
});
