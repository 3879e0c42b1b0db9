import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

const newOnes = async (app: App) => (await app.team()).topology.agents.slice(5);
const inView = (app: App, id: string) =>
  app.node(id).evaluate((n) => {
    const a = n.getBoundingClientRect(),
      b = n.closest(".canvas")!.getBoundingClientRect();
    return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  });
const focus = (app: App) =>
  app.page.evaluate(() => {
    const e = document.activeElement as HTMLInputElement | null;
    return (
      e?.closest<HTMLElement>(".react-flow__node")?.dataset.id ?? e?.getAttribute("aria-label") ?? e?.tagName ?? ""
    );
  });

describe("a new agent is named at once", () => {
  test("what is typed right after A is the name, without a pause; none of it is a shortcut", async ({ open }) => {
    const app = await open(),
      { keyboard } = app.page;
    for (const name of ["Backend", "nacho", "ravel 123", "caching", "fan-in"]) {
      await keyboard.press("a");
      await keyboard.type(name);
      await keyboard.press("Enter");
    }
    const d = await app.kept(
      "five new agents",
      (x) => x.topology.agents.length === 10 && x.topology.agents.at(-1)?.name === "fan-in",
    );
    expect(d.topology.agents.slice(5).map((a) => [a.name, a.id])).toEqual([
      ["Backend", "backend-1"],
      ["nacho", "nacho"],
      ["ravel 123", "ravel-123"],
      ["caching", "caching"],
      ["fan-in", "fan-in"],
    ]);
    expect(d.topology.agents.slice(5).flatMap((a) => a.connections ?? [])).toEqual([]);
    expect(d.topology.notes).toHaveLength(1); // the example's own
    // While the view has it, there is room for a connection with its mark around a new agent; later it covers nobody.
    const at = d.topology.layout!,
      ids = d.topology.agents.map((a) => a.id);
    for (const [i, a] of ids.slice(5).entries())
      for (const b of ids.filter((id) => id !== a)) {
        const apart = Math.max(Math.abs(at[a]!.x - at[b]!.x) - 180, Math.abs(at[a]!.y - at[b]!.y) - 70);
        expect([a, b, apart >= (i < 3 ? 70 : 8)]).toEqual([a, b, true]);
      }
    await until("the newest to be in view", () => inView(app, "fan-in"));
    expect(await focus(app)).toBe("fan-in");
    expect(app.complaints).toEqual([]);
  });

  test("a double-click and typing names it; Tab names the next one, Escape keeps the name of before", async ({
    open,
  }) => {
    const app = await open(),
      { keyboard } = app.page,
      at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await keyboard.type("Quality gate");
    await keyboard.press("Enter");
    await app.kept("the name", (x) =>
      x.topology.agents.some((a) => a.id === "quality-gate" && a.name === "Quality gate"),
    );
    await app.node("lead").click();
    await keyboard.press("F2");
    await keyboard.type("Boss");
    await keyboard.press("Tab");
    await until(
      "the next to be named",
      () => focus(app),
      (id) => id !== "" && id !== "lead",
    );
    await keyboard.press("Escape");
    const d = await app.kept("the first name", (x) => x.topology.agents[0]?.name === "Boss");
    expect(d.topology.agents[0]?.id).toBe("lead"); // the gateway knows it by its id
    expect(d.topology.agents.slice(1, 5).map((a) => a.name)).toEqual(["Researcher", "Writer", "Backend", "Reviewer"]);
  });

  test("undo right after adding takes the agent back; F2 on one out of view brings it into view", async ({ open }) => {
    const app = await open(),
      { keyboard } = app.page,
      at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await app.node("agent-1").locator("input").waitFor();
    await app.undo();
    await app.node("agent-1").waitFor({ state: "detached" });
    await app.node("writer").click();
    await app.page.mouse.move(at.x, at.y);
    for (let i = 0; i < 6; i++) await app.page.mouse.wheel(0, 400);
    await app.node("writer").waitFor({ state: "detached" });
    await keyboard.press("F2");
    await keyboard.type("Author");
    await keyboard.press("Enter");
    await app.kept("the name", (d) => d.topology.agents.some((a) => a.id === "writer" && a.name === "Author"));
    expect(await newOnes(app)).toEqual([]);
  });

  test("the first agent of an empty team stands where the double-click was, and two notes stand apart", async ({
    open,
  }) => {
    const app = await open();
    await app.run("New team");
    await app.page
      .getByRole("dialog")
      .getByRole("button", { name: /^Empty/ })
      .click();
    await app.page.getByText("This team is empty").waitFor();
    const box = (await app.page.locator(".react-flow__pane").boundingBox())!,
      at = { x: box.x + box.width * 0.3, y: box.y + box.height * 0.3 };
    await app.page.mouse.dblclick(at.x, at.y);
    await app.page.keyboard.type("First");
    await app.page.keyboard.press("Enter");
    await app.node("first").waitFor();
    const mid = await app.middle(app.node("first"));
    expect(Math.hypot(mid.x - at.x, mid.y - at.y)).toBeLessThan(12);
    for (let i = 0; i < 2; i++) {
      await app.page.keyboard.press("n");
      await app.page.keyboard.type(`note ${i}`);
      await app.page.keyboard.press("Escape");
    }
    const { topology } = await app.kept(
      "two notes",
      (d) => d.topology.notes?.length === 2 && d.topology.notes.every((n) => n.text),
    );
    const [a, b] = topology.notes!;
    expect(Math.abs(a!.x - b!.x) >= 152 || Math.abs(a!.y - b!.y) >= 36).toBe(true);
  });
});

describe("the model of a new agent", () => {
  test("is the one that the team uses, also where the gateway offers more", async ({ open }) => {
    const app = await open();
    const add = async (name: string) => {
      // Read again with every start: a key that comes before the models are there finds none.
      await app.page.reload({ waitUntil: "commit" });
      await (await app.page.waitForResponse((r) => new URL(r.url()).pathname === "/api/models")).finished();
      await app.ready();
      await app.page.keyboard.press("a");
      await app.page.keyboard.type(name);
      await app.page.keyboard.press("Enter");
      return (await app.kept("the agent", (d) => d.topology.agents.some((a) => a.name === name))).topology.agents.find(
        (a) => a.name === name,
      );
    };
    expect((await add("Tester"))?.model).toBe("demo/echo");
    expect(await app.node("tester").locator(".s-failed").count()).toBe(0);
    await app.page.route("**/api/models", async (route) => {
      const r = await route.fetch(),
        { models } = (await r.json()) as { models: object[] };
      await route.fulfill({
        response: r,
        json: { models: [...models, { ...models[0], id: "demo/other", name: "other" }] },
      });
    });
    expect((await add("Editor"))?.model).toBe("demo/echo");
  });
});

describe("the Name field", () => {
  test("after Enter opened it for one agent, choosing another leaves the focus where it is", async ({ open }) => {
    const app = await open();
    await app.node("lead").click();
    await app.page.getByRole("tab", { name: "Tools" }).click(); // Enter leads to the name from any tab
    await app.node("lead").focus();
    await app.page.keyboard.press("Enter");
    await until("the name to have the focus", () => app.field("Name").evaluate((e) => e === document.activeElement));
    await app.node("writer").click();
    await until(
      "the other agent",
      () => app.field("Name").inputValue(),
      (v) => v === "Writer",
    );
    expect(await app.field("Name").evaluate((e) => e === document.activeElement)).toBe(false);
    await app.page.keyboard.press("Delete");
    await app.kept("the agent to be gone", (d) => !d.topology.agents.some((a) => a.id === "writer"));
  });
});

describe("the model of several", () => {
  test("a model that is chosen from the list stands in the field at once, and Ctrl+Enter reviews from there", async ({
    open,
  }) => {
    const app = await open();
    await app.node("lead").click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    const model = app.field("Model for all");
    await model.fill("ech");
    await app.page.getByRole("option", { name: /demo\/echo/ }).click();
    expect(await model.inputValue()).toBe("demo/echo");
    expect(await model.evaluate((e) => e === document.activeElement)).toBe(true);
    await model.fill("demo/other");
    await app.page.keyboard.press("Escape");
    await app.kept("the model", (d) => d.topology.agents[0]?.model === "demo/other");
    await app.page.keyboard.press("Control+Enter");
    await app.page.getByRole("heading", { name: "Review changes" }).waitFor();
  });
});
