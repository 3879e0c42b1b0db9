import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { gate, says, statusOf, submit, toTasks, view, what, withTeam } from "./team.ts";

const givenTo = (app: App) => app.page.getByRole("button", { name: /^To: / });
const all = (app: App) =>
  app.hub
    .ask<{ tasks: { taskId: string; title: string; agent?: string; taskType: string }[] }>("GET", "/api/tasks")
    .then((r) => r.tasks);

type Told = { title: string; body: string };
/** The person has allowed notices of the system, which the shell without a desktop lacks. They are kept in `told`. */
const allowNotices = (app: App) =>
  app.page.evaluate(() => {
    const told: Told[] = [];
    const Notice = class {
      static permission = "granted";
      static requestPermission = () => Promise.resolve("granted");
      onclick: (() => void) | null = null;
      constructor(title: string, o?: NotificationOptions) {
        told.push({ title, body: o?.body ?? "" });
      }
      close() {
        /* nothing to close */
      }
    };
    Object.assign(globalThis, { told, Notification: Notice });
  });

describe("giving a task", () => {
  test("CO-3 it is written and given with type, agent, priority, deadline and budget; Enter of an input method gives nothing", async ({
    open,
  }) => {
    await withTeam(
      open,
      function* (q) {
        yield `you said: ${q}`;
      },
      async (app) => {
        await toTasks(app);
        await what(app).click();
        await app.compose("せいきゅう");
        await app.page.keyboard.press("Enter");
        await app.commit("請求書を直す");
        expect(await all(app)).toEqual([]);
        await what(app).fill("請求書を直す");
        await givenTo(app).click();
        await app.page.getByRole("menuitem", { name: /^Dev/ }).click();
        await app.button("Priority, deadline and budget").click();
        await app.page.getByRole("combobox", { name: "Priority" }).click();
        await app.page.getByRole("option", { name: "High" }).click();
        await app.page.getByRole("combobox", { name: "Deadline" }).click();
        await app.page.getByRole("option", { name: "15 minutes" }).click();
        await app.page.getByLabel("Max US dollars").fill("much");
        await app.page.getByText("Enter a number, or leave it empty.").waitFor();
        expect(await app.button("Submit").isDisabled()).toBe(true);
        await app.page.getByLabel("Max US dollars").fill("");
        await app.page.getByLabel("Max tokens").fill("5,000");
        await what(app).focus();
        await app.page.keyboard.press("Control+End");
        await app.page.keyboard.press("Shift+Enter");
        await app.page.keyboard.type("second line");
        await app.page.keyboard.press("Enter");
        await view(app).getByRole("tabpanel").getByText("you said: 請求書を直す").waitFor();
        const [task] = await all(app),
          { context, userPrompt } = await app.hub.ask<{ context: unknown; userPrompt: string }>(
            "GET",
            `/tasks/${task!.taskId}`,
          );
        expect({ context, userPrompt }).toEqual({
          context: { agent: "dev", priority: 10, timeoutSec: 900, budget: { tokens: 5000 } },
          userPrompt: "請求書を直す\nsecond line",
        });
        expect(await what(app).inputValue()).toBe("");
        await view(app).getByText("10 of 5,000 tokens").first().waitFor();
      },
    );
  });

  test("CO-3 a double click is one task", async ({ open }) => {
    await withTeam(open, says("once"), async (app) => {
      await toTasks(app);
      await what(app).fill("only once");
      // Both clicks come before the page renders again.
      await app.button("Submit").evaluate((b: HTMLButtonElement) => {
        b.click();
        b.click();
      });
      await view(app).getByRole("tabpanel").getByText("once").waitFor();
      await submit(app.hub, "one more"); // what the second click asked for would have come by now
      await until(
        "two tasks in all",
        () => all(app),
        (l) => l.some((t) => t.title === "one more"),
      );
      expect((await all(app)).filter((t) => t.title === "only once")).toHaveLength(1);
    });
  });

  test("CO-3 what is written stays: on another screen, over a reload, and when the hub refuses", async ({ open }) => {
    await withTeam(open, says("ok"), async (app) => {
      await toTasks(app);
      await what(app).fill("half a thought");
      await app.go("canvas");
      await toTasks(app);
      expect(await what(app).inputValue()).toBe("half a thought");
      await until(
        "the hub to keep it",
        () => app.hub.ask<{ places: { draft?: string }[] }>("GET", "/api/desk"),
        (d) => d.places.some((p) => p.draft?.includes("half a thought")),
      );
      await app.page.reload();
      await toTasks(app);
      await until(
        "what was written",
        () => what(app).inputValue(),
        (v) => v === "half a thought",
      );
      await app.page.route("**/submit_task", (route) =>
        route.fulfill({
          json: { taskId: "x", status: "rejected", message: "pm has no Delegate connection to any agent" },
        }),
      );
      await app.button("Submit").click();
      await app.page.getByText("Couldn't submit the task").waitFor();
      await app.page.getByText("pm has no Delegate connection to any agent").waitFor();
      expect(await what(app).inputValue()).toBe("half a thought");
      expect(await violations(app)).toEqual([]);
    });
  });

  test("CO-3 who may not be given it cannot be chosen, and says which connection is missing", async ({ open }) => {
    await withTeam(open, says("ok"), async (app) => {
      await toTasks(app);
      await givenTo(app).click();
      const ops = app.page.getByRole("menuitem", { name: /^Ops/ });
      await ops.getByText("PM can't delegate to it").waitFor();
      expect(await ops.getAttribute("aria-disabled")).toBe("true");
      // By the keyboard: it takes the focus, and Enter says why instead of leaving the choice as it was.
      await app.page.keyboard.type("op");
      await until("Ops to have the focus", () => ops.evaluate((e) => document.activeElement === e), Boolean);
      await app.page.keyboard.press("Enter");
      const why = "PM has no Delegate connection to Ops. Add one and apply it.";
      await app.page.getByRole("menu").getByText(why).waitFor();
      await app.page.locator("[data-announcer]").getByText(why).waitFor({ state: "attached" });
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      await app.page.getByRole("menu").waitFor({ state: "detached" });
      // Asked for from the canvas all the same: it is said why, and nothing can be given.
      await app.go("canvas");
      await app.node("ops").click({ button: "right" });
      await app.page.getByRole("menuitem", { name: "Submit a task…" }).click();
      await app.page.locator(".hint").getByText(why).waitFor();
      await what(app).fill("release it");
      expect(await app.button("Submit").isDisabled()).toBe(true);
      await app.button("Show on the canvas").click();
      await until(
        "both to be chosen",
        () => app.page.locator(".react-flow__node.selected").count(),
        (n) => n === 2,
      );
    });
  });
});

describe("the canvas while tasks run", () => {
  const foot = (app: App, id: string) => app.node(id).locator(".node-foot");
  test("APP-4 shows who works, who has failed and who is done, and lights the connection a task runs along", async ({
    open,
  }) => {
    const end = gate(),
      never = gate();
    await withTeam(
      open,
      async function* (q) {
        if (q.startsWith("fail")) throw new Error("cut");
        await (q.startsWith("never") ? never : end).opened;
        yield "done";
      },
      async (app) => {
        const lit = (from: string, to: string) => app.edge(`connection:${from}:command:${to}`).locator(".edge-run");
        await foot(app, "dev").getByText("Idle").waitFor();
        // Every other node is left as it is: it is marked here, and keeps its mark.
        await app.page.evaluate(() => {
          for (const e of document.querySelectorAll(".node-foot")) e.setAttribute("data-untouched", "");
        });
        await submit(app.hub, "Round once per rate", { agent: "dev" });
        await foot(app, "dev").getByText("Round once per rate").waitFor();
        await app.node("dev").locator(".node.s-running").waitFor();
        await until(
          "the clock",
          () => foot(app, "dev").locator(".node-time").innerText(),
          (s) => /^\d+:\d\d$/.test(s),
        );
        await until(
          "the line to be lit",
          () => lit("pm", "dev").count(),
          (n) => n === 1,
        );
        expect(await app.page.locator(".edge-run").count()).toBe(1);
        expect(await foot(app, "ops").getAttribute("data-untouched")).toBe("");
        await submit(app.hub, "fail at once", { agent: "writer" });
        await app.node("writer").locator(".node.s-failed").waitFor({ timeout: 30_000 });
        end.open();
        await app.node("dev").locator(".node.s-done").waitFor();
        await foot(app, "dev").getByText("Round once per rate").waitFor();
        await until(
          "no line to be lit",
          () => app.page.locator(".edge-run").count(),
          (n) => n === 0,
        );
        expect(await lit("pm", "dev").count()).toBe(0);
        // What a person cancels is no failure: the node is gray.
        const { taskId } = await submit(app.hub, "never ends", { agent: "writer" });
        await app.node("writer").locator(".node.s-running").waitFor();
        await app.hub.ask("POST", `/tasks/${taskId}/cancel`);
        await app.node("writer").locator(".node.s-idle").getByLabel("Canceled").waitFor();
        never.open();
        expect(await violations(app)).toEqual([]);
      },
    );
  });

  test("APP-4 a task is given from an agent's menu and from the inspector", async ({ open }) => {
    await withTeam(open, says("mine"), async (app) => {
      await app.node("writer").click();
      await app.page.locator(".panel--side").getByRole("button", { name: "More" }).click();
      await app.page.getByRole("menuitem", { name: "Submit a task…" }).click();
      await app.page.getByRole("button", { name: "To: Writer" }).waitFor();
      await until("the cursor where it is written", () => what(app).evaluate((e) => e === document.activeElement));
      await app.page.keyboard.type("from the inspector");
      await app.page.keyboard.press("Enter");
      await view(app).getByRole("tabpanel").getByText("mine").waitFor();
      expect((await all(app))[0]).toMatchObject({ title: "from the inspector", agent: "writer" });
    });
  });
});

describe("the end of a task", () => {
  test("APP-4 is reported while the page is hidden, if the person turned that on", async ({ open }) => {
    const end = gate();
    await withTeam(
      open,
      async function* () {
        await end.opened;
        yield "done";
      },
      async (app) => {
        await allowNotices(app);
        const told = () => app.page.evaluate(() => (globalThis as unknown as { told: Told[] }).told);
        const quiet = await submit(app.hub, "nobody listens", { agent: "writer" }),
          loud = await submit(app.hub, "tell me", { agent: "dev" });
        await app.go(`tasks/${loud.taskId}`);
        await app.button("Notify me when it ends").click();
        await app.button("Don't notify me when it ends").waitFor();
        await app.page.evaluate(() => {
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
        });
        end.open();
        await until(
          "both to end",
          async () => [await statusOf(app, quiet.taskId), await statusOf(app, loud.taskId)],
          (l) => l.every((s) => s.status === "completed"),
        );
        await until("the message", told, (l) => l.length > 0);
        expect(await told()).toEqual([{ title: "Task done", body: "tell me" }]);
      },
    );
  });

  test("APP-4 is reported on the page while another screen is shown, with a link to it", async ({ open }) => {
    const end = gate();
    await withTeam(
      open,
      async function* () {
        await end.opened;
        yield "the answer";
      },
      async (app) => {
        await allowNotices(app);
        const { taskId } = await submit(app.hub, "look away", { agent: "dev" });
        await app.go(`tasks/${taskId}`);
        await app.button("Notify me when it ends").click();
        await app.button("Don't notify me when it ends").waitFor();
        await app.go("canvas");
        end.open();
        await app.page.getByText("Task done: look away").waitFor();
        await app.page.getByRole("button", { name: "Show", exact: true }).click();
        await view(app).getByRole("tabpanel").getByText("the answer").waitFor();
      },
    );
  });
});
