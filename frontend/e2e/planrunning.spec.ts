import { expect, test, until } from "./app.ts";
import { violations } from "./axe.ts";
import { create, edit, field, row, whole, withPlan } from "./plan.ts";
import { withSite } from "./site.ts";

const make = (title: string, description: string, dependencies: string[] = []) =>
  create(title, { description, dependencies, acceptance_criteria: [`${title} is there`] });

test("ME-8 ME-9 in a running plan a new task is written before it is added; a text that is too late stays", async ({
  open,
}) => {
  await withSite(open, async ({ app, repo, set }) => {
    const id = await withPlan(app, [make("one", "MAKE one.txt"), make("two", "COPY one.txt", ["t-one"])]);
    set("hold");
    await app.hub.ask("POST", `/api/plans/${id}/run`, {
      folder: repo,
      worker: "codex-cli",
      mode: "exec",
      parallel: 4,
    });
    await app.page.getByText("The plan is running").waitFor();

    // Nothing is added, and so nothing starts, until the person has said what it is about.
    await app.page.locator("header.head").getByRole("button", { name: "Add task" }).click();
    const dialog = app.page.getByRole("dialog", { name: "Add task" });
    await dialog.getByText("the task can start as soon as you add it").waitFor();
    expect(await dialog.getByRole("button", { name: "Add task" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox", { name: "Title" }).fill("three");
    await dialog.getByRole("textbox", { name: "Description" }).fill("MAKE three.txt");
    expect(await violations(app)).toEqual([]);
    expect((await whole(app.hub, id)).plan.tasks.map((t) => t.title)).toEqual(["one", "two"]);
    await app.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await app.page.locator("header.head").getByRole("button", { name: "Add task" }).click();
    expect(await dialog.getByRole("textbox", { name: "Title" }).inputValue()).toBe("three");
    await dialog.getByRole("textbox", { name: "Acceptance criteria" }).fill("It is there\nIt is short");
    await dialog.getByRole("button", { name: "Add task" }).click();
    await dialog.waitFor({ state: "detached" });
    await until(
      "the task, as it was written",
      () => whole(app.hub, id),
      (w) =>
        w.plan.tasks.some((t) => t.title === "three" && t.description === "MAKE three.txt" && t.acceptance_criteria[1]),
    );

    // "two" loses what it waits for while its description is being written, and so it starts.
    await row(app, "two").click();
    await field(app, "Description").fill("COPY one.txt, slowly");
    await edit(app.hub, id, [{ op: "update", task_id: await idOf("two"), dependencies: [] }]);
    await app.page.getByText("This task is running. Pause the plan").waitFor();
    await field(app, "Milestone").focus();
    await app.page.getByText("Pause the plan to change what it is about").waitFor();
    await app.page.getByText("Not saved. Leave the field to try again").waitFor();
    expect(await field(app, "Description").inputValue()).toBe("COPY one.txt, slowly");
    await field(app, "Description").focus();
    await app.page.keyboard.press("Escape");
    await app.page.getByText("Not saved.").waitFor({ state: "detached" });
    await until("the saved text", async () => (await field(app, "Description").inputValue()) === "COPY one.txt");

    async function idOf(title: string): Promise<string> {
      return (await whole(app.hub, id)).plan.tasks.find((t) => t.title === title)!.id;
    }
  });
});

test("ME-9 two people change a task in the same moment: both changes count", async ({ open }) => {
  const app = await open(),
    id = await withPlan(app, [create("Checkout")]);
  const task = (await whole(app.hub, id)).plan.tasks[0]!.id;
  await row(app, "Checkout").click();
  // Somebody else is faster by as much as the request takes on its way.
  await app.page.route(
    "**/api/plans/*/edit",
    async (route) => {
      await edit(app.hub, id, [{ op: "update", task_id: task, acceptance_criteria: ["It sums up"] }]);
      await route.continue();
    },
    { times: 1 },
  );
  await field(app, "Milestone").fill("M2");
  await app.page.keyboard.press("Enter");
  await until(
    "both changes",
    () => whole(app.hub, id),
    (w) => w.plan.tasks[0]?.milestone === "M2" && w.plan.tasks[0].acceptance_criteria.join() === "It sums up",
  );
  await until(
    "the other's criteria",
    async () => (await field(app, "Acceptance criteria").inputValue()) === "It sums up",
  );
  expect(await app.page.getByText("Couldn't change the plan").count()).toBe(0);
});
