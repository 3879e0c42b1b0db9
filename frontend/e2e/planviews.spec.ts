import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { create } from "./plan.ts";
import { box, whole, withPlan } from "./planviews.ts";

describe("the timeline", () => {
  const row = (app: App, title: string) =>
    app.page
      .getByRole("tree", { name: "Plan as a timeline" })
      .getByRole("treeitem")
      .filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
  const bar = (app: App, title: string) => row(app, title).locator(".plan-time");

  test("every task's name is seen: nothing lies over the names", async ({ open }) => {
    const app = await open();
    await withPlan(app, [create("Cart"), create("Checkout")], "Timeline");
    for (const title of ["Cart", "Checkout"]) {
      const on = await row(app, title)
        .locator(".plan-name")
        .evaluate((e) => {
          const b = e.getBoundingClientRect();
          return e.contains(document.elementFromPoint(b.left + 4, b.top + b.height / 2));
        });
      expect(on).toBe(true);
    }
  });

  test("ME-8 the rail's Tasks leads back to the plan that was shown, and to the tasks once those were shown", async ({
    open,
  }) => {
    const app = await open();
    await withPlan(app, [create("Cart")], "Timeline");
    const rail = (name: string) => app.page.getByRole("navigation").getByRole("button", { name }).first();
    const at = await app.page.evaluate(() => location.hash);
    for (const [show, back] of [
      [undefined, at],
      ["Tasks", "#/tasks"],
    ] as const) {
      if (show) await app.page.getByRole("radio", { name: show }).click();
      await rail("Inbox").click();
      await until("the inbox", () => app.page.evaluate(() => location.hash.startsWith("#/inbox")));
      await rail("Tasks").click();
      await until(
        "what was shown",
        () => app.page.evaluate(() => location.hash),
        (hash) => hash === back,
      );
    }
  });

  test("ME-8 what waits comes after what it waits for; phases span their tasks, milestones end them, and it is read out", async ({
    open,
  }) => {
    const app = await open();
    await withPlan(
      app,
      [
        create("A", { phase_name: "One", milestone: "M1" }),
        create("B", { phase_name: "One", milestone: "M1", dependencies: ["t-A"] }),
        create("C", { phase_name: "One", milestone: "M1" }),
      ],
      "Timeline",
    );
    await bar(app, "B").waitFor();
    // All of them at one moment: the scale follows the width that there is.
    const edges = () =>
      app.page.getByRole("tree", { name: "Plan as a timeline" }).evaluate((tree) => {
        const of = (name: string, part: string) =>
          [...tree.querySelectorAll("[role=treeitem]")]
            .find((r) => r.querySelector(".plan-name")?.textContent === name)!
            .querySelector(part)!
            .getBoundingClientRect();
        const a = of("A", ".plan-time"),
          b = of("B", ".plan-time"),
          c = of("C", ".plan-time"),
          span = of("One", ".plan-span");
        return [b.left - a.right, c.left - a.left, span.right - b.right];
      });
    await until("B behind A, C beside it, and the phase to end with B", edges, (off) =>
      off.every((d) => Math.abs(d) < 2),
    );
    await row(app, "One").locator(".plan-milestone[data-name=M1]").waitFor();
    expect(await row(app, "B").getAttribute("aria-label")).toMatch(/^B, To do, expected .+ to .+, Critical path$/);
    expect(await row(app, "One").getAttribute("aria-label")).toMatch(/^One, To do, M1, .+ to .+$/);
    await app.page.getByText("Now", { exact: true }).waitFor();
    expect(await violations(app)).toEqual([]);
  });

  test("ME-8 by keyboard: up and down walk, left folds, + and 0 change the scale, Enter leads to the task", async ({
    open,
  }) => {
    const app = await open();
    await withPlan(app, [create("A"), create("B", { parent_id: "t-A" }), create("C")], "Timeline");
    await row(app, "A").click();
    await app.page.keyboard.press("ArrowDown");
    await until("B to have the focus", () => row(app, "B").evaluate((e) => e === document.activeElement), Boolean);
    await app.page.keyboard.press("ArrowUp");
    await until("A to have the focus", () => row(app, "A").evaluate((e) => e === document.activeElement), Boolean);
    await app.page.keyboard.press("ArrowLeft");
    await row(app, "B").waitFor({ state: "detached" });
    await app.page.keyboard.press("ArrowRight");
    await row(app, "B").waitFor();
    await app.page.keyboard.press("+");
    await until(
      "the scale of days",
      () => app.page.getByRole("radio", { name: "Days" }).getAttribute("data-state"),
      (s) => s === "checked" || s === "on",
    );
    await app.page.keyboard.press("0");
    await until(
      "all of it",
      () => app.page.getByRole("radio", { name: "All" }).getAttribute("data-state"),
      (s) => s === "checked" || s === "on",
    );
    await app.page.keyboard.press("Enter");
    await until(
      "the title field",
      () => app.page.locator("#plan-title").evaluate((e) => e === document.activeElement),
      Boolean,
    );
  });
});

describe("the versions", () => {
  const row = (app: App, title: string) =>
    app.page
      .getByRole("treeitem")
      .filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });

  test("ME-9 each is shown with who made it, compared with the plan as it is, and restored in one step of undo", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B")], "Graph");
    await app.page.getByRole("radio", { name: "Tree" }).click();
    const now = await whole(app.hub, id),
      of = (title: string) => now.plan.tasks.find((t) => t.title === title)!.id;
    await app.hub.ask("POST", `/api/plans/${id}/edit`, {
      version: now.head,
      label: "tidied up",
      operations: [{ op: "update", task_id: of("A"), title: "AA" }, { op: "delete", task_id: of("B") }, create("C")],
    });
    await row(app, "AA").waitFor();
    await app.button("Versions").click();
    const versions = app.page.getByRole("group", { name: "Versions" });
    await versions.getByRole("button", { name: /tidied up.*Now.*\+1 −1 ~1/s }).waitFor();
    await versions.getByRole("button").nth(1).click();
    await app.page.getByText("if restored: 1 new · 1 changed · 1 removed").waitFor();
    expect(await row(app, "B").getAttribute("class")).toContain("plan-add");
    expect(await row(app, "C").getAttribute("class")).toContain("plan-del");
    expect(await violations(app)).toEqual([]);
    await app.page.keyboard.press("ArrowUp");
    await app.page.getByText("if restored:").waitFor({ state: "detached" });
    await app.page.keyboard.press("ArrowDown");
    await app.button("Restore").click();
    await until(
      "the plan as it was",
      () => whole(app.hub, id),
      (w) =>
        w.plan.tasks
          .map((t) => t.title)
          .sort()
          .join() === "A,B",
    );
    await versions.getByRole("button", { name: /Now/ }).waitFor();
    await app.page.locator("h1").click();
    await app.undo();
    await until(
      "the plan as it is",
      () => whole(app.hub, id),
      (w) =>
        w.plan.tasks
          .map((t) => t.title)
          .sort()
          .join() === "AA,C",
    );
  });

  test("ME-9 versions that cannot be read say so and can be read again", async ({ open }) => {
    const app = await open();
    await withPlan(app, [create("A")], "Graph");
    let bad = true;
    await app.page.route(/\/api\/plans\/[^/]+\/versions$/, (r) =>
      bad ? r.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "later" } } }) : r.continue(),
    );
    await app.button("Versions").click();
    await app.page.getByText("Couldn't load the versions").waitFor();
    bad = false;
    await app.button("Retry").click();
    await app.page.getByRole("group", { name: "Versions" }).getByRole("button").first().waitFor();
    app.complaints.length = 0; // the browser tells of the refusals that were asked for
  });
});

test("ME-8 2,000 tasks in graph and timeline: only what is in view is built, and a search leads to one", async ({
  open,
}) => {
  const app = await open();
  const groups = Array.from({ length: 20 }, (_, g) => create(`Group ${g}`, { phase_name: `Phase ${g % 4}` })),
    tasks = Array.from({ length: 1980 }, (_, i) =>
      create(`Task ${i}`, { parent_id: `t-Group ${i % 20}`, ...(i >= 20 && { dependencies: [`t-Task ${i - 20}`] }) }),
    );
  await withPlan(app, [...groups, ...tasks], "Graph");
  await app.page.locator(".plan-box").first().waitFor();
  expect(await app.page.locator(".plan-box").count()).toBeLessThan(200);
  await app.button("Fit to screen").click();
  await app.page.locator(".plan-graph[data-far]").waitFor();
  await until(
    "nothing to be an element",
    () => app.page.locator(".plan-box").count(),
    (n) => n === 0,
  );
  const search = app.page.getByRole("textbox", { name: "Search the plan" });
  await search.fill("task 1234");
  await app.page.locator(".plan-box:not(.is-dim)", { has: box(app, "Task 1234") }).waitFor();
  await box(app, "Task 1234").click();
  await app.page.locator("#plan-title").waitFor();
  await search.fill("");
  await app.page.getByRole("radio", { name: "Timeline" }).click();
  await app.page.locator(".plan-time-row").first().waitFor();
  expect(await app.page.locator(".plan-time-row").count()).toBeLessThan(100);
  await app.page.locator(".plan-time-row").first().click();
  await app.page.locator(".plan-time-row").first().focus();
  await app.page.keyboard.press("End");
  await app.page.locator(".plan-time-row .plan-name", { hasText: /^Task 1979$/ }).waitFor();
  await search.fill("task 1234");
  await until(
    "the rows that fit",
    () => app.page.locator(".plan-time-row .plan-name").allInnerTexts(),
    (now) => now.at(-1) === "Task 1234" && now.length === 3,
  );
});

describe("with a finger", () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  type Spot = { x: number; y: number };
  /** A finger is held where `from` is until what it holds is shown, and goes to `to`. */
  async function drag(app: App, from: Spot, to: Spot): Promise<void> {
    const cdp = await app.context.newCDPSession(app.page),
      send = (type: "touchStart" | "touchMove" | "touchEnd", at: Spot[]) =>
        cdp.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((p, id) => ({ ...p, id })) });
    await send("touchStart", [from]);
    await app.page.locator(".plan-ghost").waitFor();
    for (let i = 1; i <= 6; i++)
      await send("touchMove", [{ x: from.x + ((to.x - from.x) * i) / 6, y: from.y + ((to.y - from.y) * i) / 6 }]);
    await send("touchEnd", []);
    await app.page.locator(".plan-ghost").waitFor({ state: "detached" });
  }

  test("ME-9 on a phone a task that is held is moved in the tree, and a card to another column", async ({ open }) => {
    const app = await open(phone),
      { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
    await app.hub.ask("POST", `/api/plans/${id}/edit`, {
      version: 1,
      operations: [create("A"), create("B"), create("C")],
    });
    await app.go(`plan/${id}`);
    const row = (title: string) =>
      app.page
        .getByRole("treeitem")
        .filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
    await row("C").waitFor();
    const c = (await row("C").boundingBox())!,
      a = (await row("A").boundingBox())!;
    await drag(app, { x: c.x + 120, y: c.y + c.height / 2 }, { x: a.x + 120, y: a.y + 3 });
    await until(
      "C before A",
      () => app.page.locator(".plan-row .plan-name").allInnerTexts(),
      (now) => now.join() === "C,A,B",
    );
    await app.button(/^View:/).click();
    await app.page
      .getByRole("menuitem", { name: "Board" })
      .or(app.page.getByRole("menuitemcheckbox", { name: "Board" }))
      .or(app.page.getByRole("menuitemradio", { name: "Board" }))
      .click();
    await app.page.setViewportSize({ width: 820, height: 1180 }); // where two columns stand side by side
    const card = app.page.locator(".plan-card", { hasText: "A" });
    await card.waitFor();
    let last = "";
    const [at, held] = await until(
      "the board to rest",
      () => Promise.all([card, app.page.locator("[data-lane=held]")].map(async (l) => (await l.boundingBox())!)),
      (now) => {
        const before = last;
        last = JSON.stringify(now);
        return before === last && now.every((r) => r.x < 800);
      },
    );
    await drag(app, { x: at!.x + 30, y: at!.y + 20 }, { x: Math.min(held!.x + 40, 800), y: held!.y + 200 });
    await until(
      "A on hold",
      () => app.hub.ask<{ plan: { tasks: { title: string; status: string }[] } }>("GET", `/api/plans/${id}`),
      (w) => w.plan.tasks.find((t) => t.title === "A")?.status === "BLOCKED",
    );
  });
});
