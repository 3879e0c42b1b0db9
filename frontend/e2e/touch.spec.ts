import type { CDPSession } from "playwright-core";
import { describe } from "vitest";
import type { Point } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const tablet = { viewport: { width: 1280, height: 800 }, hasTouch: true };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Fingers on the glass, as the browser is told of them. */
class Fingers {
  private readonly cdp: CDPSession;
  private constructor(cdp: CDPSession) { this.cdp = cdp; }
  static async of(app: App): Promise<Fingers> { return new Fingers(await app.context.newCDPSession(app.page)); }

  private send(type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) {
    return this.cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((p, id) => ({ ...p, id })) });
  }

  /** Each finger goes from one place to another, all at the same time. */
  async move(ways: readonly (readonly [from: Point, to: Point])[], steps = 8): Promise<void> {
    await this.send("touchStart", ways.map(([from]) => from));
    for (let i = 1; i <= steps; i++) await this.send("touchMove", ways.map(([a, b]) => ({ x: a.x + ((b.x - a.x) * i) / steps, y: a.y + ((b.y - a.y) * i) / steps })));
    await this.send("touchEnd", []);
  }
}

const view = async (app: App) => {
  const [x = 0, y = 0, zoom = 1] = (await app.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")!.style.transform)).match(/-?[\d.]+/g)!.map(Number);
  return { x, y, zoom };
};
const off = (p: Point, x: number, y = 0): Point => ({ x: p.x + x, y: p.y + y });

describe("by touch", () => {
  test("APP-1 on a phone two fingers zoom and move the view", async ({ open }) => {
    const app = await open(phone), fingers = await Fingers.of(app);
    const mid = { x: 195, y: 420 }, before = await view(app);
    await fingers.move([[off(mid, -40), off(mid, -120)], [off(mid, 40), off(mid, 120)]]);
    const near = await until("to be nearer", () => view(app), (v) => v.zoom > before.zoom * 1.3);
    await fingers.move([[off(mid, -40), off(mid, -40, 90)], [off(mid, 40), off(mid, 40, 90)]]);
    const moved = await until("to be moved", () => view(app), (v) => v.y > near.y + 60);
    expect(moved.zoom).toBeCloseTo(near.zoom, 1);
    expect((await app.drawing()).changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 one finger moves an agent", async ({ open }) => {
    const app = await open(tablet), fingers = await Fingers.of(app);
    const at = await app.middle(app.node("writer")), was = (await app.drawing()).topology.layout!.writer!;
    await fingers.move([[at, off(at, 40, 64)]]);
    const d = await app.kept("its new place", (x) => x.topology.layout!.writer!.y > was.y + 30);
    expect(d.topology.layout!.writer!.x).toBeGreaterThan(was.x + 15);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 on a phone everything that is touched is 44 px or more", async ({ open }) => {
    const app = await open(phone);
    const small = () => app.page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, a[href], input, textarea, select, [role=button], [role=radio], [role=tab], [role=checkbox], [role=switch], [role=menuitem], [role=option]")].flatMap((e) => {
      const r = e.getBoundingClientRect(), s = getComputedStyle(e);
      if (!r.width || !r.height || s.visibility === "hidden" || s.clipPath !== "none" || e.matches(":disabled, [aria-hidden=true]") || e.closest("[aria-hidden=true]")) return [];
      // What is asked of the browser is what a finger finds: the middle and 21 px around it.
      const x = r.x + r.width / 2, y = r.y + r.height / 2;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return [];
      const label = e.closest("label");
      const own = (dx: number, dy: number) => { const at = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, x + dx)), Math.min(innerHeight - 1, Math.max(0, y + dy))); return !!at && (e.contains(at) || !!label?.contains(at)); };
      const fits = (r.width >= 44 || (own(-21, 0) && own(21, 0))) && (r.height >= 44 || (own(0, -21) && own(0, 21)));
      return fits ? [] : [`${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.innerText.slice(0, 30)} ${Math.round(r.width)}×${Math.round(r.height)}`];
    }));
    const found: Record<string, string[]> = {};
    for (const screen of ["canvas", "library", "history", "settings", "review"]) {
      await app.go(screen);
      await app.page.waitForLoadState("networkidle");
      await until("nothing to be loading", () => app.page.locator(".skel").count(), (n) => n === 0);
      const all = await small();
      if (all.length) found[screen] = all;
    }
    expect(found).toEqual({});
  });
});
