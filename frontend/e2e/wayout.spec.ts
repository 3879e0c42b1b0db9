import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";
import { create, row as planRow, showing, withPlan } from "./plan.ts";
import { row, says, submit, toTasks, withTeam } from "./team.ts";

describe("what is gone or used up leads on", () => {
  test("ME-9 a plan is deleted after a question, and Ctrl+Z brings it back", async ({ open }) => {
    const app = await open();
    await withPlan(app, [create("A")]);
    await planRow(app, "A").waitFor();
    await app.button("More").click();
    await app.page.getByRole("menuitem", { name: "Delete the plan" }).click();
    const dialog = app.page.getByRole("dialog", { name: "Delete the plan Shop?" });
    await dialog.getByText(/deleted with its versions and attempts/).waitFor();
    expect(await violations(app)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await planRow(app, "A").waitFor();
    await app.button("More").click();
    await app.page.getByRole("menuitem", { name: "Delete the plan" }).click();
    await dialog.getByRole("button", { name: "Delete the plan" }).click();
    const plans = () => app.hub.ask<{ plans: unknown[] }>("GET", "/api/plans");
    await until("no plan", plans, (r) => r.plans.length === 0);
    await planRow(app, "A").waitFor({ state: "detached" });
    await app.page.keyboard.press("Escape");
    await app.page.locator("main").focus();
    await app.page.keyboard.press("Control+z");
    await showing(app, ["A"]);
    expect((await plans()).plans).toHaveLength(1);
    expect(app.complaints).toEqual([]);
  });

  test("CO-1 a task that used up its own budget is written again with another one", async ({ open }) => {
    await withTeam(open, says("a long answer"), async (app) => {
      await toTasks(app);
      const task = await submit(app.hub, "write the guide", { agent: "writer", budget: { tokens: 1 } });
      await row(app, task.taskId).getByText("Failed").waitFor();
      await row(app, task.taskId).click();
      await app.button("Change the budget…").click();
      await until(
        "the task in the composer",
        () => app.page.locator("#task-text").inputValue(),
        (v) => v === "write the guide",
      );
      const tokens = app.page.getByRole("textbox", { name: /token/i });
      expect(await tokens.inputValue()).toBe("1");
      await tokens.fill("100000");
      await app.page.locator("#task-text").press("Enter");
      await until(
        "the second task to be done",
        () => app.hub.ask<{ tasks: { status: string }[] }>("GET", "/api/tasks"),
        (r) => r.tasks.some((x) => x.status === "completed"),
      );
      expect(app.complaints).toEqual([]);
    });
  });

  test("GW-1 a team whose gateway was removed can be sent to another one", async ({ open }) => {
    const gateway = await FakeGateway.start({ entries: { main: { name: "Main" } } });
    try {
      const app = await open();
      await app.openTeam(await gateway.join(app.hub));
      await app.hub.ask("DELETE", "/api/gateways/studio");
      const gone = app.page.getByText("The gateway studio was removed from AgentFlow.", { exact: false });
      await gone.first().waitFor();
      await app.page.getByText("Gateway removed").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.reload();
      await gone.first().waitFor();
      await app.button("Choose another gateway").click();
      await app.page.getByRole("menuitem", { name: "Built-in gateway" }).click();
      await gone.first().waitFor({ state: "detached" });
      await app.kept("the built-in gateway", (d) => d.gateway === "local");
      // Something of it may be asked for once more before the page learns that the gateway is gone.
      expect(app.complaints.filter((c) => !/\b404\b|\b503\b.*\/api\/gateways?\//.test(c))).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
