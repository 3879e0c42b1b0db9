import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { violations } from "./axe.ts";
import { gate, row, rows, says, statusOf, submit, toTasks, view, withTeam } from "./team.ts";

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
        // One runs, and the rail shows it.
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

  test("APP-4 a list that can't be read shows an error, and can be read again", async ({ open }) => {
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
