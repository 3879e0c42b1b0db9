import type { CDPSession } from "playwright-core";
import { describe } from "vitest";
import type { Point } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import { openRoom, post, said } from "./rooms.ts";
import { says, submit, withTeam } from "./team.ts";

const tablet = { viewport: { width: 1280, height: 800 }, hasTouch: true };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Simulates fingers on a touchscreen, through the browser's debugging protocol. */
class Fingers {
  private readonly cdp: CDPSession;
  private constructor(cdp: CDPSession) {
    this.cdp = cdp;
  }
  static async of(app: App): Promise<Fingers> {
    return new Fingers(await app.context.newCDPSession(app.page));
  }

  private send(type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) {
    return this.cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((p, id) => ({ ...p, id })) });
  }

  /** Each finger goes from one place to another, all at the same time. */
  async move(ways: readonly (readonly [from: Point, to: Point])[], steps = 8): Promise<void> {
    await this.send(
      "touchStart",
      ways.map(([from]) => from),
    );
    for (let i = 1; i <= steps; i++)
      await this.send(
        "touchMove",
        ways.map(([a, b]) => ({ x: a.x + ((b.x - a.x) * i) / steps, y: a.y + ((b.y - a.y) * i) / steps })),
      );
    await this.send("touchEnd", []);
  }

  async down(...at: Point[]): Promise<void> {
    await this.send("touchStart", at);
  }
  async up(): Promise<void> {
    await this.send("touchEnd", []);
  }
}

const view = async (app: App) => {
  const [x = 0, y = 0, zoom = 1] = (
    await app.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")!.style.transform)
  )
    .match(/-?[\d.]+/g)!
    .map(Number);
  return { x, y, zoom };
};
const off = (p: Point, x: number, y = 0): Point => ({ x: p.x + x, y: p.y + y });

const touched =
  "button, a[href], input, textarea, select, [role=button], [role=radio], [role=tab], [role=checkbox], " +
  "[role=switch], [role=menuitem], [role=option]";

/** What a finger would miss: everything that is touched and that is smaller. */
const small = (app: App, { least = 44, within = "body" } = {}) =>
  app.page.evaluate(
    ({ of, least }) =>
      [...document.querySelectorAll<HTMLElement>(of)].flatMap((e) => {
        const r = e.getBoundingClientRect(),
          s = getComputedStyle(e);
        if (
          !r.width ||
          !r.height ||
          s.visibility === "hidden" ||
          s.clipPath !== "none" ||
          e.matches(":disabled, [aria-hidden=true]") ||
          e.closest("[aria-hidden=true], .md") // a link within a text is as high as its line
        )
          return [];
        // What is asked of the browser is what a finger finds: the middle, and half of the size around it.
        const half = least / 2 - 1,
          x = r.x + r.width / 2,
          y = r.y + r.height / 2;
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return [];
        const label = e.closest("label");
        const own = (dx: number, dy: number) => {
          const at = document.elementFromPoint(
            Math.min(innerWidth - 1, Math.max(0, x + dx)),
            Math.min(innerHeight - 1, Math.max(0, y + dy)),
          );
          return !!at && (e.contains(at) || !!label?.contains(at));
        };
        const fits =
          (r.width >= least || (own(-half, 0) && own(half, 0))) &&
          (r.height >= least || (own(0, -half) && own(0, half)));
        return fits
          ? []
          : [
              [
                e.tagName.toLowerCase(),
                e.getAttribute("aria-label") ?? e.innerText.slice(0, 30),
                `${Math.round(r.width)}×${Math.round(r.height)}`,
              ].join(" "),
            ];
      }),
    { of: `${within} :is(${touched})`, least },
  );

describe("by touch", () => {
  test("APP-1 on a phone two fingers zoom and move the view", async ({ open }) => {
    const app = await open(phone),
      fingers = await Fingers.of(app);
    const mid = { x: 195, y: 420 },
      before = await view(app);
    await fingers.move([
      [off(mid, -40), off(mid, -120)],
      [off(mid, 40), off(mid, 120)],
    ]);
    const near = await until(
      "to be nearer",
      () => view(app),
      (v) => v.zoom > before.zoom * 1.3,
    );
    await fingers.move([
      [off(mid, -40), off(mid, -40, 90)],
      [off(mid, 40), off(mid, 40, 90)],
    ]);
    const moved = await until(
      "to be moved",
      () => view(app),
      (v) => v.y > near.y + 60,
    );
    expect(moved.zoom).toBeCloseTo(near.zoom, 1);
    expect((await app.team()).changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 on a tablet two fingers zoom and move the view while things are selected, also from agents, and change nothing", async ({
    open,
  }) => {
    const app = await open(tablet),
      fingers = await Fingers.of(app);
    await app.node("lead").tap();
    await until(
      "the choice",
      () => app.node("lead").getAttribute("class"),
      (c) => !!c?.includes("selected"),
    );
    const head = (await app.team()).head,
      a = await app.middle(app.node("writer")),
      b = await app.middle(app.node("backend")),
      before = await view(app);
    // Each finger on an agent, moving apart: what was under a finger stays under it.
    const apart = { x: (a.x - b.x) * 0.25, y: (a.y - b.y) * 0.25 };
    await fingers.move([
      [a, off(a, apart.x, apart.y)],
      [b, off(b, -apart.x, -apart.y)],
    ]);
    const near = await until(
      "to be nearer",
      () => view(app),
      (v) => v.zoom > before.zoom * 1.4,
    );
    await until(
      "the agent under its finger",
      async () => {
        const at = await app.middle(app.node("writer"));
        return Math.hypot(at.x - a.x - apart.x, at.y - a.y - apart.y);
      },
      (d) => d < 3,
    );
    // One on an agent and one on the canvas, side by side.
    const at = await app.middle(app.node("writer")),
      empty = await app.emptyPlace();
    await fingers.move([
      [empty, off(empty, 60, -30)],
      [at, off(at, 60, -30)],
    ]);
    const moved = await until(
      "to be moved",
      () => view(app),
      (v) => Math.abs(v.x - near.x - 60) < 3,
    );
    expect(moved.y - near.y).toBeCloseTo(-30, -1);
    expect(moved.zoom).toBeCloseTo(near.zoom, 2);
    expect(await app.node("lead").getAttribute("class")).toContain("selected");
    expect(await app.page.locator(".react-flow__selection").count()).toBe(0);
    expect((await app.team()).head).toBe(head);
    // And one finger selects again; to the browser, a tap right behind a pinch may still belong to it.
    await until(
      "the other choice",
      async () => {
        await app.node("writer").tap();
        return app.node("writer").getAttribute("class");
      },
      (c) => !!c?.includes("selected"),
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 on a tablet one finger draws a box with the select tool and moves the view with the hand", async ({
    open,
  }) => {
    const app = await open(tablet),
      fingers = await Fingers.of(app);
    const boxes = await Promise.all(
      ["lead", "writer", "backend"].map(async (id) => (await app.node(id).boundingBox())!),
    );
    const from = { x: Math.min(...boxes.map((r) => r.x)) - 24, y: Math.min(...boxes.map((r) => r.y)) - 24 },
      to = {
        x: Math.max(...boxes.map((r) => r.x + r.width)) + 24,
        y: Math.max(...boxes.map((r) => r.y + r.height)) + 24,
      };
    const before = await view(app);
    await fingers.move([[from, to]]);
    await until(
      "all in the box to be chosen",
      () => app.page.locator(".react-flow__node-agent.selected").count(),
      (n) => n >= 3,
    );
    expect(await view(app)).toEqual(before);
    // To the browser, a tap right behind a drag may still belong to it.
    await until(
      "the hand to be taken",
      async () => {
        await app.button("Pan").tap();
        return app.button("Pan").getAttribute("aria-pressed");
      },
      (v) => v === "true",
    );
    const empty = await app.emptyPlace();
    await fingers.move([[empty, off(empty, 80, 40)]]);
    await until(
      "the view to be moved",
      () => view(app),
      (v) => Math.abs(v.x - before.x - 80) < 4 && Math.abs(v.y - before.y - 40) < 4,
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a finger that stays opens the menu of what is under it, one that moves or a second one does not", async ({
    open,
  }) => {
    const app = await open(tablet),
      fingers = await Fingers.of(app),
      menu = app.page.getByRole("menu");
    const at = await app.middle(app.node("writer"));
    await fingers.down(at);
    await menu.waitFor();
    await fingers.up();
    await app.page.getByRole("menuitem", { name: "Duplicate" }).tap();
    await menu.waitFor({ state: "detached" });
    await app.kept("the copy", (d) => d.topology.agents.filter((a) => a.id.startsWith("writer")).length === 2);
    // Time goes by in the page, not here: a finger that moved on has opened nothing when a later one opens its menu.
    const empty = await app.emptyPlace();
    await app.page.evaluate(() => {
      (globalThis as { menus?: number }).menus = 0;
      new MutationObserver((all) => {
        for (const m of all)
          for (const n of m.addedNodes)
            if (n instanceof Element && n.querySelector("[role=menu]")) (globalThis as { menus?: number }).menus!++;
      }).observe(document.body, { childList: true });
    });
    await fingers.move([[empty, off(empty, 40, 20)]]);
    await fingers.down(empty, off(empty, 60));
    await app.page.evaluate(() => new Promise((r) => setTimeout(r, 700)));
    await fingers.up();
    expect(await app.page.evaluate(() => (globalThis as { menus?: number }).menus)).toBe(0);
    await fingers.down(empty);
    await menu.waitFor();
    await fingers.up();
    await app.page.getByRole("menuitem", { name: "Add agent" }).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 one finger moves an agent", async ({ open }) => {
    const app = await open(tablet),
      fingers = await Fingers.of(app);
    const at = await app.middle(app.node("writer")),
      was = (await app.team()).topology.layout!.writer!;
    await fingers.move([[at, off(at, 40, 64)]]);
    const d = await app.kept("its new place", (x) => x.topology.layout!.writer!.y > was.y + 30);
    expect(d.topology.layout!.writer!.x).toBeGreaterThan(was.x + 15);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 on a phone everything that is touched is 44 px or more", async ({ open }) => {
    const app = await open(phone);
    for (const screen of ["canvas", "library", "history", "settings", "review"]) {
      await app.go(screen);
      await app.page.waitForLoadState("networkidle");
      await until(
        "nothing to be loading",
        () => app.page.locator(".skel").count(),
        (n) => n === 0,
      );
      await until(
        `everything of ${screen} to be large enough`,
        () => small(app),
        (all) => all.length === 0,
      );
    }
  });

  test("APP-1 APP-4 on a phone every button of rooms, sessions, tasks and the inbox is 44 px or more", async ({
    open,
  }) => {
    await withTeam(
      open,
      says("ok"),
      async (app) => {
        const { taskId } = await submit(app.hub, "Write the notes", { agent: "dev" });
        const { id: team } = await app.team();
        await app.hub.ask("POST", "/api/rooms", { name: "Night", team, agents: ["dev", "writer"] });
        await post(app.hub, "Night", "Mia", "Cart and invoice differ by 1 yen.");
        const large = (what: string) =>
          until(
            `every button of ${what} to be large enough`,
            () => small(app).then((all) => all.filter((x) => x.startsWith("button"))),
            (all) => all.length === 0,
          );
        await app.go("rooms");
        await app.page.locator(".rooms .lrow").first().waitFor();
        await large("the list of rooms");
        await openRoom(app, "Night");
        await said(app).first().waitFor();
        await large("the room");
        for (const side of ["Search messages", "Participants"]) {
          const button = app.page.getByRole("button", { name: side, exact: true });
          await button.click();
          await large(side);
          await button.click();
        }
        await app.go("tasks");
        await large("the list of tasks");
        await app.go(`tasks/${taskId}`);
        await app.page.getByRole("tab", { name: "Output" }).waitFor();
        await large("the task");
        await app.go("sessions/local/agent:dev:main");
        await app.page.locator(".composer textarea").waitFor();
        await large("the session");
        await app.go("sessions");
        await large("the list of sessions");
        await app.go("inbox");
        await large("the inbox");
        expect(app.complaints).toEqual([]);
      },
      phone,
    );
  });

  test("APP-4 on a tablet the buttons of a room are 40 px or more", async ({ open }) => {
    await withTeam(
      open,
      says("ok"),
      async (app) => {
        const { id: team } = await app.team();
        await app.hub.ask("POST", "/api/rooms", { name: "Night", team, agents: ["dev", "writer"] });
        await post(app.hub, "Night", "Mia", "Cart and invoice differ by 1 yen.");
        await openRoom(app, "Night");
        await said(app).first().waitFor();
        await until(
          "every button to be large enough",
          () => small(app, { least: 40, within: ".rooms" }),
          (all) => !all.some((x) => x.startsWith("button")),
        );
      },
      tablet,
    );
  });
});
