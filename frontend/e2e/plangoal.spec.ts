import { describe } from "vitest";
import { expect, test, until, type App, type Options } from "./app.ts";
import { ModelServer } from "./modelServer.ts";
import { create, field, patch, row, showing, whole, withPlan } from "./plan.ts";
import { gate, type Script } from "./team.ts";

/** A model server that answers the planner's questions. */
async function withMeta(
  open: (o: Options) => Promise<App>,
  script: Script,
  work: (app: App) => Promise<void>,
  options: Options = {},
): Promise<void> {
  const server = await ModelServer.start({ models: ["thinker"], script });
  try {
    await work(
      await open({
        ...options,
        seed: async (hub) => {
          await hub.ask("POST", "/api/providers", {
            name: "local",
            kind: "openai",
            baseUrl: `${server.url}/v1`,
            default: true,
          });
        },
      }),
    );
  } finally {
    await server.stop();
  }
}

const decomposed = JSON.stringify({
  type: "decompose",
  understanding: "A login page with a form.",
  phases: [
    {
      name: "Design",
      milestone: "M1",
      tasks: [
        {
          id: "t1",
          title: "Sketch",
          description: "Draw it",
          wbs_level: 2,
          estimated_effort: "small",
          acceptance_criteria: ["It is drawn"],
        },
      ],
    },
    {
      name: "Build",
      milestone: "M2",
      tasks: [
        {
          id: "t2",
          title: "Form",
          description: "Build it",
          dependencies: ["t1"],
          wbs_level: 3,
          estimated_effort: "medium",
          acceptance_criteria: ["It works"],
        },
      ],
    },
  ],
});
describe("a goal", () => {
  test("ME-8 becomes a proposal, task by task, and a plan once it is accepted; one undo takes it back", async ({
    open,
  }) => {
    const go = gate();
    await withMeta(
      open,
      async function* () {
        yield decomposed.slice(0, 40);
        await go.opened;
        yield decomposed.slice(40);
      },
      async (app) => {
        await app.go("tasks");
        await app.page.getByRole("radio", { name: "Plans" }).click();
        await app.page.getByRole("textbox", { name: "What do you want to build?" }).fill("A login page");
        await app.button("Break down").click();
        await app.page.getByText(/thinker is (thinking|answering)/).waitFor();
        go.open();
        await app.page.getByText("A login page with a form.").waitFor();
        await showing(app, ["Design", "Sketch", "Build", "Form"]);
        expect(await app.page.locator(".plan-row.plan-add").count()).toBe(2);
        const id = (await app.page.evaluate(() => location.hash)).split("/")[2]!;
        expect((await whole(app.hub, id)).plan.tasks).toEqual([]);
        await row(app, "Form").click();
        await app.page.getByText("It works").waitFor();
        await app.button("Model calls").click();
        await app.page.getByRole("dialog").getByLabel("Answer").getByText('"type":"decompose"').waitFor();
        await app.page.keyboard.press("Escape");
        await app.button("Accept 2 changes").click();
        await until(
          "the plan to have them",
          () => whole(app.hub, id),
          (w) => w.plan.tasks.length === 2,
        );
        await row(app, "Sketch").getByText("Blocks 1").waitFor();
        await row(app, "Form").getByText("waiting for 1").waitFor();
        await app.page.locator("h1").click();
        await app.undo();
        await app.page.getByText("No tasks yet").waitFor();
        expect((await whole(app.hub, id)).plan.tasks).toEqual([]);
      },
    );
  });

  test("ME-9 a change by chat is shown as what it adds, changes, moves and removes, and can be refused", async ({
    open,
  }) => {
    let ids: Record<string, string> = {};
    await withMeta(
      open,
      function* () {
        yield patch([
          { op: "update", task_id: ids.A, title: "AA" },
          { op: "delete", task_id: ids.B },
          { op: "move", task_id: ids.C, position: { index: 0 } },
          create("E"),
        ]);
      },
      async (app) => {
        const id = await withPlan(
          app,
          ["A", "B", "C", "D"].map((t) => create(t)),
        );
        const before = await whole(app.hub, id);
        ids = Object.fromEntries(before.plan.tasks.map((t) => [t.title, t.id]));
        await showing(app, ["A", "B", "C", "D"]);
        await field(app, "What should change in the plan?").fill("Tidy up");
        await app.page.keyboard.press("Enter");
        await app.page.getByText("1 new · 1 changed · 1 moved · 1 removed").waitFor();
        await showing(app, ["C", "AA", "B", "D", "E"]);
        for (const [title, mark] of [
          ["C", "mov"],
          ["AA", "chg"],
          ["B", "del"],
          ["E", "add"],
        ] as const)
          expect(await row(app, title).getAttribute("class")).toContain(`plan-${mark}`);
        await app.page.getByRole("radio", { name: "Current" }).click();
        await showing(app, ["A", "B", "C", "D"]);
        await app.button("Reject").click();
        await app.page.getByText("Tidied up.").waitFor({ state: "detached" });
        const after = await whole(app.hub, id);
        expect([after.head, after.proposals[0]!.state]).toEqual([before.head, "refused"]);
      },
    );
  });

  test("ME-8 is called off while the model thinks, and the plan stays as it was", async ({ open }) => {
    const never = gate();
    await withMeta(
      open,
      async function* () {
        yield "{";
        await never.opened;
      },
      async (app) => {
        const id = await withPlan(app, [create("A")]);
        await field(app, "What should change in the plan?").fill("More");
        await app.button("Propose").click();
        await app.page.getByRole("status", { name: "Planning…" }).getByRole("button", { name: "Cancel" }).click();
        await app.page.getByText("The request was canceled.").waitFor();
        await app.button("Retry").click();
        await app.page.getByRole("status", { name: "Planning…" }).getByRole("button", { name: "Cancel" }).click();
        await until(
          "the same to be asked again",
          async () => (await whole(app.hub, id)).proposals.map((p) => [p.request, p.state].join()),
          (all) => all.join(" ") === "More,canceled More,canceled",
        );
        await app.page.getByRole("button", { name: "Edit", exact: true }).click();
        await until(
          "what was asked, to be asked again",
          () => field(app, "What should change in the plan?").inputValue(),
          (v) => v === "More",
        );
        await until(
          "the focus there",
          () => field(app, "What should change in the plan?").evaluate((e) => e === document.activeElement),
          Boolean,
        );
        await showing(app, ["A"]);
        never.open();
      },
    );
  });

  test("ME-8 without a model shows an error, keeps the text and links to the settings", async ({ open }) => {
    const app = await open();
    await app.go("plan");
    const goal = app.page.getByRole("textbox", { name: "What do you want to build?" });
    await goal.fill("A page");
    // It stays over a reload right after the last key, which a person may press before anything was saved.
    await app.page.reload();
    await until(
      "the goal to be there again",
      () => goal.inputValue(),
      (v) => v === "A page",
    );
    await app.button("Break down").click();
    await app.page.getByText("Couldn't ask the planner").waitFor();
    expect(await goal.inputValue()).toBe("A page");
    await app.page
      .getByRole("alert")
      .getByText("In Settings → Models, add a provider with a model, or use another one as the default provider.")
      .waitFor();
    await app.button("Empty plan").click();
    await app.page.getByText("No tasks yet").waitFor();
    expect(await goal.inputValue()).toBe("A page");
    await app.button("Break down").click();
    await app.button("Model settings").click();
    await until(
      "the settings",
      () => app.page.evaluate(() => location.hash),
      (h) => h.startsWith("#/settings"),
    );
  });
});
