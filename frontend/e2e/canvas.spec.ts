import { describe } from "vitest";
import { expect, test, until } from "./app.ts";

describe("canvas", () => {
  test("APP-1 the first start shows the example team, from this hub alone and without a complaint", async ({
    open,
  }) => {
    const app = await open({ firstRun: true });
    for (const id of ["lead", "researcher", "writer", "backend", "reviewer"]) await app.node(id).waitFor();
    await until(
      "the connections",
      () => app.page.locator(".react-flow__edge").count(),
      (n) => n === 4,
    );
    expect(await app.page.title()).toContain("AgentFlow");
    expect(app.asked.length).toBeGreaterThan(3);
    expect(app.strangers()).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a double-click adds an agent where it was; undo and redo take it back and forth", async ({ open }) => {
    const app = await open();
    const at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await app.node("agent-1").waitFor();
    const mid = await app.middle(app.node("agent-1"));
    expect(Math.hypot(mid.x - at.x, mid.y - at.y)).toBeLessThan(12);
    await app.kept("the new agent", (d) => d.topology.agents.some((a) => a.id === "agent-1"));
    await app.undo();
    await app.kept("the agent to be gone", (d) => !d.topology.agents.some((a) => a.id === "agent-1"));
    await app.node("agent-1").waitFor({ state: "detached" });
    await app.redo();
    await app.kept("the agent to be back", (d) => d.topology.agents.some((a) => a.id === "agent-1"));
    await app.node("agent-1").waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 an agent is dragged out of the toolbar", async ({ open }) => {
    const app = await open();
    const to = await app.emptyPlace();
    await app.drag(await app.middle(app.button("Add agent")), to);
    await app.node("agent-1").waitFor();
    const mid = await app.middle(app.node("agent-1"));
    expect(Math.hypot(mid.x - to.x, mid.y - to.y)).toBeLessThan(12);
    await app.kept("the new agent", (d) => d.topology.agents.some((a) => a.id === "agent-1"));
  });

  test("APP-1 a node is dragged; the move is one undo step", async ({ open }) => {
    const app = await open();
    const before = (await app.team()).topology.layout!.writer!;
    const from = await app.middle(app.node("writer"));
    await app.drag(from, { x: from.x + 80, y: from.y + 64 }, 16);
    const after = await app.kept("the new place", (d) => d.topology.layout!.writer!.x !== before.x);
    expect(after.topology.layout!.writer!.y).toBeGreaterThan(before.y);
    expect(after.unsent).toBe(0);
    await app.undo();
    await app.kept(
      "the old place",
      (d) => d.topology.layout!.writer!.x === before.x && d.topology.layout!.writer!.y === before.y,
    );
    await app.redo();
    await app.kept(
      "the new place again",
      (d) => JSON.stringify(d.topology.layout!.writer) === JSON.stringify(after.topology.layout!.writer),
    );
  });

  for (const [label, kind, key] of [
    ["Delegate", "command", "1"],
    ["Message", "communication", "2"],
    ["Review", "review", "3"],
  ] as const)
    test(`APP-1 two agents are wired by hand: ${label}`, async ({ open }) => {
      const app = await open();
      await app.wire("lead", "r", "backend");
      const item = app.button(new RegExp(`^${label}`));
      await item.waitFor();
      if (kind === "communication") await app.page.keyboard.press(key);
      else await item.click();
      const has = (d: { topology: { agents: { id: string; connections?: { type: string; targetId: string }[] }[] } }) =>
        !!d.topology.agents
          .find((a) => a.id === "lead")
          ?.connections?.some((c) => c.type === kind && c.targetId === "backend");
      const d = await app.kept("the connection", has);
      expect(d.changes.filter((c) => c.subject === "connection")).toHaveLength(1);
      await until(
        "the edge on the canvas",
        () => app.page.locator(`.edge--${kind}.edge-add`).count(),
        (n) => n === 1,
      );
      await app.undo();
      await app.kept("no connection", (x) => !has(x));
      await app.redo();
      await app.kept("the connection again", has);
    });

  test("APP-1 Escape at the question for the kind draws nothing, and neither does a click elsewhere", async ({
    open,
  }) => {
    const app = await open();
    const before = await app.team();
    await app.wire("lead", "r", "backend");
    await app.button(/^Delegate/).waitFor();
    await app.page.keyboard.press("Escape");
    await app.button(/^Delegate/).waitFor({ state: "detached" });
    await app.wire("lead", "r", "backend");
    await app.button(/^Delegate/).waitFor();
    const free = await app.emptyPlace();
    await app.page.mouse.click(free.x, free.y);
    await app.button(/^Delegate/).waitFor({ state: "detached" });
    await app.wire("lead", "r", "backend");
    await app.button(/^Delegate/).waitFor();
    await app.node("researcher").click();
    await app.button(/^Delegate/).waitFor({ state: "detached" });
    // Another edit goes through the same queue, so what would have been saved before it has been.
    const at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    const after = await app.kept(
      "the edit after it",
      (d) => d.topology.agents.length === before.topology.agents.length + 1,
    );
    expect(after.topology.agents.filter((a) => a.id !== "agent-1")).toEqual(before.topology.agents);
  });

  test("APP-1 several are selected with a box and with Shift, and deleted in one step", async ({ open }) => {
    const app = await open();
    await app.node("researcher").click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    await until(
      "two to be selected",
      () => app.page.locator(".react-flow__node.selected").count(),
      (n) => n === 2,
    );
    await app.page.keyboard.press("Escape");
    const a = await app.node("researcher").boundingBox(),
      b = await app.node("writer").boundingBox();
    await app.drag({ x: a!.x - 12, y: a!.y - 12 }, { x: b!.x + b!.width + 8, y: b!.y + b!.height / 2 }, 12);
    await until(
      "two in the box",
      () => app.page.locator(".react-flow__node-agent.selected").count(),
      (n) => n === 2,
    );
    await app.page.keyboard.press("Delete");
    const d = await app.kept("both to be gone", (x) => x.topology.agents.length === 3);
    expect(d.topology.agents.map((x) => x.id)).toEqual(["lead", "backend", "reviewer"]);
    await app.undo();
    await app.kept(
      "both to be back, with their connections",
      (x) => x.topology.agents.length === 5 && x.changes.length === 0,
    );
    await app.redo();
    await app.kept("both to be gone again", (x) => x.topology.agents.length === 3);
  });

  test("APP-1 a connection is selected on the canvas and deleted", async ({ open }) => {
    const app = await open();
    const mid = await app.page
      .locator(".react-flow__edge .edge--command")
      .first()
      .evaluate((p) => {
        const path = p as SVGPathElement,
          at = path.getPointAtLength(path.getTotalLength() / 2),
          m = path.getScreenCTM()!;
        return { x: at.x * m.a + m.e, y: at.y * m.d + m.f };
      });
    await app.page.mouse.click(mid.x, mid.y);
    await until(
      "the edge to be selected",
      () => app.page.locator(".react-flow__edge.selected").count(),
      (n) => n === 1,
    );
    await app.page.keyboard.press("Delete");
    await app.kept("one connection less", (d) =>
      d.changes.some((c) => c.subject === "connection" && c.op === "removed"),
    );
    await app.undo();
    await app.kept("the connection to be back", (d) => d.changes.length === 0);
  });

  test("APP-1 the keyboard alone: Tab to a node, C to connect, arrows, a kind", async ({ open }) => {
    const app = await open();
    const { keyboard } = app.page;
    await app.page.locator("body").focus();
    const focused = () =>
      app.page.evaluate(
        () => document.activeElement?.closest<HTMLElement>(".react-flow__node-agent")?.dataset.id ?? "",
      );
    for (let i = 0; i < 40 && !(await focused()); i++) await keyboard.press("Tab");
    expect(await focused()).not.toBe("");
    const from = await focused();
    await keyboard.press("Enter");
    await until(
      "the inspector's name",
      () => app.page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value ?? ""),
      (v) => v !== "",
    );
    await app.node(from).focus();
    await keyboard.press("c");
    const bar = app.page.getByRole("status").filter({ hasText: "→" });
    await bar.waitFor();
    const first = await bar.innerText();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
      await keyboard.press(key);
      if ((await bar.innerText()) !== first) break;
    }
    expect(await bar.innerText()).not.toBe(first);
    await keyboard.press("Enter");
    await app.button(/^Delegate/).waitFor();
    await keyboard.press("3");
    await app.kept("a review connection", (d) =>
      d.changes.some((c) => c.subject === "connection" && c.op === "added" && c.kind === "review" && c.agent === from),
    );
    await app.node(from).focus();
    const was = (await app.team()).topology.layout![from]!;
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowRight");
    await app.kept("two nudges", (d) => d.topology.layout![from]!.x === was.x + 16);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 the window becomes another size: a team that was fitted in is again, else what was in the middle stays there; a panel moves nothing", async ({
    open,
  }) => {
    const app = await open();
    const view = () =>
      app.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")!.style.transform);
    /** How far the middle of the agents is from the middle of the canvas, and an agent's width. */
    const off = () =>
      app.page.evaluate(() => {
        const c = document.querySelector(".react-flow")!.getBoundingClientRect(),
          all = [...document.querySelectorAll(".react-flow__node")].map((e) => e.getBoundingClientRect());
        const x =
            (Math.min(...all.map((r) => r.left)) + Math.max(...all.map((r) => r.right))) / 2 - (c.left + c.width / 2),
          y = (Math.min(...all.map((r) => r.top)) + Math.max(...all.map((r) => r.bottom))) / 2 - (c.top + c.height / 2);
        return { x: Math.round(x), y: Math.round(y) };
      });
    const middle = ({ x, y }: { x: number; y: number }) => Math.abs(x) < 4 && Math.abs(y) < 4;
    await until("all in the middle", off, middle);
    await app.page.setViewportSize({ width: 1920, height: 1080 });
    await until("all in the middle of more", off, middle);
    await app.page.setViewportSize({ width: 1280, height: 800 });
    await until("all in the middle again", off, middle);
    await app.page.locator(".react-flow__pane").hover({ position: { x: 300, y: 400 } });
    await app.page.mouse.wheel(120, 90);
    const moved = await until("the view to be moved", off, (o) => !middle(o));
    await app.page.setViewportSize({ width: 1600, height: 1000 });
    await until(
      "it to stand as it stood about the middle",
      off,
      (o) => Math.abs(o.x - moved.x) < 4 && Math.abs(o.y - moved.y) < 4,
    );
    const before = await view();
    await app
      .button(/problem/i)
      .last()
      .click();
    await app.page.locator(".panel--bottom").waitFor();
    expect(await view()).toBe(before);
    expect(app.complaints).toEqual([]);
  });
});
