import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { rows, toTasks, view, what } from "../team.ts";
import { Watch } from "./invariants.ts";

// Journey 2: a team from nothing. Names are typed as fast as agents are added.

const names = ["Lead", "Backend", "Canvas", "Navigator", "Gatherer"]; // each begins with a key that is a shortcut, or has one in it

async function emptyTeam(app: App): Promise<void> {
  const d = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "From nothing" });
  await app.openTeam(d.id);
  await until(
    "the empty team",
    () => app.team(),
    (x) => x.id === d.id,
  );
  await app.page.locator(".react-flow__pane").waitFor();
}

/** What the person typed is a name, and nothing else came of it. */
async function onlyNames(app: App): Promise<void> {
  const d = await app.kept(
    "five named agents",
    (x) => x.topology.agents.length === 5 && x.topology.agents.every((a) => names.includes(a.name ?? "")),
  );
  expect(d.topology.agents.map((a) => a.name)).toEqual(names);
  expect(d.topology.agents.flatMap((a) => a.connections ?? [])).toEqual([]);
  expect(d.topology.notes ?? []).toEqual([]);
  expect(d.topology.groups ?? []).toEqual([]);
}

describe("journey 2: a team from nothing", () => {
  test("APP-1 five agents by mouse, each named as it is made: letters never become shortcuts", async ({ open }) => {
    const app = await open({ viewport: { width: 1920, height: 1080 } }),
      watch = Watch.start(app);
    await emptyTeam(app);
    for (const name of names) {
      const at = await app.emptyPlace();
      await app.page.mouse.dblclick(at.x, at.y);
      await app.page.keyboard.type(name, { delay: 15 });
      await app.page.keyboard.press("Enter");
    }
    await onlyNames(app);
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("APP-1 five agents by keyboard alone, also outside the view", async ({ open }) => {
    const app = await open(),
      watch = Watch.start(app);
    await emptyTeam(app);
    await app.page.locator(".react-flow__pane").click();
    for (const name of names) {
      await app.page.keyboard.press("a");
      await app.page.keyboard.type(name, { delay: 15 });
      await app.page.keyboard.press("Enter");
    }
    await onlyNames(app);
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("APP-1 a Japanese name is composed on the new agent, and Enter of the input method ends nothing", async ({
    open,
  }) => {
    const app = await open({ language: "ja" }),
      watch = Watch.start(app);
    await emptyTeam(app);
    await app.page.locator(".react-flow__pane").click();
    await app.page.keyboard.press("a");
    await app.kept("the agent", (d) => d.topology.agents.length === 1);
    await until("a field for its name", () => app.page.evaluate(() => document.activeElement?.tagName === "INPUT"));
    await app.page.keyboard.press("Control+a");
    await app.compose("れびゅー");
    await app.page.keyboard.press("Enter");
    await app.commit("レビュー担当");
    await app.page.keyboard.press("Enter");
    await app.kept("the name", (d) => d.topology.agents.length === 1 && d.topology.agents[0]!.name === "レビュー担当");
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("APP-1 APP-3 CO-3 eight agents become a team that is applied beside another, and answers a task", async ({
    open,
  }) => {
    const app = await open({ viewport: { width: 1920, height: 1080 } }),
      watch = Watch.start(app),
      { keyboard } = app.page;
    const there = Object.keys((await app.hub.config()).agents as object);
    await emptyTeam(app);
    await app.page.locator(".react-flow__pane").click();
    for (const name of [...names, "Reviewer", "Deputy", "Clerk"]) {
      await keyboard.press("a");
      await keyboard.type(name);
      await keyboard.press("Enter");
    }
    const eight = await app.kept(
      "eight named agents",
      (d) => d.topology.agents.length === 8 && d.topology.agents.at(-1)!.name === "Clerk",
    );
    const id = (name: string) => eight.topology.agents.find((a) => a.name === name)!.id;

    // All of them get their model and their tools in the list.
    await app.button("Show the list of agents").click();
    await app.page.locator(".agents-row").first().click();
    await app.page.getByRole("grid").focus();
    await keyboard.press("Control+a");
    const bulk = app.page.getByRole("toolbar", { name: "Change selected agents" }),
      dialog = app.page.getByRole("dialog");
    await bulk.getByRole("button", { name: "Model" }).click();
    await dialog.getByRole("combobox").fill("demo/");
    await app.page.getByRole("option").filter({ hasText: "echo" }).first().click();
    await dialog.getByRole("button", { name: "Set" }).click();
    await app.kept("a model for all", (d) => d.topology.agents.every((a) => a.model === "demo/echo"));
    await bulk.getByRole("button", { name: "Tools" }).click();
    await dialog.getByRole("textbox").fill("file_read, file_write");
    await dialog.getByRole("button", { name: "Set" }).click();
    await app.kept("tools for all", (d) =>
      d.topology.agents.every((a) => a.tools?.allow?.join() === "file_read,file_write"),
    );
    await app.button("Hide the list").last().click();
    await app.page.reload(); // in the middle of it
    await app.ready();

    await app.node(id("Lead")).click();
    await app.field("Role").fill("Coordinator");
    await app.button(/^Fit/).first().click();
    await app.ready();
    for (const [from, to, kind] of [
      ["Lead", "Backend", "1"],
      ["Backend", "Canvas", "2"],
      ["Reviewer", "Backend", "3"],
    ] as const) {
      await keyboard.press("Escape");
      await app.node(id(from)).click();
      await keyboard.press("c");
      await app.node(id(to)).click();
      await keyboard.press(kind);
      await app.kept(`${from} to be connected`, (d) =>
        d.topology.agents.some((a) => a.name === from && a.connections?.some((c) => c.targetId === id(to))),
      );
    }
    for (const [name, first, second] of [
      ["Makers", "Backend", "Canvas"],
      ["Readers", "Reviewer", "Clerk"],
    ] as const) {
      await keyboard.press("Escape");
      await app.node(id(first)).click();
      await app.node(id(second)).click({ modifiers: ["Shift"] });
      await keyboard.press("Control+g");
      await keyboard.type(name);
      await keyboard.press("Enter");
      await app.kept(`the group ${name}`, (d) => !!d.topology.groups?.some((g) => g.name === name));
    }
    await keyboard.press("Escape");
    await keyboard.press("n");
    await keyboard.type("A person reads every release.");
    await keyboard.press("Escape");
    await app.kept("the note", (d) => d.topology.notes?.[0]?.text === "A person reads every release.");
    const before = (await app.team()).topology.layout;
    await app.button("Auto-layout").first().click();
    const d = await app.kept("other places", (x) => JSON.stringify(x.topology.layout) !== JSON.stringify(before));
    expect(
      d.topology.agents.flatMap((a) => (a.connections ?? []).map((c) => `${a.name} ${c.type} ${c.targetId}`)).sort(),
    ).toEqual([
      `Backend communication ${id("Canvas")}`,
      `Lead command ${id("Backend")}`,
      `Reviewer review ${id("Backend")}`,
    ]);
    expect(d.topology.groups?.map((g) => [g.name, g.members])).toEqual([
      ["Makers", [id("Backend"), id("Canvas")]],
      ["Readers", [id("Reviewer"), id("Clerk")]],
    ]);

    await keyboard.press("Control+Enter");
    await app.page.getByRole("radio", { name: "Keep its agents" }).click();
    await app.page.getByText("The team then has 2 coordinators: Lead, Lead.").waitFor();
    const apply = app.button(/^Apply \d+ change/);
    await until("the apply to be offered", () => apply.isEnabled());
    await apply.click();
    await app.page
      .getByText(/^Applied \d+ change/)
      .first()
      .waitFor();
    const now = Object.keys((await app.hub.config()).agents as object);
    for (const one of [...there, ...d.topology.agents.map((a) => a.id)]) expect(now).toContain(one);

    await toTasks(app);
    await what(app).fill("Write one haiku");
    await keyboard.press("Enter");
    await rows(app).first().click();
    await view(app).getByText("Completed").or(view(app).getByText("Done")).first().waitFor();
    await view(app)
      .getByText(/This is a demo answer/)
      .first()
      .waitFor();
    expect(await watch.problems(app.page)).toEqual([]);
  });
});
