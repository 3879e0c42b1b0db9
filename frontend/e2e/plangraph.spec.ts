import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { create } from "./plan.ts";
import { box, whole, withPlan, type Whole } from "./planviews.ts";

/** The view has come to rest: what is aimed at stays where it is. */
async function rest(app: App): Promise<void> {
  const seen = () =>
    app.page
      .locator(".plan-graph .react-flow__viewport")
      .evaluate((e) =>
        /translate\(0px,\s*0px\)/.test(e.getAttribute("style") ?? "") ? "" : (e.getAttribute("style") ?? ""),
      );
  let last = "";
  // Before it is first looked at, the view rests, too: where no plan is put.
  await until("the graph to rest", async () => {
    const before = last;
    last = await seen();
    return before === last && last !== "";
  });
}
/** "B < A": B waits for A. */
const waits = (w: Whole) => {
  const title = new Map(w.plan.tasks.map((t) => [t.id, t.title]));
  return w.plan.tasks.flatMap((t) => t.dependencies.map((d) => `${t.title} < ${title.get(d)}`)).sort();
};
const waiting = (app: App, id: string, wanted: string[]) =>
  until(
    `the plan to be ${wanted.join(", ")}`,
    async () => waits(await whole(app.hub, id)),
    (now) => now.join() === wanted.join(),
  );
const focused = (app: App, title: string) =>
  until(`${title} to have the focus`, () => box(app, title).evaluate((e) => e === document.activeElement), Boolean);

describe("the graph", () => {
  test("ME-9 what a task waits for and that it is on the critical path stand beside each other", async ({ open }) => {
    const app = await open();
    await withPlan(app, [create("A"), create("B"), create("C", { dependencies: ["t-A", "t-B"] })], "Graph");
    const foot = box(app, "C").locator(".plan-box-foot");
    await foot.getByText("waiting for 2").waitFor();
    await foot.getByText("Critical path").waitFor();
    const [first, second] = await foot.evaluate((e) =>
      [...e.children].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return { text: range.getBoundingClientRect().right, left: part.getBoundingClientRect().left };
      }),
    );
    expect(first!.text).toBeLessThanOrEqual(second!.left);
  });

  test("ME-9 a line drawn from one task to another has it wait; a circle is refused with the reason; undo takes it back", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B", { dependencies: ["t-A"] }), create("C")], "Graph");
    const draw = async (from: string, to: string) => {
      await rest(app);
      await box(app, from).hover();
      const a = (await app.page
          .locator(".plan-box", { has: box(app, from) })
          .locator(".plan-handle:not(.plan-handle--in)")
          .boundingBox())!,
        b = (await box(app, to).boundingBox())!;
      await app.page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
      await app.page.mouse.down();
      await app.page.mouse.move(b.x + b.width / 2, b.y + b.height / 2 + 20, { steps: 6 });
      await app.page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 3 });
      await app.page.mouse.up();
    };
    await draw("B", "C");
    await waiting(app, id, ["B < A", "C < B"]);
    await app.page.locator("[data-link]").nth(1).waitFor({ state: "attached" });
    await draw("C", "A");
    await app.page.getByText("C already depends on A, directly or through other tasks.").waitFor();
    await waiting(app, id, ["B < A", "C < B"]);
    await rest(app);
    await box(app, "A").click();
    await app.page.locator("#plan-title").waitFor();
    await app.page.locator("h1").click();
    await app.undo();
    await waiting(app, id, ["B < A"]);
  });

  test("ME-9 a line is chosen with the pointer and removed", async ({ open }) => {
    const app = await open(),
      id = await withPlan(app, [create("A"), create("B", { dependencies: ["t-A"] })], "Graph");
    await box(app, "B").waitFor();
    await rest(app);
    const bar = app.page.getByRole("group", { name: "B depends on A" });
    await until("the line to be chosen", async () => {
      const a = (await box(app, "A").boundingBox())!,
        b = (await box(app, "B").boundingBox())!;
      await app.page.mouse.click((a.x + a.width + b.x) / 2, a.y + a.height / 2);
      return bar.isVisible();
    });
    await bar.getByRole("button", { name: "Remove dependency" }).click();
    await waiting(app, id, []);
  });

  test("ME-9 by keyboard alone: arrows walk, C and Enter add a dependency, L and Delete remove one", async ({
    open,
  }) => {
    const app = await open(),
      id = await withPlan(
        app,
        [create("A"), create("B", { dependencies: ["t-A"] }), create("C", { dependencies: ["t-B"] })],
        "Graph",
      );
    await rest(app);
    await box(app, "A").focus();
    await app.page.keyboard.press("ArrowRight");
    await focused(app, "B");
    await app.page.keyboard.press("ArrowLeft");
    await focused(app, "A");
    await app.page.keyboard.press("c");
    await app.page
      .getByRole("status")
      .filter({ hasText: "Use the arrow keys to pick the dependent task" })
      .getByText("C", { exact: true })
      .waitFor();
    await app.page.keyboard.press("Enter");
    await waiting(app, id, ["B < A", "C < A", "C < B"]);
    await focused(app, "A");
    await app.page.locator("[data-link]").nth(2).waitFor({ state: "attached" });
    await app.page.keyboard.press("l");
    await app.page.getByRole("group", { name: "B depends on A" }).waitFor();
    await app.page.keyboard.press("l");
    await app.page.getByRole("group", { name: "C depends on A" }).waitFor();
    await app.page.keyboard.press("Delete");
    await waiting(app, id, ["B < A", "C < B"]);
    // On a control over the graph the key is not about the task.
    await app.button("Zoom out").focus();
    await app.page.keyboard.press("Delete");
    await box(app, "A").focus();
    await app.page.keyboard.press("Enter");
    await until(
      "the title field",
      () => app.page.locator("#plan-title").evaluate((e) => e === document.activeElement),
      Boolean,
    );
    await waiting(app, id, ["B < A", "C < B"]);
  });

  test("ME-8 phases are frames, the leaf that blocks and the longest chain are marked, and the filter finds", async ({
    open,
  }) => {
    const app = await open();
    await withPlan(
      app,
      [
        create("A", { phase_name: "One" }),
        create("B", { phase_name: "One", dependencies: ["t-A"], estimated_effort: "large" }),
        create("C", { phase_name: "Two", dependencies: ["t-B"] }),
        create("Deliver", { phase_name: "Two" }),
      ],
      "Graph",
    );
    await app.page
      .locator(".plan-box.plan-blocker", { has: box(app, "A") })
      .getByText("Blocks 2")
      .waitFor();
    await until(
      "the phases",
      () => app.page.locator(".plan-phase-box").allInnerTexts(),
      (now) => now.join() === "One,Two",
    );
    await until(
      "the longest chain",
      () => app.page.locator(".plan-box.is-critical .plan-name").allInnerTexts(),
      (now) => now.sort().join() === "A,B,C",
    );
    expect(await box(app, "C").locator(".sr-only").innerText()).toBe(", To do, depends on B");
    await app.page.getByRole("textbox", { name: "Search the plan" }).fill("deliver");
    await until(
      "the others to stand back",
      () => app.page.locator(".plan-box.is-dim").count(),
      (n) => n === 3,
    );
    expect(await violations(app)).toEqual([]);
    await app.page.getByRole("textbox", { name: "Search the plan" }).fill("nobody");
    await app.page.getByText("No matching tasks").waitFor();
    await app.button("Show all").click();
    await until(
      "all again",
      () => app.page.locator(".plan-box.is-dim").count(),
      (n) => n === 0,
    );
  });
});
