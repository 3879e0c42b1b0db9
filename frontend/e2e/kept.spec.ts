import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { askingEnv, asks, elsewhereAgent, npm } from "./asking.ts";

const view = (app: App) =>
  app.page
    .locator(".react-flow__viewport")
    .first()
    .evaluate((e) => (e as HTMLElement).style.transform);
const rested = async (app: App) => {
  let last = "";
  return until("the view to rest", async () => {
    const before = last;
    last = await view(app);
    return last === before ? last : "";
  });
};
const rail = (app: App, screen: string) => app.page.locator(`[data-screen="${screen}"]`).first();

describe("what is open stays open", () => {
  test("the canvas is looked at where it was left: after another screen, another team and a reload", async ({
    open,
  }) => {
    const app = await open();
    const fitted = await rested(app);
    await app.button("Zoom in").click();
    await app.button("Zoom in").click();
    const left = await until(
      "the view to be near",
      () => rested(app),
      (v) => v !== fitted,
    );
    await rail(app, "settings").click();
    await app.page.getByRole("heading", { name: "Settings" }).first().waitFor();
    await rail(app, "canvas").click();
    await app.node("lead").waitFor({ state: "attached" });
    expect(
      await until(
        "the view",
        () => rested(app),
        (v) => v === left,
      ),
    ).toBe(left);
    await app.page.reload();
    await app.ready();
    expect(
      await until(
        "the view after the reload",
        () => rested(app),
        (v) => v === left,
      ),
    ).toBe(left);
  });

  test("a task and a plan that are shown are shown again when their screen is come back to", async ({ open }) => {
    const app = await open();
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
    await app.hub.ask("POST", `/api/plans/${id}/edit`, {
      version: 1,
      operations: [{ op: "create", temp_id: "t", title: "Cart" }],
    });
    await app.go(`plan/${id}`);
    await app.page.getByRole("radio", { name: "Board" }).click();
    await rail(app, "canvas").click();
    await app.node("lead").waitFor({ state: "attached" });
    await app.page.evaluate(() => {
      location.hash = "/plan";
    });
    await app.go(`plan/${id}`);
    await app.page.reload();
    await until(
      "the board",
      () => app.page.getByRole("radio", { name: "Board" }).getAttribute("aria-checked"),
      (v) => v === "true",
    );
  });
});

describe("what waits for the person", () => {
  test("a question of an agent stands on its node, and Answer leads to it", async ({ open }) => {
    const app = await open({ env: askingEnv, seed: (hub) => elsewhereAgent(hub, "backend") });
    await asks(app.hub, npm());
    const node = app.node("backend");
    await node.getByTitle("Asking to use shell_exec").getByText("Asking you").waitFor();
    expect(await node.locator(".node").getAttribute("class")).toContain("s-waiting");
    await node.getByRole("button", { name: "Answer" }).click();
    await app.page.getByText("npm ci --ignore-scripts").first().waitFor();
    expect(await app.page.evaluate(() => location.hash)).toMatch(/^#\/inbox/);

    // An agent with the same ID in a team that was never applied is another one.
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "Never applied" });
    await app.hub.save(id, { agents: [{ id: "backend", name: "Other" }], layout: { backend: { x: 0, y: 0 } } });
    await app.openTeam(id);
    await node.getByText("Other").waitFor();
    expect(await node.getByText("Asking you").count()).toBe(0);
    expect(await node.locator(".node").getAttribute("class")).not.toContain("s-waiting");
  });
});

describe("Lay out", () => {
  test("the team that was laid out is wholly in view", async ({ open }) => {
    const app = await open();
    for (let i = 0; i < 4; i++) await app.button("Zoom in").click();
    await app
      .button(/^Auto-layout/)
      .first()
      .click();
    await app.kept("the layout", (d) => !!d.undoLabel?.startsWith("layout"));
    await until("all of it in view", () =>
      app.page.evaluate(() => {
        const c = document.querySelector(".canvas")!.getBoundingClientRect(),
          all = [...document.querySelectorAll(".react-flow__node-agent")].map((n) => n.getBoundingClientRect());
        return (
          all.length === 5 &&
          all.every((b) => b.left >= c.left && b.top >= c.top && b.right <= c.right && b.bottom <= c.bottom)
        );
      }),
    );
  });
});

describe("a team for a gateway that has a team", () => {
  test("the review says that the team is there, not that somebody changed it", async ({ open }) => {
    const app = await open();
    await app.run("New team");
    await app.page
      .getByRole("dialog")
      .getByRole("button", { name: /^Empty/ })
      .first()
      .click();
    await app.page.getByText("This team is empty").waitFor();
    await app.page.getByText(/^Press A, double-click/).waitFor();
    const at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await app.page.keyboard.type("First");
    await app.page.keyboard.press("Enter");
    await app.kept("the agent", (d) => d.topology.agents[0]?.name === "First");
    await app.page.keyboard.press("Control+Enter");
    await app.page.getByText("This gateway runs only the example team.").waitFor();
    expect(await app.page.getByText("changed while you were editing").count()).toBe(0);
  });
});
