import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Point } from "../src/topology/types.ts";

const agents = async (app: App) => (await app.team()).topology.agents.length;
/** Points of the screen on a line, and beside it as far as its sign reaches. */
const around = (app: App, key: string): Promise<Point[]> =>
  app
    .edge(key)
    .locator(".react-flow__edge-interaction")
    .evaluate((p: SVGPathElement) => {
      const m = p.getScreenCTM()!,
        at = (t: number) => p.getPointAtLength(p.getTotalLength() * t).matrixTransform(m);
      return [0.5, 0.35, 0.65].map((t) => ({ x: at(t).x, y: at(t).y }));
    });
const focus = (app: App) =>
  app.page.evaluate(() => {
    const e = document.activeElement as HTMLElement | null;
    return (
      e?.closest<HTMLElement>(".react-flow__node")?.dataset.id ??
      (e?.matches(".canvas-menu") ? "canvas" : (e?.tagName ?? ""))
    );
  });

describe("a double click", () => {
  test("APP-1 on a connection or what stands on it adds no agent", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const [first] = await hub.teams(),
          d = await hub.team(first!.id);
        const changed = d.topology.agents.map((a) =>
          a.id === "lead"
            ? {
                ...a,
                connections: [
                  ...(a.connections ?? []),
                  { type: "review", targetId: "backend" },
                  { type: "communication", targetId: "reviewer", label: "asks" },
                ],
              }
            : a,
        );
        await hub.save(d.id, { ...d.topology, agents: changed });
      },
    });
    const many = await agents(app),
      { mouse, keyboard } = app.page;
    for (const key of [
      "connection:lead:command:researcher",
      "connection:lead:review:backend",
      "connection:lead:communication:reviewer",
    ]) {
      for (const at of await around(app, key)) {
        await mouse.dblclick(at.x, at.y);
        await keyboard.press("Escape");
        await keyboard.press("Escape");
      }
    }
    for (const el of await app.page.locator(".on-line .mark, .edge-label").all()) {
      const box = (await el.boundingBox())!;
      for (const [dx, dy] of [
        [0.5, 0.5],
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
      ] as const) {
        await mouse.dblclick(box.x + box.width * dx, box.y + box.height * dy);
        await keyboard.press("Escape");
        await keyboard.press("Escape");
      }
    }
    await app.saved();
    expect(await agents(app)).toBe(many);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 whose first press was on something else adds no agent; one on the empty canvas does", async ({
    open,
  }) => {
    const app = await open(),
      many = await agents(app),
      at = await app.emptyPlace();
    // The press takes away what it is on: the second one of the two comes to the canvas below.
    await app.page.evaluate(({ x, y }) => {
      const el = document.createElement("div");
      Object.assign(el.style, {
        position: "fixed",
        left: `${x - 20}px`,
        top: `${y - 20}px`,
        width: "40px",
        height: "40px",
        zIndex: "99",
      });
      el.addEventListener("click", () => el.remove());
      document.body.append(el);
    }, at);
    await app.page.mouse.dblclick(at.x, at.y);
    await app.page.keyboard.press("Escape");
    await app.saved();
    expect(await agents(app)).toBe(many);
    await app.page.mouse.dblclick(at.x, at.y);
    await app.kept("the new agent", (d) => d.topology.agents.length === many + 1);
  });
});

describe("a new note and a new agent", () => {
  test("APP-1 take what an input method writes from its first word on", async ({ open }) => {
    const app = await open(),
      { keyboard } = app.page;
    for (const [key, tag] of [
      ["n", "TEXTAREA"],
      ["a", "INPUT"],
    ] as const) {
      // The next key may be the input method's: by the end of this one the field has to be there.
      const after = await app.page.evaluate((k) => {
        document
          .querySelector(".canvas-menu")!
          .dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, cancelable: true }));
        return document.activeElement?.tagName;
      }, key);
      expect(after).toBe(tag);
      await app.compose("げんこう");
      await app.compose("原稿");
      await app.commit("原稿を");
      await app.compose("まつ");
      await app.commit("待つ");
      await keyboard.press("Escape");
      if (key === "n") await app.kept("the note", (d) => !!d.topology.notes?.some((n) => n.text === "原稿を待つ"));
    }
  });
});

describe("the focus", () => {
  test("APP-1 is on the agent that a connection was drawn from by keys, whether it was made or not", async ({
    open,
  }) => {
    const app = await open(),
      { keyboard } = app.page;
    await app.node("writer").click();
    const lines = async () => (await app.team()).topology.agents.flatMap((a) => a.connections ?? []).length,
      before = await lines();
    for (const end of ["Escape", "Enter"]) {
      await keyboard.press("c");
      await keyboard.press("ArrowLeft");
      await keyboard.press("Enter");
      await app.page.getByRole("dialog").getByRole("button").first().waitFor();
      await keyboard.press(end);
      await app.page.getByRole("dialog").waitFor({ state: "detached" });
      await until(
        "the focus to be back",
        () => focus(app),
        (v) => v === "writer",
      );
    }
    await until("the connection", lines, (n) => n === before + 1);
  });

  test("APP-1 is on the canvas after a new team was made", async ({ open }) => {
    const app = await open();
    await app.node("writer").click();
    for (const name of [/^Empty/, /^Pair/]) {
      await app.run("New team");
      await app.page.getByRole("dialog").getByRole("button", { name }).first().click();
      await app.page.getByRole("dialog").waitFor({ state: "detached" });
      await until(
        "the canvas to have the focus",
        () => focus(app),
        (v) => v === "canvas",
      );
    }
    await app.page.keyboard.press("a");
    await app.kept("an agent", (d) => d.topology.agents.length === 3);
  });
});
