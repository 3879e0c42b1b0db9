import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Connection } from "../src/topology/types.ts";

const hands = ["Research", "Writer", "Tester", "Ops", "Backend", "Frontend", "Reviewer", "Editor"];
const more: Record<string, Connection[]> = {
  Research: [{ type: "communication", targetId: "ops" }],
  Backend: [{ type: "communication", targetId: "tester" }],
  Reviewer: [
    { type: "review", targetId: "backend" },
    { type: "review", targetId: "frontend" },
  ],
  Frontend: [{ type: "communication", targetId: "writer" }],
};

/** A lead and eight agents, as they were added one after the other; nothing of it is applied. */
const eight = async (hub: App["hub"]) => {
  const [first] = await hub.teams(),
    d = await hub.team(first!.id),
    model = "demo/echo";
  const agents = [
    {
      id: "lead",
      name: "Lead",
      model,
      connections: hands.map((h) => ({ type: "command", targetId: h.toLowerCase() })),
    },
    ...hands.map((name) => ({ id: name.toLowerCase(), name, model, connections: more[name] ?? [] })),
  ];
  await hub.save(d.id, {
    ...d.topology,
    agents,
    notes: [],
    groups: [],
    layout: Object.fromEntries(agents.map((a, i) => [a.id, { x: i * 240, y: 0 }])),
  });
};

/** What is upon an agent's card that does not belong there: lines that do not end at it, and signs of changes on lines. */
const upon = (app: App) =>
  app.page.evaluate(() => {
    const cards = [...document.querySelectorAll<HTMLElement>(".react-flow__node-agent")].map((n) => ({
      id: n.dataset.id!,
      r: n.getBoundingClientRect(),
    }));
    const holds = (r: DOMRect, x: number, y: number) =>
      x > r.left + 1 && x < r.right - 1 && y > r.top + 1 && y < r.bottom - 1;
    const lines = [...document.querySelectorAll<SVGPathElement>(".react-flow__edge-interaction")].flatMap((p) => {
      const [, from, , to] = p.closest<HTMLElement>(".react-flow__edge")!.dataset.id!.split(":"),
        m = p.getScreenCTM()!,
        l = p.getTotalLength();
      const points = Array.from({ length: 400 }, (_, i) => p.getPointAtLength((l * i) / 399).matrixTransform(m));
      return cards
        .filter((c) => c.id !== from && c.id !== to && points.some((q) => holds(c.r, q.x, q.y)))
        .map((c) => `${from} → ${to} runs through ${c.id}`);
    });
    const signs = [...document.querySelectorAll(".on-line")].flatMap((s) => {
      const r = s.getBoundingClientRect();
      return cards
        .filter((c) => r.left < c.r.right && r.right > c.r.left && r.top < c.r.bottom && r.bottom > c.r.top)
        .map((c) => `a sign on ${c.id}`);
    });
    return [...lines, ...signs];
  });

describe("Lay out", () => {
  test("APP-1 eight agents under one lead are in view, can be read, and no line runs through any", async ({ open }) => {
    const app = await open({ seed: eight });
    const before = await app.team();
    await app
      .button(/^Auto-layout/)
      .first()
      .click();
    await app.kept("the layout", (d) => JSON.stringify(d.topology.layout) !== JSON.stringify(before.topology.layout));
    await app.ready();
    await until("all of it in view", () =>
      app.page.evaluate(() => {
        const c = document.querySelector(".canvas")!.getBoundingClientRect(),
          all = [...document.querySelectorAll(".react-flow__node-agent")].map((n) => n.getBoundingClientRect());
        return (
          all.length === 9 &&
          all.every((b) => b.left >= c.left && b.top >= c.top && b.right <= c.right && b.bottom <= c.bottom)
        );
      }),
    );
    expect(
      await app.page
        .locator(".react-flow__viewport")
        .evaluate((e) => new DOMMatrix((e as HTMLElement).style.transform).a),
    ).toBeGreaterThan(0.75);
    expect(
      await until(
        "no line through a card",
        () => upon(app),
        (v) => !v.length,
      ),
    ).toEqual([]);
  });

  test("APP-1 a window that becomes narrow at once, and wide again, keeps the team as large as it fits", async ({
    open,
  }) => {
    const app = await open(),
      zoom = () =>
        app.page.locator(".react-flow__viewport").evaluate((e) => new DOMMatrix((e as HTMLElement).style.transform).a),
      before = await zoom();
    for (let i = 0; i < 2; i++) {
      await app.page.setViewportSize({ width: 390, height: 844 });
      await until("a readable team", zoom, (z) => z > 0.4 && z < before);
      await app.page.setViewportSize({ width: 1280, height: 800 });
      await until("the size of before", zoom, (z) => Math.abs(z - before) < 0.01);
    }
  });
});
