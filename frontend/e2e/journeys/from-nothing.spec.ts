import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { Watch } from "./invariants.ts";

// Journey 2: a team from nothing. Names are typed as fast as agents are added.

const names = ["Lead", "Backend", "Canvas", "Navigator", "Gatherer"]; // each begins with a key that is a shortcut, or has one in it

async function emptyTeam(app: App): Promise<void> {
  const d = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "From nothing" });
  await app.page.evaluate((id) => localStorage.setItem("agentflow.drawing", id), d.id);
  await app.page.reload();
  await until(
    "the empty drawing",
    () => app.drawing(),
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
});
