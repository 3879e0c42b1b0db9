import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { gate, output, row, rows, says, statusOf, submit, toTasks, view, withTeam } from "./team.ts";

const tab = (app: App, name: RegExp) => app.page.getByRole("tab", { name }).click();

describe("the list of tasks", () => {
  test("APP-4 shows what is there, newest first, says how it stands, and follows what happens", async ({ open }) => {
    const go = gate();
    await withTeam(
      open,
      async function* (q) {
        if (q.startsWith("slow")) await go.opened;
        yield `answer to ${q}`;
      },
      async (app) => {
        await toTasks(app);
        await app.page.getByText("No tasks yet").waitFor();
        const first = await submit(app.hub, "slow work\nwith details", { agent: "dev" });
        const second = await submit(app.hub, "quick work", { agent: "writer" });
        await row(app, second.taskId).getByText("Done").waitFor();
        await row(app, first.taskId).getByText("Running").waitFor();
        expect(await rows(app).evaluateAll((all) => all.map((e) => e.getAttribute("data-task")))).toEqual([
          second.taskId,
          first.taskId,
        ]);
        expect(await row(app, first.taskId).innerText()).toMatch(/slow work/);
        // One runs: the rail says so.
        const rail = app.page.getByRole("navigation").getByRole("button", { name: "Tasks" });
        await until(
          "the number at the rail",
          () => rail.first().locator(".count").allInnerTexts(),
          (all) => all.join() === "1",
        );
        go.open();
        await row(app, first.taskId).getByText("Done").waitFor();
        await until(
          "no number at the rail",
          () => rail.first().locator(".count").count(),
          (n) => n === 0,
        );
      },
    );
  });

  test("APP-4 is filtered by status, agent and words; nothing found offers the way back", async ({ open }) => {
    await withTeam(open, says("done"), async (app) => {
      const mine = await submit(app.hub, "write the guide", { agent: "writer" });
      await submit(app.hub, "build the shop", { agent: "dev" });
      const shell = await submit(app.hub, "ls", {}, "command_execution");
      await toTasks(app);
      await until(
        "three tasks",
        () => rows(app).count(),
        (n) => n === 3,
      );
      await app.page.getByLabel("Search tasks").fill("GUIDE write");
      await until(
        "one task",
        () => rows(app).count(),
        (n) => n === 1,
      );
      await row(app, mine.taskId).waitFor();
      await app.page.getByLabel("Search tasks").fill("nobody wrote this");
      await app.page.getByText("No matching tasks").waitFor();
      await app.button("Show all").click();
      await until(
        "all of them",
        () => rows(app).count(),
        (n) => n === 3,
      );
      await app.page.getByRole("combobox", { name: "Filter by status" }).click();
      await app.page.getByRole("option", { name: "Waiting" }).click();
      await until(
        "the one that waits",
        () => rows(app).count(),
        (n) => n === 1,
      );
      await row(app, shell.taskId).waitFor();
      await app.page.getByRole("combobox", { name: "Filter by status" }).click();
      await app.page.getByRole("option", { name: "All statuses" }).click();
      await app.page.getByRole("combobox", { name: "Filter by agent" }).click();
      await app.page.getByRole("option", { name: "Writer" }).click();
      await until(
        "the writer's",
        () => rows(app).count(),
        (n) => n === 1,
      );
      await row(app, mine.taskId).waitFor();
    });
  });

  test("APP-4 a list that cannot be read says so, and can be read again", async ({ open }) => {
    const app = await open();
    let bad = true;
    await app.page.route(/\/api\/tasks\?/, (route) =>
      bad
        ? route.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "later" } } })
        : route.continue(),
    );
    await app.go("tasks");
    await app.page.getByText("Couldn't load the tasks").waitFor();
    bad = false;
    await app.button("Retry").click();
    await app.page.getByText("No tasks yet").waitFor();
  });

  test("APP-4 ten thousand tasks: pages are read while one scrolls, and only what is in view is drawn", async ({
    open,
  }) => {
    const app = await open();
    const page = (before: number, limit: number) =>
      Array.from({ length: Math.min(limit, before) }, (_, i) => {
        const n = before - 1 - i,
          at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
        return {
          taskId: `t-${n}`,
          title: `Number ${n}`,
          taskType: "chat",
          status: "completed",
          progress: 100,
          agent: "a",
          attempts: 1,
          createdAt: at,
          updatedAt: at,
          startedAt: at,
        };
      });
    await app.page.route(/\/api\/tasks\?/, async (route) => {
      const q = new URL(route.request().url()).searchParams,
        before = q.get("before"),
        from = before ? Number(before.slice(2)) : 10_000,
        limit = Number(q.get("limit"));
      await route.fulfill({
        json: {
          tasks: page(from, limit),
          more: from > limit,
          counts: { pending: 0, in_progress: 0, completed: 10_000, failed: 0 },
        },
      });
    });
    await app.go("tasks");
    await row(app, "t-9999").waitFor();
    const list = app.page.locator(".tasks-rows");
    await until(
      "the last task, by scrolling to the end again and again",
      async () => {
        await list.evaluate((e) => {
          e.scrollTop = e.scrollHeight;
        });
        return row(app, "t-0").isVisible();
      },
      Boolean,
      45_000,
    );
    expect(await rows(app).count()).toBeLessThan(100);
    await app.page.getByText("10,000 done").waitFor();
    await list.evaluate((e) => {
      e.scrollTop = 0;
    });
    await row(app, "t-9999").waitFor();
  });
});

describe("a task", () => {
  test("CO-5 its output grows as it is said, follows the end, and lets go when one scrolls up", async ({ open }) => {
    const more = gate(),
      end = gate();
    await withTeam(
      open,
      async function* () {
        yield Array.from({ length: 120 }, (_, i) => `- line ${i}`).join("\n");
        await more.opened;
        yield Array.from({ length: 40 }, (_, i) => `\n- new ${i}`).join("");
        await end.opened;
        yield "\n\nthe end";
      },
      async (app) => {
        const { taskId } = await submit(app.hub, "count", { agent: "dev" });
        await app.go(`tasks/${taskId}`);
        await output(app).getByText("line 119").waitFor();
        expect(await output(app).getByRole("listitem").count()).toBe(120); // Markdown, while it is said
        await output(app).getByText("Attempt 1: Dev").waitFor({ state: "attached" });
        const atEnd = () => output(app).evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight < 24);
        await until("the end in view", atEnd);
        await output(app).evaluate((e) => {
          e.scrollTop = 0;
        });
        await app.button(/^Jump to newest/).waitFor();
        more.open();
        await app.button("Jump to newest, 40 new lines").waitFor();
        expect(await output(app).evaluate((e) => e.scrollTop)).toBe(0);
        await app.button(/^Jump to newest/).click();
        await until("the end in view again", atEnd);
        await app.page.getByText("Auto-scroll").waitFor();
        end.open();
        // It is done: the result is shown, the output stays one tab away.
        await app.page.getByRole("tab", { name: "Result", selected: true }).waitFor();
        await tab(app, /^Output$/);
        await output(app).getByText("the end").waitFor();
        await until("the end in view at last", atEnd);
        await app.page.getByText("local/m").first().waitFor();
      },
    );
  });

  test("CO-5 a hub that goes and comes back: the output goes on where it stopped, nothing missing and nothing twice", async ({
    open,
  }) => {
    const end = gate();
    let asked = 0;
    await withTeam(
      open,
      async function* () {
        const n = ++asked;
        for (let i = 0; i < 30; i++) yield `try ${n} word ${i}\n`;
        await end.opened;
        yield `try ${n} over`;
      },
      async (app) => {
        const { taskId } = await submit(app.hub, "talk", { agent: "dev" });
        await app.go(`tasks/${taskId}`);
        await output(app).getByText("try 1 word 29").waitFor();
        await app.hub.kill();
        await app.page.getByText("Output resumes where it stopped.").waitFor();
        await app.hub.restart();
        await until("the second try", async () => {
          const retry = app.button("Retry now");
          if (await retry.isVisible()) await retry.click().catch(() => undefined);
          return output(app).getByText("try 2 word 29").isVisible();
        });
        end.open();
        await until(
          "the task to end",
          () => statusOf(app, taskId),
          (s) => s.status === "completed",
        );
        await app.page.getByRole("tab", { name: "Result", selected: true }).waitFor();
        await tab(app, /^Output$/);
        const text = await until(
          "all of it",
          () => output(app).innerText(),
          (s) => s.includes("try 2 over"),
        );
        for (const n of [1, 2])
          expect([...text.matchAll(new RegExp(`try ${n} word (\\d+)`, "g"))].map((m) => Number(m[1]))).toEqual(
            Array.from({ length: 30 }, (_, i) => i),
          );
        const attempts = view(app).getByRole("list", { name: "Attempts" }).getByRole("listitem");
        expect(await attempts.count()).toBe(2);
        expect(await attempts.first().innerText()).toContain("AgentFlow was stopped in the meantime.");
      },
    );
  });

  test("CO-4 attempts with their reasons; a failed task is tried again as a new one", async ({ open }) => {
    let broken = true;
    await withTeam(
      open,
      function* () {
        if (broken) throw new Error("cut");
        yield "worked";
      },
      async (app) => {
        const { taskId } = await submit(app.hub, "try hard", { agent: "dev" });
        await app.go(`tasks/${taskId}`);
        await until(
          "it to fail",
          () => statusOf(app, taskId),
          (s) => s.status === "failed",
          30_000,
        );
        const attempts = view(app).getByRole("list", { name: "Attempts" }).getByRole("listitem");
        await until(
          "three attempts",
          () => attempts.count(),
          (n) => n === 3,
        );
        for (const text of await attempts.allInnerTexts()) expect(text).toMatch(/Failed[\s\S]*\S{3,}/);
        await output(app)
          .getByText(/Attempt 1: The model provider returned/)
          .waitFor();
        broken = false;
        await app.button("Try again").click();
        await until(
          "another task",
          () => app.page.evaluate(() => location.hash),
          (h) => h.startsWith("#/tasks/") && !h.endsWith(taskId),
        );
        await app.page.getByRole("tab", { name: "Result", selected: true }).waitFor();
        await view(app).getByRole("tabpanel").getByText("worked").waitFor();
        expect((await statusOf(app, taskId)).status).toBe("failed");
      },
    );
  });

  const words = {
    en: {
      output: "Output",
      attempts: "Attempts",
      details: "Details",
      cut: "The model provider returned an incomplete response.",
      log: "Attempt 1: The model provider returned an incomplete response.",
      what: "What should be done?",
      give: "Submit",
      refused: "PM has no Delegate connection to any agent. Add one and apply it.",
    },
    ja: {
      output: "出力",
      attempts: "試行",
      details: "詳細",
      cut: "モデルのプロバイダーから、完全な回答が返りませんでした。",
      log: "試行 1：モデルのプロバイダーから、完全な回答が返りませんでした。",
      what: "何をしますか？",
      give: "依頼",
      refused: "リーダーからの「指示」の接続がありません。接続を追加して適用してください。",
    },
  };
  for (const language of ["en", "ja"] as const) {
    test(`CO-4 ${language}: why attempts fail and tasks are refused is told in the page's language, with the hub's own words behind it`, async ({
      open,
    }) => {
      await withTeam(
        open,
        function* (q) {
          if (q) throw new Error("cut");
          yield q;
        },
        async (app) => {
          const w = words[language],
            { taskId } = await submit(app.hub, "try hard", { agent: "dev" });
          await app.go(`tasks/${taskId}`);
          const task = await until(
            "it to fail",
            () => app.hub.ask<{ status: string; attempts?: { error?: string }[] }>("GET", `/tasks/${taskId}`),
            (s) => s.status === "failed",
            30_000,
          );
          const said = task.attempts?.[0]?.error ?? "",
            attempts = app.page.getByRole("list", { name: w.attempts }).getByRole("listitem");
          await until(
            "three attempts",
            () => attempts.count(),
            (n) => n === 3,
          );
          await attempts.first().getByText(w.cut).waitFor();
          expect(said).toMatch(/^the provider/);
          expect(await attempts.first().innerText()).not.toContain(said);
          await attempts.first().getByText(w.details, { exact: true }).click();
          await attempts.first().getByText(said).waitFor();
          await app.page.getByRole("log", { name: w.output }).getByText(w.log, { exact: true }).waitFor();
          expect(await violations(app)).toEqual([]);
          await app.hub.changeConfig((c) => {
            (c.agents as Record<string, { subagents?: { allowAgents: string[] } }>).pm!.subagents = { allowAgents: [] };
          });
          const mayNobody = () => app.hub.ask<{ agents: { id: string; may: boolean }[] }>("GET", "/api/task-agents");
          await until("the hub to have read it", mayNobody, (r) => r.agents.every((a) => !a.may));
          await app.page.getByPlaceholder(w.what).fill("anything");
          await app.page.locator(".tasks-compose").getByRole("button", { name: w.give, exact: true }).click();
          await app.page.getByText(w.refused).waitFor();
        },
        { language },
      );
    });
  }

  test("CO-4 a task that runs is cancelled, and says so", async ({ open }) => {
    const never = gate();
    await withTeam(
      open,
      async function* () {
        yield "at it";
        await never.opened;
      },
      async (app) => {
        const { taskId } = await submit(app.hub, "forever", { agent: "dev" });
        await app.go(`tasks/${taskId}`);
        await output(app).getByText("at it").waitFor();
        await app.button("Cancel task").click();
        await until(
          "it to end",
          () => statusOf(app, taskId),
          (s) => s.status === "failed",
        );
        await row(app, taskId).getByText("Canceled").waitFor();
        await app.button("Cancel task").waitFor({ state: "detached" });
        never.open();
      },
    );
  });

  test("CO-3 a task that waits says why: no tools, nobody free, no connection any more", async ({ open }) => {
    const never = gate();
    await withTeam(
      open,
      async function* () {
        yield "at it";
        await never.opened;
      },
      async (app) => {
        const busy = await submit(app.hub, "long", { agent: "dev" });
        const next = await submit(app.hub, "after it", { agent: "dev" });
        await app.go(`tasks/${next.taskId}`);
        await app.page.getByText("Waiting for Dev to become available.").waitFor();
        const shell = await submit(app.hub, "ls", {}, "command_execution");
        await app.go(`tasks/${shell.taskId}`);
        await app.page.getByText(/No available agent can run this type of task: .*has no tools for Command/).waitFor();
        await app.hub.changeConfig((c) => {
          (c.agents as Record<string, { subagents?: { allowAgents: string[] } }>).pm!.subagents = {
            allowAgents: ["writer"],
          };
        });
        await app.go(`tasks/${next.taskId}`);
        await app.page.getByText("Waiting for a connection: PM has no Delegate connection to Dev.").waitFor();
        await app.button("Show on the canvas").click();
        await app.node("pm").waitFor();
        await until(
          "both to be chosen",
          () => app.page.locator(".react-flow__node.selected").count(),
          (n) => n === 2,
        );
        expect((await statusOf(app, busy.taskId)).status).toBe("in_progress");
        never.open();
      },
    );
  });

  test("CO-4 an address of a task opens it; one of no task says that there is none", async ({ open }) => {
    await withTeam(open, says("here it is"), async (app) => {
      const { taskId } = await submit(app.hub, "to be linked");
      await app.go(`tasks/${taskId}`);
      await app.page.reload();
      await view(app).getByRole("tabpanel").getByText("here it is").waitFor();
      await app.page.getByRole("radio", { name: "JSON" }).click();
      await view(app).getByText('"tokensOut"').waitFor();
      await app.go("tasks/no-such-task");
      await app.page.getByText("Task not found").waitFor();
      await app.button("Show all tasks").click();
      await row(app, taskId).click();
      await until(
        "its address",
        () => app.page.evaluate(() => location.hash),
        (h) => h === `#/tasks/${taskId}`,
      );
    });
  });

  test("APP-4 the list goes by keyboard: arrows show the next task", async ({ open }) => {
    await withTeam(open, says("ok"), async (app) => {
      const first = await submit(app.hub, "one"),
        second = await submit(app.hub, "two");
      await toTasks(app);
      await row(app, second.taskId).focus();
      await app.page.keyboard.press("Enter");
      await view(app).getByRole("heading", { name: "two" }).waitFor();
      await app.page.keyboard.press("ArrowDown");
      await view(app).getByRole("heading", { name: "one" }).waitFor();
      await until("the focus on it", () => row(app, first.taskId).evaluate((e) => e === document.activeElement));
    });
  });
});

describe("the tasks' screen", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`APP-4 ${colorScheme}: nothing that axe calls serious, with a task in every state`, async ({ open }) => {
      const never = gate();
      await withTeam(
        open,
        async function* (q) {
          if (q.startsWith("run")) {
            yield "working on it";
            await never.opened;
          }
          if (q.startsWith("fail")) throw new Error("cut");
          yield "done";
        },
        async (app) => {
          const running = await submit(app.hub, "run", { agent: "dev" }),
            failed = await submit(app.hub, "fail", { agent: "writer" });
          await until(
            "it to fail",
            () => statusOf(app, failed.taskId),
            (s) => s.status === "failed",
            30_000,
          );
          const done = await submit(app.hub, "do", { agent: "writer" }),
            waits = await submit(app.hub, "ls", {}, "command_execution");
          await until(
            "it to end",
            () => statusOf(app, done.taskId),
            (s) => s.status === "completed",
          );
          for (const id of [running.taskId, failed.taskId, done.taskId, waits.taskId]) {
            await app.go(`tasks/${id}`);
            await view(app).getByRole("tab").first().waitFor();
            expect(await violations(app), id).toEqual([]);
          }
          never.open();
        },
        { colorScheme },
      );
    });
  }
});
