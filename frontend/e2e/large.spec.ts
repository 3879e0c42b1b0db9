import { describe } from "vitest";
import type { Team, Point, Topology } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";

const many = 1000,
  across = 32;
const id = (i: number) => `agent-${i}`;
const corner = (i: number): Point => ({ x: (i % across) * 220, y: Math.floor(i / across) * 128 });

/** 1,000 agents in rows, with 2,000 connections: each to the next and to the one below. */
const team: Topology = {
  name: "Large",
  layout: Object.fromEntries(Array.from({ length: many }, (_, i) => [id(i), corner(i)])),
  agents: Array.from({ length: many }, (_, i) => ({
    id: id(i),
    name: `Agent ${i}`,
    model: "demo/echo",
    connections: [
      { targetId: id((i + 1) % many), type: "command" },
      { targetId: id((i + across) % many), type: i % 2 ? "communication" : "review" },
    ],
  })),
};
const seed = async (hub: Hub) => {
  await hub.ask("POST", "/api/teams", { name: "Large", topology: team });
};

/** The team is drawn on one canvas: next to nothing of it is an element. */
async function far(app: App): Promise<void> {
  await until(
    "the team to be drawn",
    async () =>
      (await app.page.locator("canvas[data-crowd]").count()) === 1 &&
      (await app.page.locator(".react-flow__node-agent").count()) <= 4,
  );
}

const view = (app: App) =>
  app.page.evaluate(() => {
    const r = document.querySelector(".react-flow")!.getBoundingClientRect(),
      m = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")!).transform);
    return { x: r.left + m.e, y: r.top + m.f, zoom: m.a };
  });
/** The position of an element of the canvas on the screen. */
async function onScreen(app: App, p: Point): Promise<Point> {
  const v = await view(app);
  return { x: v.x + p.x * v.zoom, y: v.y + p.y * v.zoom };
}
const middle = (app: App, i: number) => onScreen(app, { x: corner(i).x + 90, y: corner(i).y + 35 });
/** How solid the picture is at the middle of an agent, 0 to 255. */
const solid = async (app: App, i: number) => {
  const at = await middle(app, i);
  return app.page.evaluate(({ x, y }) => {
    const el = document.querySelector<HTMLCanvasElement>("canvas[data-crowd]")!,
      r = el.getBoundingClientRect();
    return el.getContext("2d")!.getImageData((x - r.left) * devicePixelRatio, (y - r.top) * devicePixelRatio, 1, 1)
      .data[3];
  }, at);
};
/** The opacity of the lines around a point of the canvas, 0 to 255. */
const ink = async (app: App, p: Point) => {
  const at = await onScreen(app, p);
  return app.page.evaluate(({ x, y }) => {
    const el = document.querySelector<HTMLCanvasElement>(".line-canvas"),
      r = el?.getBoundingClientRect();
    return el && r
      ? Math.max(
          ...el
            .getContext("2d")!
            .getImageData((x - r.left) * devicePixelRatio - 2, (y - r.top) * devicePixelRatio - 2, 5, 5)
            .data.filter((_, i) => i % 4 === 3),
        )
      : -1;
  }, at);
};
/** Nothing is on its way into the picture of the lines any more. */
async function painted(app: App): Promise<void> {
  const sum = () =>
    app.page.evaluate(() => {
      const el = document.querySelector<HTMLCanvasElement>(".line-canvas")!,
        all = new Uint32Array(el.getContext("2d")!.getImageData(0, 0, el.width, el.height).data.buffer);
      let n = 0;
      for (let i = 0; i < all.length; i++) {
        const x = all[i]!;
        if (x) n = (Math.imul(n, 31) + (x ^ i)) | 0;
      }
      return `${el.style.transform} ${n}`;
    });
  let last = "",
    same = 0;
  await until(
    "the lines to rest",
    async () => {
      const before = last;
      last = await sum();
      same = last === before ? same + 1 : 0;
      return same >= 3;
    },
    Boolean,
    60_000,
  );
}
/** The largest difference of a pixel between the drawn lines and a complete redraw: 0 to 255. */
const stale = (app: App) =>
  painted(app).then(() =>
    app.page.evaluate(async () => {
      const el = document.querySelector<HTMLCanvasElement>(".line-canvas")!,
        { dataset } = document.documentElement,
        theme = dataset.theme;
      // As it is seen: the color of what can hardly be seen counts as little.
      const pixels = () =>
          el
            .getContext("2d")!
            .getImageData(0, 0, el.width, el.height)
            .data.map((x, i, all) => (i % 4 === 3 ? x : (x * all[i | 3]!) / 255)),
        was = pixels();
      for (const next of [theme === "dark" ? "light" : "dark", theme]) {
        dataset.theme = next;
        await new Promise(requestAnimationFrame);
      }
      return pixels().reduce((most, x, i) => Math.max(most, Math.abs(x - was[i]!)), 0);
    }),
  );
/**
 * A seam, or a line too many or too few, is more: every line is wider than a pixel and a half. The same edge
 * smoothed in another way is less: where a piece of a slanting line ends, the browser rounds each of its sides to a
 * quarter of a pixel.
 */
const seam = 160;
const place = (d: Team, i: number) => {
  const p = d.topology.layout?.[id(i)];
  return p && { x: p.x, y: p.y };
};
const inPlace = (d: Team) =>
  Object.entries(d.topology.layout ?? {}).every(([k, p]) => {
    const q = corner(Number(k.slice(6)));
    return p.x === q.x && p.y === q.y;
  });

describe("a large team seen from far", { timeout: 240_000 }, () => {
  test("APP-1 1,000 agents: a click chooses, a drag moves, in one undo step", async ({ open }) => {
    const app = await open({ seed, patience: 60_000 });
    await far(app);
    const at = await middle(app, 500);
    await app.page.mouse.click(at.x, at.y);
    await until(
      "its name in the inspector",
      () => app.field("Name").inputValue(),
      (v) => v === "Agent 500",
    );
    await app.drag(at, { x: at.x + 60, y: at.y + 40 });
    const moved = await app.kept("the agent to be moved", (d) => place(d, 500)?.x !== corner(500).x);
    expect(
      Object.keys(moved.topology.layout ?? {}).filter((k) => {
        const q = corner(Number(k.slice(6))),
          p = moved.topology.layout![k]!;
        return p.x !== q.x || p.y !== q.y;
      }),
    ).toEqual([id(500)]);
    await until(
      "it to be drawn where it is",
      async () => solid(app, 500),
      (a) => a !== 255,
    );
    await app.undo();
    await app.kept("it to be back", inPlace);
    await until(
      "it to be drawn there again",
      async () => solid(app, 500),
      (a) => a === 255,
    );
    await app.redo();
    await app.kept("it to be moved again", (d) => !inPlace(d));
  });

  test("APP-1 a box chooses many; they are dragged together, in one undo step", async ({ open }) => {
    const app = await open({ seed, patience: 60_000 });
    await far(app);
    // From below the last whole row up over three rows of six.
    const from = await onScreen(app, { x: corner(16).x - 20, y: corner(32 * across).y }),
      to = await onScreen(app, { x: corner(10).x + 90, y: corner(28 * across).y + 35 });
    await app.drag(from, to, 20);
    await app.page.getByText("18 items selected").waitFor();
    expect(await app.page.locator(".react-flow__node-agent").count()).toBeLessThanOrEqual(4);
    const first = 28 * across + 10,
      at = await middle(app, first);
    await app.drag(at, { x: at.x + 40, y: at.y + 30 });
    const d = await app.kept("all of them to be moved", (x) => place(x, first)?.x !== corner(first).x);
    const by = { x: place(d, first)!.x - corner(first).x, y: place(d, first)!.y - corner(first).y };
    for (let row = 0; row < 3; row++)
      for (let i = first + row * across; i < first + row * across + 6; i++)
        expect(place(d, i)).toEqual({ x: corner(i).x + by.x, y: corner(i).y + by.y });
    expect(place(d, first - 1)).toEqual(corner(first - 1));
    await app.undo();
    await app.kept("all of them to be back", inPlace);
  });

  test("APP-1 the search lets the rest stand back, and Enter goes to the match", async ({ open }) => {
    const app = await open({ seed, patience: 60_000 });
    await far(app);
    expect(await solid(app, 321)).toBe(255);
    await app.page.keyboard.press("Control+f");
    await app.page.getByRole("search").getByRole("textbox").fill("agent 77");
    await app.page.getByText("19 matches").waitFor();
    await until("the rest to stand back", async () => (await solid(app, 321))! < 200);
    expect(await solid(app, 777)).toBe(255);
    await app.page.keyboard.press("Enter");
    await until(
      "the first to be chosen",
      () => app.node(id(77)).getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
    await app.page.keyboard.press("Escape");
    await until(
      "nothing to stand back",
      () => solid(app, 321),
      (a) => a === 255,
    );
  });

  test("APP-1 by keyboard: Tab comes in and goes on, arrows move, the menu asks about the one that has the focus", async ({
    open,
  }) => {
    const app = await open({ seed, patience: 60_000 });
    await far(app);
    const focused = () =>
      app.page.evaluate(() => document.activeElement?.closest<HTMLElement>(".react-flow__node")?.dataset.id);
    await app.node(id(0)).focus();
    for (const i of [1, 2, 3]) {
      await app.page.keyboard.press("Tab");
      await until(`the focus on agent ${i}`, focused, (v) => v === id(i));
    }
    await app.page.keyboard.press("ArrowRight");
    await app.kept("a step to the right", (d) => place(d, 3)?.x === corner(3).x + 8);
    await app.page.keyboard.press("Shift+F10");
    await app.page.getByRole("menuitem", { name: "Connect" }).waitFor();
    await app.page.keyboard.press("Escape");
    await app.page.getByRole("menu").waitFor({ state: "detached" });
    const at = await middle(app, 600);
    await app.page.mouse.click(at.x, at.y, { button: "right" });
    await app.page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    await until(
      "it to be chosen",
      () => app.node(id(600)).getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
  });

  test("APP-1 seen from near, lines are drawn: one is chosen under the pointer and deleted, and they go with who is dragged and with the view", async ({
    open,
  }) => {
    const app = await open({ seed, patience: 60_000 });
    await far(app);
    await app.page.getByRole("button", { name: /^Zoom \d+%$/ }).click();
    await until(
      "the lines to be drawn",
      () => app.page.locator(".line-canvas").count(),
      (n) => n === 1,
    );
    await until("the view to rest", async () => {
      const a = await view(app);
      await app.page.waitForTimeout(300);
      return JSON.stringify(a) === JSON.stringify(await view(app)) && a.zoom === 1;
    });
    expect(await app.page.locator(".react-flow__edge").count()).toBeLessThanOrEqual(4);
    // An agent near the middle, and the line from it to the one below.
    const at = 496,
      line = `connection:${id(at)}:review:${id(at + across)}`,
      half = { x: corner(at).x + 90, y: corner(at).y + 78 };
    await until(
      "the line to be there",
      () => ink(app, half),
      (a) => a > 0,
    );

    const p = await onScreen(app, { x: half.x, y: half.y + 9 });
    await app.page.mouse.move(p.x, p.y);
    await app.edge(line).waitFor({ state: "attached" });
    await app.page.mouse.click(p.x, p.y);
    await until(
      "it to be chosen",
      () => app.edge(line).getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
    await app.page.keyboard.press("Delete");
    const has = (d: Team) => !!d.topology.agents[at]?.connections?.some((c) => c.type === "review");
    await app.kept("the connection to be gone", (d) => !has(d));
    await until(
      "it to be drawn no more",
      () => ink(app, half),
      (a) => a === 0,
    );
    await app.undo();
    await app.kept("the connection to be back", has);
    await until(
      "it to be drawn again",
      () => ink(app, half),
      (a) => a > 0,
    );
    expect(await stale(app)).toBeLessThan(seam);

    const from = await middle(app, at),
      above = corner(at - across);
    expect(await ink(app, { x: above.x + 118, y: above.y + 111 })).toBe(0);
    await app.drag(from, { x: from.x + 56, y: from.y + 24 });
    const now = place(await app.kept("the agent to be moved", (d) => place(d, at)?.x !== corner(at).x), at)!;
    const end = { x: (above.x + now.x) / 2 + 90, y: (above.y + now.y) / 2 + 35 };
    await until(
      "the line from above to end where it is",
      () => ink(app, end),
      (a) => a > 0,
    );
    expect(await stale(app)).toBeLessThan(seam);
    await app.undo();
    await app.kept("the agent to be back", inPlace);
    await until(
      "the line to end there again",
      () => ink(app, { x: above.x + 90, y: above.y + 111 }),
      (a) => a > 0,
    );
    expect(await stale(app)).toBeLessThan(seam);
    await app.redo();
    await app.kept("the agent to be moved again", (d) => !inPlace(d));
    await until(
      "the line from above to end where it is again",
      () => ink(app, end),
      (a) => a > 0,
    );
    await app.page.mouse.wheel(0, 150);
    await until(
      "the view to be moved",
      () => view(app),
      (v) => v.y !== 0,
    );
    await until(
      "the lines to have gone with it",
      () => ink(app, end),
      (a) => a > 0,
    );
    await app.page.mouse.wheel(0, 600);
    await until(
      "the lines to be drawn where they were not",
      () => ink(app, { x: corner(at + 5 * across).x + 90, y: corner(at + 5 * across).y + 78 }),
      (a) => a > 0,
    );
    expect(app.complaints.filter((c) => !c.includes("getImageData"))).toEqual([]); // the test reads what is painted
  });
});
