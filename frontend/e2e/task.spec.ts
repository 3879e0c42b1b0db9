import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { gate, output, row, says, statusOf, submit, toTasks, view, what, withTeam } from "./team.ts";

const tab = (app: App, name: RegExp) => app.page.getByRole("tab", { name }).click();

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
          // innerText lacks what was never in view.
          async () => (await output(app).locator("> div > *").allTextContents()).join("\n"),
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
          .getByText(/Attempt 1: The model provider's answer was cut off/)
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

        // A person who goes elsewhere before the hub has answered stays there.
        const answered = gate();
        await app.page.route("**/retry*", async (r) => {
          const response = await r.fetch();
          await answered.opened;
          await r.fulfill({ response });
        });
        await app.go(`tasks/${taskId}`);
        await app.button("Try again").click();
        await until(
          "the third task",
          async () => (await app.hub.ask<{ tasks: object[] }>("GET", "/api/tasks")).tasks.length === 3,
        );
        await app.go("tasks");
        await what(app).waitFor();
        const taken = app.page.waitForResponse("**/retry*");
        answered.open();
        await (await taken).finished();
        await app.page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
        expect(await app.page.evaluate(() => location.hash)).toBe("#/tasks");
        await app.page.unroute("**/retry*");
        expect(app.complaints).toEqual([]);
      },
    );
  });

  const words = {
    en: {
      output: "Output",
      attempts: "Attempts",
      details: "Details",
      cut: "The model provider's answer was cut off.",
      log: "Attempt 1: The model provider's answer was cut off.",
      what: "What should be done?",
    },
    ja: {
      output: "出力",
      attempts: "試行",
      details: "詳細",
      cut: "モデルのプロバイダーからの回答が、途中で切れました。",
      log: "試行 1：モデルのプロバイダーからの回答が、途中で切れました。",
      what: "何をしますか？",
    },
  };
  for (const language of ["en", "ja"] as const) {
    test(`CO-4 ${language}: failures are explained in the page's language and the hub's`, async ({ open }) => {
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
        },
        { language },
      );
    });
  }

  test("CO-4 a running task is canceled, and shows it", async ({ open }) => {
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
