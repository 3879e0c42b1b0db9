import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { gate, view, what, withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";

// Journey 6: work for the team, by the keyboard alone: given, watched, failed, tried again, and read.

type Task = { taskId: string; title: string; status: string };
const all = (app: App) => app.hub.ask<{ tasks: Task[] }>("GET", "/api/tasks").then((r) => r.tasks);
const focused = (app: App, css: string) =>
  until(`the focus on ${css}`, () => app.page.evaluate((s) => document.activeElement?.matches(s) ?? false, css));

/** Presses Tab until the button of that name has the focus, and then Enter. */
async function press(app: App, name: RegExp): Promise<void> {
  await until(
    `the focus on ${name.source}`,
    async () => {
      const at = await app.page.evaluate(
        () =>
          (document.activeElement as HTMLElement | null)?.getAttribute("aria-label") ??
          (document.activeElement as HTMLElement | null)?.innerText ??
          "",
      );
      if (name.test(at.trim())) return true;
      await app.page.keyboard.press("Tab");
      return false;
    },
    Boolean,
    20_000,
  );
  await app.page.keyboard.press("Enter");
}

describe("journey 6: work", () => {
  for (const language of ["en", "ja"] as const)
    test(`CO-3 APP-1 by the keyboard alone: tasks for the team are given and answered; one fails, and is tried again (${language})`, async ({
      open,
    }) => {
      let broken = true;
      const end = gate();
      await withTeam(
        open,
        async function* (q) {
          if (q.includes("unlucky") && broken) throw new Error("cut");
          yield `I did: ${q.split("\n").at(-1)}`;
          if (q.includes("slow")) await end.opened;
          yield ".";
        },
        async (app) => {
          const watch = Watch.start(app);
          await app.page.keyboard.press("Control+k");
          await focused(app, "[cmdk-input]");
          await app.page.keyboard.insertText(language === "ja" ? "タスク" : "Tasks");
          await app.page
            .locator("[cmdk-item][aria-selected=true]")
            .filter({ hasText: language === "ja" ? "タスク" : "Tasks" })
            .waitFor();
          await app.page.keyboard.press("Enter");
          const box = language === "ja" ? app.page.locator("main textarea").first() : what(app);
          await box.waitFor();
          await until("the focus in the box", async () => {
            if (await box.evaluate((e) => e === document.activeElement)) return true;
            await app.page.keyboard.press("Tab");
            return false;
          });
          for (const title of ["slow work", "quick work", "unlucky work"]) {
            await app.page.keyboard.type(title);
            await app.page.keyboard.press("Enter");
            await until(
              "the box to be empty, with the focus in it",
              async () => (await box.inputValue()) === "" && (await box.evaluate((e) => e === document.activeElement)),
            );
          }
          await until(
            "three tasks",
            () => all(app),
            (l) => l.length === 3,
          );
          await until(
            "the quick one to be done",
            () => all(app),
            (l) => l.find((t) => t.title === "quick work")?.status === "completed",
          );
          await until(
            "the unlucky one to fail",
            () => all(app),
            (l) => l.find((t) => t.title === "unlucky work")?.status === "failed",
            90_000,
          );
          const unlucky = (await all(app)).find((t) => t.title === "unlucky work")!;
          await app.go(`tasks/${unlucky.taskId}`);
          expect(await app.page.evaluate(() => document.body.innerText)).not.toMatch(
            /It is not available now|現在は利用できません/,
          );
          broken = false;
          await app.page.reload(); // the page is left in the middle of it
          await press(app, /^(Try again|再試行)$/);
          const again = () => all(app).then((l) => l.filter((t) => t.title === "unlucky work"));
          await until("the second attempt to end well", again, (l) => l.some((t) => t.status === "completed"), 60_000);
          end.open();
          await until(
            "the slow one to be done",
            () => all(app),
            (l) => l.find((t) => t.title === "slow work")?.status === "completed",
          );
          const slow = (await all(app)).find((t) => t.title === "slow work")!;
          await app.go(`tasks/${slow.taskId}`);
          await (language === "ja" ? app.page.locator("section.task") : view(app))
            .getByText("I did: slow work.")
            .first()
            .waitFor();
          expect(await watch.problems(app.page)).toEqual([]);
        },
        { language },
      );
    });
});
