import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { ModelServer, type Reply } from "../modelServer.ts";
import { gate, rows, toTasks, view, what, withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";
import { phone } from "./phone.ts";

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

  test("CO-3 TR-2 APP-1 an agent asks twice: it is allowed on the desktop, and denied on a phone", async ({ open }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "agentflow-work-"));
    const shell = (command: string): Reply => ({ tool: "shell_exec", arguments: { command } });
    const model = await ModelServer.start({
      models: ["m"],
      reply: (messages) => {
        const results = messages.filter((m) => m.role === "tool");
        if (!results.length) return shell("echo one > one.txt");
        return results.length === 1 ? shell("echo two > two.txt") : "I made one file. You denied the other.";
      },
    });
    try {
      const app = await open({
          seed: async (hub) => {
            await hub.ask("POST", "/api/providers", {
              name: "local",
              kind: "openai",
              baseUrl: `${model.url}/v1`,
              default: true,
            });
            const [d] = await hub.teams();
            const dev = { id: "dev", name: "Dev", role: "Developer", model: "local/m" };
            await hub.save(d!.id, { agents: [{ ...dev, workspace: folder, tools: { allow: ["shell"] } }] });
            await hub.apply(d!.id);
            await hub.trust();
          },
        }),
        watch = Watch.start(app);
      // The person goes to the canvas before the hub has answered, and stays there.
      const left = gate();
      await app.page.route("**/submit_task", (r) => left.opened.then(() => r.continue()));
      await toTasks(app);
      await what(app).fill("Make two files");
      await app.page.keyboard.press("Enter");
      await app.go("canvas");
      left.open();
      await app.node("dev").getByTitle("Asking to use shell_exec").getByText("Asking you").waitFor();
      await app.node("dev").getByRole("button", { name: "Answer" }).click();
      const question = { name: "Run this command?" };
      await app.page.getByRole("heading", question).waitFor();
      await app.page.locator(".inbox-code").getByText("echo one > one.txt").waitFor();
      expect(existsSync(path.join(folder, "one.txt"))).toBe(false); // nothing runs before the answer
      await app.page.reload();
      await app.button("Allow once").click();

      const other = await phone(app, "#/inbox");
      watch.add(other);
      try {
        const asks = other.locator(".inbox-code").getByText("echo two > two.txt");
        const row = other.locator(".rows .lrow").first();
        await asks.or(row).first().waitFor();
        if (!(await asks.isVisible())) await row.click();
        await asks.waitFor();
        await other.getByRole("button", { name: "拒否" }).first().click(); // the phone is Japanese
        await app.go("tasks");
        await rows(app).first().click();
        await view(app).getByText("I made one file. You denied the other.").first().waitFor();
        expect([readFileSync(path.join(folder, "one.txt"), "utf8"), existsSync(path.join(folder, "two.txt"))]).toEqual([
          "one\n",
          false,
        ]);
        for (const page of [app.page, other]) expect(await watch.problems(page)).toEqual([]);
      } finally {
        await other.context().close();
      }
    } finally {
      await model.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
