import { describe } from "vitest";
import { expect, test, until } from "./app.ts";
import { violations } from "./axe.ts";
import {
  card,
  create,
  edit,
  field,
  inLane,
  inOneFrame,
  lane,
  patch,
  row,
  showing,
  tree,
  whole,
  withPlan,
} from "./plan.ts";

describe("by hand", () => {
  test("ME-9 a task is added, named, given criteria and something to wait for; each is one step of undo", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, []);
    await app.page.getByText("No tasks yet").waitFor();
    await app.page.locator("header.head").getByRole("button", { name: "Add task" }).click();
    await row(app, "New task").waitFor();
    const title = field(app, "Title");
    await until("the title, chosen whole", () =>
      title.evaluate(
        (e: HTMLInputElement) => e === document.activeElement && e.selectionStart === 0 && e.selectionEnd === 8,
      ),
    );
    await app.page.keyboard.type("Checkout");
    await app.page.keyboard.press("Enter");
    await row(app, "Checkout").waitFor();
    expect((await whole(app.hub, id)).plan.tasks.length).toBe(1);
    await field(app, "Acceptance criteria").fill("It sums up\nIt rounds once");
    await field(app, "Description").click();
    const kept = await until(
      "the criteria",
      () => whole(app.hub, id),
      (w) => w.plan.tasks[0]?.acceptance_criteria.length === 2,
    );
    expect(kept.plan.tasks[0]).toMatchObject({
      title: "Checkout",
      acceptance_criteria: ["It sums up", "It rounds once"],
    });
    await app.page.locator("header.head").getByRole("button", { name: "Add task" }).click();
    await row(app, "New task").waitFor();
    const needs = app.page.getByRole("combobox", { name: "Depends on" });
    await needs.fill("Check");
    await app.page.getByRole("option", { name: "Checkout" }).click();
    await row(app, "New task").getByText("waiting for 1").waitFor();
    await row(app, "Checkout").getByText("Blocks 1").waitFor();
    await row(app, "New task").click();
    await app.undo();
    await until(
      "nothing to wait for",
      () => whole(app.hub, id),
      (w) => w.plan.tasks[1]?.dependencies.length === 0,
    );
    await app.undo();
    await until(
      "one task",
      () => whole(app.hub, id),
      (w) => w.plan.tasks.length === 1,
    );
    await app.redo();
    await until(
      "two tasks",
      () => whole(app.hub, id),
      (w) => w.plan.tasks.length === 2,
    );
  });

  test("ME-9 the tree goes by keyboard: arrows walk and fold, Alt moves, Delete deletes with the way back", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B"), create("C", { parent_id: "t-B" }), create("D")]);
    await showing(app, ["A", "B", "C", "D"]);
    await row(app, "A").click();
    await app.page.keyboard.press("ArrowDown");
    await app.page.keyboard.press("ArrowLeft");
    await showing(app, ["A", "B", "D"]);
    await app.page.keyboard.press("ArrowRight");
    await showing(app, ["A", "B", "C", "D"]);
    await app.page.keyboard.press("Alt+ArrowUp");
    await showing(app, ["B", "C", "A", "D"]);
    await app.page.keyboard.press("End");
    await until("D to have the focus", () => row(app, "D").evaluate((e) => e === document.activeElement), Boolean);
    // The person is at another task already when the hub answers.
    let gone = () => undefined as void;
    const elsewhere = new Promise<void>((done) => (gone = done));
    const answered = app.page.waitForResponse("**/edit");
    await app.page.route("**/edit", async (route) => {
      const response = await route.fetch();
      await elsewhere;
      await route.fulfill({ response });
    });
    await app.page.keyboard.press("Alt+ArrowRight");
    await until(
      "D below A",
      () => whole(app.hub, id),
      (w) => tree(w).includes("A: D"),
    );
    await row(app, "B").click();
    gone();
    await (await answered).finished();
    await app.page.unroute("**/edit");
    await app.page.evaluate(() => new Promise(requestAnimationFrame));
    await app.page.keyboard.press("Delete");
    await showing(app, ["C", "A", "D"]);
    await app.page
      .getByRole("status")
      .getByRole("button", { name: "Undo" })
      .or(app.page.locator(".toast").getByRole("button", { name: "Undo" }))
      .first()
      .click();
    await showing(app, ["B", "C", "A", "D"]);
  });

  test("ME-9 a key that follows another within the same frame is about the row that is to have the focus", async ({
    open,
  }) => {
    const app = await open();
    await withPlan(app, [create("A"), create("B"), create("C", { parent_id: "t-B" }), create("D")]);
    await showing(app, ["A", "B", "C", "D"]);
    await row(app, "A").click();
    await inOneFrame(app, "ArrowDown", "ArrowLeft");
    await showing(app, ["A", "B", "D"]);
    await inOneFrame(app, "ArrowDown", "ArrowUp", "ArrowRight");
    await showing(app, ["A", "B", "C", "D"]);
  });

  test("ME-9 a task is dragged before another and below another", async ({ open }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B"), create("C")]);
    await row(app, "C").dragTo(row(app, "A"), { targetPosition: { x: 120, y: 3 } });
    await showing(app, ["C", "A", "B"]);
    await row(app, "B").dragTo(row(app, "C"), { targetPosition: { x: 120, y: 15 } });
    await showing(app, ["C", "B", "A"]);
    expect(tree(await whole(app.hub, id))).toContain("C: B");
    await app.undo();
    await showing(app, ["C", "A", "B"]);
  });

  test("ME-9 on the board a card is dragged to another column, and with Alt and an arrow; undone in one step", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B", { dependencies: ["t-A"] })]);
    await app.page.getByRole("radio", { name: "Board" }).click();
    await card(app, "A").getByText("Blocks 1").waitFor();
    await card(app, "A").dragTo(lane(app, "Done"));
    await inLane(app, "Done", "A").waitFor();
    expect((await whole(app.hub, id)).plan.tasks[0]!.status).toBe("COMPLETE");
    await card(app, "B").focus();
    await app.page.keyboard.press("Alt+ArrowRight");
    await inLane(app, "On hold", "B").waitFor();
    await card(app, "A").focus();
    await app.page.keyboard.press("Alt+ArrowRight");
    await app.page.getByRole("status").filter({ hasText: "“A” can't go any further in this direction." }).waitFor();
    await app.undo();
    await inLane(app, "To do", "B").waitFor();
    await app.undo();
    await inLane(app, "To do", "A").waitFor();
  });

  test("ME-9 what another window changes is shown without a click; a plan goes to a file and comes from one", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, [create("A")]);
    await showing(app, ["A"]);
    await edit(app.hub, id, [create("B")]);
    await showing(app, ["A", "B"]);
    const file = await app.hub.ask<object>("GET", `/api/plans/${id}/file`);
    await app.go("plan");
    await app.page.locator("input[type=file]").setInputFiles({
      name: "other.plan.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(file)),
    });
    await app.page.getByRole("button", { name: "Plan: other" }).waitFor();
    await showing(app, ["A", "B"]);
    await app.go("plan");
    await app.page
      .locator("input[type=file]")
      .setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from("{") });
    await app.page.getByText("bad.json isn't JSON.").waitFor();
  });
});

describe("the screen", () => {
  test("ME-8 characters that nobody sees are marked in the names of plans and tasks", async ({ open }) => {
    const app = await open();
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Sh\u202eop" });
    await edit(app.hub, id, [create("Pay\u200bment")]);
    await app.go(`plan/${id}`);
    await app.page.locator(".plan-chooser", { hasText: "Sh⟨U+202E⟩op" }).waitFor();
    await app.page.locator(".plan-row .plan-name", { hasText: "Pay⟨U+200B⟩ment" }).waitFor();
    expect(await app.page.locator(".plan-row mark.unseen").innerText()).toBe("⟨U+200B⟩");
    await app.go("plan");
    await app.page.locator(".lrow", { hasText: "Sh⟨U+202E⟩op" }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("ME-8 2,000 tasks: only what is in view is drawn, the end is one key away, and a search finds one", async ({
    open,
  }) => {
    const app = await open();
    const groups = Array.from({ length: 20 }, (_, g) => create(`Group ${g}`)),
      tasks = Array.from({ length: 1980 }, (_, i) =>
        create(`Task ${i}`, { parent_id: `t-Group ${i % 20}`, ...(i > 0 && { dependencies: [`t-Task ${i - 1}`] }) }),
      );
    await withPlan(app, [...groups, ...tasks]);
    await row(app, "Group 0").waitFor();
    expect(await app.page.getByRole("treeitem").count()).toBeLessThan(100);
    await row(app, "Group 0").click();
    await app.page.keyboard.press("End");
    await until(
      "the last row to have the focus",
      () => row(app, "Task 1979").evaluate((e) => e === document.activeElement),
      Boolean,
    );
    // The first row isn't rendered yet when the next key comes.
    await inOneFrame(app, "Home", "ArrowDown");
    await until(
      "the second row to have the focus",
      () => row(app, "Task 0").evaluate((e) => e === document.activeElement),
      Boolean,
    );
    expect(await app.page.getByRole("treeitem").count()).toBeLessThan(100);
    await field(app, "Search the plan").fill("task 1234");
    await showing(app, ["Group 14", "Task 1234"]);
    await field(app, "Search the plan").fill("nobody");
    await app.page.getByText("No matching tasks").waitFor();
    await app.button("Show all").click();
    await app.page.getByRole("radio", { name: "Board" }).click();
    await app.page.locator(".plan-card").first().waitFor();
    expect(await app.page.locator(".plan-card").count()).toBeLessThan(100);
  });

  test("ME-8 an unreadable plan shows an error and can be read again; a missing one offers a way back", async ({
    open,
  }) => {
    const app = await open(),
      { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
    let bad = true;
    await app.page.route(/\/api\/plans\/[^/]+$/, (r) =>
      bad ? r.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "later" } } }) : r.continue(),
    );
    await app.go(`plan/${id}`);
    await app.page.getByText("Couldn't load the plan").waitFor();
    bad = false;
    await app.button("Retry").click();
    await app.page.getByText("No tasks yet").waitFor();
    await app.go("plan/none");
    await app.page.getByText("Plan not found").waitFor();
    await app.button("Show all plans").click();
    await app.page.getByText("What do you want to build?").first().waitFor();
    app.complaints.length = 0; // the browser tells of the refusals that were asked for
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`ME-9 ${colorScheme}: nothing that axe calls serious, in tree, board, inspector and proposal`, async ({
      open,
    }) => {
      const app = await open({ colorScheme });
      await app.go("plan");
      await app.page.getByText("What do you want to build?").first().waitFor();
      expect(await violations(app)).toEqual([]);
      const id = await withPlan(app, [
        create("A", { phase_name: "One", milestone: "M1" }),
        create("B", { phase_name: "One", dependencies: ["t-A"] }),
        create("C", { parent_id: "t-B" }),
      ]);
      await row(app, "A").click();
      await field(app, "Title").waitFor();
      expect(await violations(app)).toEqual([]);
      const w = await whole(app.hub, id);
      await app.hub.ask("POST", `/api/plans/${id}/proposals`, {
        version: w.head,
        patch: JSON.parse(
          patch([
            { op: "update", task_id: w.plan.tasks[0]!.id, title: "AA" },
            { op: "delete", task_id: w.plan.tasks[2]!.id },
            create("N"),
          ]),
        ) as object,
      });
      await app.page.getByText("Tidied up.").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.getByRole("radio", { name: "Board" }).click();
      await app.page.locator(".plan-card").first().waitFor();
      expect(await violations(app)).toEqual([]);
    });
  }

  test("ME-9 on a phone the tree, the board and the task are a page each, in Japanese", async ({ open }) => {
    const app = await open({ viewport: { width: 390, height: 844 }, language: "ja", hasTouch: true, isMobile: true });
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "店" });
    await edit(app.hub, id, [create("税率ごとに1回丸める", { phase_name: "実装" })]);
    await app.go(`plan/${id}`);
    await row(app, "税率ごとに1回丸める").click();
    await field(app, "タイトル").waitFor();
    await app.button("閉じる").click();
    await row(app, "税率ごとに1回丸める").waitFor();
    const more = await app.button("その他").boundingBox();
    expect(more!.x + more!.width).toBeLessThanOrEqual(390);
    expect(await app.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
