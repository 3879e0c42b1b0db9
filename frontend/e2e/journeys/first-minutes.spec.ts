import { describe } from "vitest";
import { expect, test, until, type App, type Options } from "../app.ts";
import { Watch } from "./invariants.ts";

// Journey 1 of design/product.md: start, connect, review, apply, undo the apply, talk to the lead, give tasks. Nothing fails.

const review = (app: App) => app.page.keyboard.press("Control+Enter");
const applyButton = (app: App) => app.button(/^(Apply \d+ change|\d+件を適用)/);
const applied = (app: App) => app.page.getByText(/^Applied \d+ change|\d+件を適用しました$/).first();

/** Reviews what was drawn: the list is there, whole, before anything can be applied. */
async function reviewWhole(app: App): Promise<void> {
  await review(app);
  await app.page.locator(".review-row[data-change]").first().waitFor();
  const agree = app.page.getByRole("checkbox", { name: "Delete these 5 agents" }); // of the example
  if (await agree.count()) await agree.click();
  await until("the apply to be offered", () => applyButton(app).isEnabled());
}

type Open = (o?: Options) => Promise<App>;

/** A new team from the dialog, as a person makes one. */
async function newTeam(app: App, name: RegExp): Promise<void> {
  const was = (await app.team()).id;
  await app.page.keyboard.press("Control+k");
  await until("the palette's field", () =>
    app.page.evaluate(() => document.activeElement?.matches("[cmdk-input]") ?? false),
  );
  await app.page.keyboard.insertText(
    (await app.page.evaluate(() => document.documentElement.lang)) === "ja" ? "新しい" : "New team",
  );
  await app.page.locator("[cmdk-item][aria-selected=true]").waitFor();
  await app.page.keyboard.press("Enter");
  await app.page.getByRole("dialog").getByRole("button", { name }).first().click();
  await until(
    "the new team",
    () => app.team(),
    (d) => d.id !== was,
  );
}

describe("journey 1: first minutes", () => {
  for (const language of ["en", "ja"] as const)
    test(`APP-3 the example: connect, review, apply, undo the apply (${language})`, async ({ open }) => {
      const app = await open({ firstRun: true, language }),
        watch = Watch.start(app);
      const before = await app.hub.config();
      await app.wire("lead", "b", "backend");
      await app.page.keyboard.press("1");
      await app.kept("the connection", (d) => d.unsent === 1);
      await app.page.reload(); // in the middle of it
      await app.ready();
      await app.go("settings");
      await app.go("canvas");
      await app.node("lead").click();
      await reviewWhole(app);
      await applyButton(app).click();
      await applied(app).waitFor();
      await app
        .button(/^(Undo apply|適用を取り消す|適用を元に戻す)/)
        .first()
        .click();
      await until(
        "the config as it was",
        () => app.hub.config(),
        (c) => JSON.stringify(c) === JSON.stringify(before),
      );
      expect(await watch.problems(app.page)).toEqual([]);
    });

  // B1 of the first stranger's hour: the review crashed for every newly made team, with Apply live.
  const templates: [string, RegExp][] = [
    ["Pair", /^(Pair|ペア)/],
    ["Pipeline", /^(Pipeline|パイプライン)/],
    ["Empty", /^(Empty|空)/],
  ];
  for (const [name, label] of templates)
    test(`APP-3 a new team (${name}) is reviewed, and applied in place of the example`, async ({ open }) => {
      await newTeamApplied(open, label);
    });

  test("CO-3 three tasks for the team after the guide's own step: none fails, each answer can be read", async ({
    open,
  }) => {
    const app = await open({ firstRun: true }),
      watch = Watch.start(app);
    await app.wire("lead", "b", "backend");
    await app.page.keyboard.press("1");
    await app.kept("the connection", (d) => d.unsent === 1);
    await app.node("lead").click();
    await reviewWhole(app);
    await applyButton(app).click();
    await applied(app).waitFor();
    await app.go("tasks");
    const what = app.page.getByPlaceholder("What should be done?");
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await what.fill(`Write haiku number ${n}`);
      await app.page.keyboard.press("Enter");
      await until(
        "the field to be empty",
        () => what.inputValue(),
        (v) => v === "",
      );
    }
    type Row = { title: string; status: string };
    const all = await until(
      "all tasks and their parts to end",
      () => app.hub.ask<{ tasks: Row[] }>("GET", "/api/tasks").then((r) => r.tasks),
      (all) => all.length > 0 && all.every((t) => ["completed", "failed"].includes(t.status)),
      90_000,
    );
    const given = all.filter((t) => t.title.startsWith("Write haiku"));
    expect(given).toHaveLength(6);
    expect(all.length).toBeGreaterThan(given.length); // the lead has split them
    expect(all.filter((t) => t.status !== "completed")).toEqual([]);
    expect(await app.page.getByText("It is not available now.").count()).toBe(0);
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("GW-9 the lead is talked to by keyboard alone; the answer is still there on another day", async ({ open }) => {
    const app = await open({ firstRun: true }),
      watch = Watch.start(app);
    await app.go("sessions");
    await app.button("New session").focus();
    await app.page.keyboard.press("Enter");
    await app.page.getByRole("menuitem", { name: "Lead" }).waitFor();
    await app.page.getByRole("menuitem", { name: "Lead" }).press("Enter");
    const field = app.page.getByRole("textbox", { name: /Lead/ });
    await until("the field to have the focus", () => field.evaluate((e) => e === document.activeElement));
    await app.page.keyboard.type("Good morning, Lead");
    await app.page.keyboard.press("Enter");
    const answers = app.page.locator("article.msg:not(.is-me):not([data-live])");
    await until(
      "one answer",
      () => answers.count(),
      (n) => n === 1,
    );
    await app.go("settings");
    await app.page
      .getByRole("navigation")
      .getByRole("button", { name: /^Sessions/ })
      .first()
      .click();
    await until(
      "the open session, still open",
      () => answers.count(),
      (n) => n === 1,
    );
    await app.page.reload();
    await until(
      "the answer after a reload",
      () => answers.count(),
      (n) => n === 1,
    );
    expect(await watch.problems(app.page)).toEqual([]);
  });
});

async function newTeamApplied(open: Open, template: RegExp): Promise<void> {
  const app = await open(),
    watch = Watch.start(app);
  await newTeam(app, template);
  if (!(await app.team()).topology.agents.length) {
    const at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await app.kept("an agent", (d) => d.topology.agents.length === 1);
    await app.page.keyboard.press("Escape");
  }
  for (const [i, a] of (await app.team()).topology.agents.entries()) {
    if (a.model) continue;
    const d = await app.team();
    await app.hub.save(
      d.id,
      { ...d.topology, agents: d.topology.agents.map((x, j) => (i === j ? { ...x, model: "demo/echo" } : x)) },
      "edit.model|demo",
    );
  }
  const mine = (await app.team()).topology.agents.map((a) => a.id);
  await reviewWhole(app);
  expect(await watch.problems(app.page)).toEqual([]);
  await applyButton(app).click();
  await applied(app).waitFor();
  const config = (await app.hub.config()).agents as Record<string, unknown>;
  expect(Object.keys(config).sort()).toEqual([...mine].sort());
  await app.page.reload();
  await app.page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(await watch.problems(app.page)).toEqual([]);
}
