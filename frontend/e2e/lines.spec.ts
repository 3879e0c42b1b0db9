import { describe } from "vitest";
import type { Team, Point } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const line = (d: Team, from: string, to: string, type = "command") =>
  d.topology.agents.find((a) => a.id === from)?.connections?.find((c) => c.targetId === to && c.type === type);
const key = "connection:lead:command:writer";

/** A point of a drawn line, 0 at its start and 1 at its end. */
const pointOn = (app: App, id: string, at: number): Promise<Point> =>
  app
    .edge(id)
    .locator("path.edge")
    .evaluate((p, t) => {
      const path = p as SVGPathElement,
        q = path.getPointAtLength(path.getTotalLength() * t),
        m = path.getScreenCTM()!;
      return { x: q.x * m.a + m.e, y: q.y * m.d + m.f };
    }, at);

async function choose(app: App, id: string): Promise<void> {
  const at = await pointOn(app, id, 0.5);
  await app.page.mouse.click(at.x, at.y);
  await until(
    "the line to be selected",
    () => app.page.locator(".react-flow__edge.selected").count(),
    (n) => n === 1,
  );
}

describe("a connection", () => {
  test("APP-1 an end is dragged to another agent; allowed targets are shown, and elsewhere it stays", async ({
    open,
  }) => {
    const app = await open();
    await choose(app, key);
    const end = app.edge(key).locator(".react-flow__edgeupdater-target");
    const from = await app.middle(end),
      { mouse } = app.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    const to = await app.middle(app.node("backend"));
    await mouse.move(from.x + 10, from.y + 10, { steps: 3 });
    await mouse.move(to.x, to.y, { steps: 8 });
    await app.page.getByText("Drop here: Lead → Backend").waitFor();
    await until(
      "the target to be marked",
      () => app.node("backend").locator(".is-target").count(),
      (n) => n === 1,
    );
    await until(
      "the researcher to stand back, who is called already",
      () => app.node("researcher").locator(".is-dim").count(),
      (n) => n === 1,
    );
    await mouse.up();
    const d = await app.kept("the new end", (x) => !!line(x, "lead", "backend") && !line(x, "lead", "writer"));
    expect(
      d.changes
        .filter((c) => c.subject === "connection")
        .map((c) => c.op)
        .sort(),
    ).toEqual(["added", "removed"]);
    expect(await app.page.getByRole("dialog").count()).toBe(0);
    await app.undo();
    await app.kept("the old end, in one step", (x) => !!line(x, "lead", "writer") && x.changes.length === 0);

    await choose(app, key);
    const again = await app.middle(app.edge(key).locator(".react-flow__edgeupdater-target"));
    await app.drag(again, await app.emptyPlace());
    await app.edge(key).waitFor();
    expect((await app.team()).changes).toEqual([]);
    await app.drag(
      await app.middle(app.edge(key).locator(".react-flow__edgeupdater-source")),
      await app.middle(app.node("researcher")),
    );
    await app.kept("the new start", (x) => !!line(x, "researcher", "writer") && !line(x, "lead", "writer"));
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 its label is written in place: F2, an input method, Enter, Escape and a double-click", async ({
    open,
  }) => {
    const app = await open();
    const { keyboard, mouse } = app.page;
    await choose(app, key);
    await keyboard.press("F2");
    const field = app.page.locator(".edge-label-input");
    await until("the field to have the focus", () => field.evaluate((e) => e === document.activeElement));
    await app.compose("げんこう");
    await app.compose("原稿");
    const keys = await app.context.newCDPSession(app.page);
    for (const type of ["rawKeyDown", "keyUp"] as const)
      await keys.send("Input.dispatchKeyEvent", { type, key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 });
    expect(await field.inputValue()).toBe("原稿");
    await app.commit("原稿を頼む");
    await keyboard.press("Enter");
    await app.kept("the label", (d) => line(d, "lead", "writer")?.label === "原稿を頼む");
    await field.waitFor({ state: "detached" });

    const label = app.page.locator(".edge-label", { hasText: "原稿を頼む" });
    await label.dblclick();
    await field.fill("something else");
    await keyboard.press("Escape");
    await label.waitFor();
    await app.undo();
    await app.kept("no label, in one step", (d) => !line(d, "lead", "writer")?.label && d.changes.length === 0);
    const at = await pointOn(app, key, 0.5);
    await mouse.dblclick(at.x, at.y);
    await field.fill("drafts");
    await app.node("lead").click();
    await app.kept("the label after leaving the field", (d) => line(d, "lead", "writer")?.label === "drafts");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 kind and direction by key and by menu; each is one undo step", async ({ open }) => {
    const app = await open();
    await choose(app, key);
    await app.page.keyboard.press("3");
    await app.kept("a review", (d) => !!line(d, "lead", "writer", "review") && !line(d, "lead", "writer"));
    await app.page.keyboard.press("r");
    await app.kept(
      "the other way round",
      (d) => !!line(d, "writer", "lead", "review") && !line(d, "lead", "writer", "review"),
    );
    await app.undo();
    await app.kept("the direction back", (d) => !!line(d, "lead", "writer", "review"));
    await app.undo();
    await app.kept("the kind back", (d) => d.changes.length === 0);
    const at = await pointOn(app, key, 0.5);
    await app.page.mouse.click(at.x, at.y, { button: "right" });
    await app.page.getByRole("menuitemcheckbox", { name: /^Message/ }).click();
    await app.kept("communication", (d) => !!line(d, "lead", "writer", "communication"));
    await app.page.getByRole("menu").waitFor({ state: "detached" });
    const mid = await pointOn(app, "connection:lead:communication:writer", 0.5);
    await app.page.mouse.click(mid.x, mid.y, { button: "right" });
    await app.page.getByRole("menuitem", { name: /^Reverse/ }).click();
    await app.kept("reversed", (d) => !!line(d, "writer", "lead", "communication"));
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a change mark never lies under a node", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const [first] = await hub.teams();
        const d = await hub.team(first!.id);
        await hub.save(d.id, {
          ...d.topology,
          notes: [],
          layout: {
            lead: { x: 0, y: 0 },
            researcher: { x: 0, y: 170 },
            writer: { x: 0, y: 340 },
            backend: { x: 300, y: 0 },
            reviewer: { x: 300, y: 340 },
          },
          agents: d.topology.agents.map((a) =>
            a.id === "lead" ? { ...a, connections: [{ targetId: "writer", type: "review" }] } : a,
          ),
        });
      },
    });
    const mark = app.page.locator(".on-line > .mark--add");
    const m = await app.middle(mark);
    expect(
      await app.page.evaluate(
        ({ x, y }) => document.elementsFromPoint(x, y).some((e) => e.closest(".react-flow__node")),
        m,
      ),
    ).toBe(false);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 where nodes are all along drawn lines, the marks of their changes stand in front of them", async ({
    open,
  }) => {
    // Everybody below the one before, close by, and connected with all: more lines than are elements.
    const ids = Array.from({ length: 19 }, (_, i) => `a${i}`);
    const app = await open({
      seed: async (hub) => {
        await hub.ask("POST", "/api/teams", {
          name: "Tower",
          topology: {
            layout: Object.fromEntries(ids.map((id, i) => [id, { x: 0, y: i * 80 }])),
            agents: ids.map((id) => ({
              id,
              model: "demo/echo",
              connections: ids.filter((to) => to !== id).map((targetId) => ({ targetId, type: "command" })),
            })),
          },
        });
      },
    });
    await app.page.locator(".line-canvas").waitFor();
    await app.page.locator(".sign-canvas").waitFor();
    const { x, y, width } = (await app.node("a9").boundingBox())!;
    // On the line between the two: the color of its mark shows on the node, and no part of the node has that color.
    const seen = () =>
      app.page.screenshot({ clip: { x: x + width / 2 - 16, y, width: 32, height: 24 } }).then((png) =>
        app.page.evaluate(
          async (bytes) => {
            const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)])),
              g = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
            g.drawImage(picture, 0, 0);
            const { data } = g.getImageData(0, 0, picture.width, picture.height);
            g.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--add-line");
            g.fillRect(0, 0, 1, 1);
            const [r, gr, b] = g.getImageData(0, 0, 1, 1).data;
            let many = 0;
            for (let i = 0; i < data.length; i += 4)
              if (Math.abs(data[i]! - r!) + Math.abs(data[i + 1]! - gr!) + Math.abs(data[i + 2]! - b!) < 12) many++;
            return many;
          },
          [...png],
        ),
      );
    await until("the marks upon the node", seen, (n) => n > 20);
    await app.page.locator(".sign-canvas").evaluate((e: HTMLElement) => {
      e.style.display = "none";
    });
    await until("none without them", seen, (n) => n === 0);
  });
});
