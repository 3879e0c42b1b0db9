import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Locator,
  type Page,
} from "playwright-core";
import { expect, test as base } from "vitest";
import type { AgentID, Team, Point } from "../src/topology/types.ts";
import { Hub, type Options as HubOptions } from "./hub.ts";
import { leavePage, newPage, takePage, type Look } from "./pages.ts";
import { ports, takePort } from "./ports.ts";
import { until } from "./until.ts";

const results = fileURLToPath(new URL("../test-results/", import.meta.url));

export type Options = HubOptions &
  Pick<
    BrowserContextOptions,
    "viewport" | "colorScheme" | "reducedMotion" | "deviceScaleFactor" | "hasTouch" | "isMobile" | "proxy"
  > & {
    /** The guide of the first start; the other tests do not want it in the way. */
    firstRun?: boolean;
    /** The page has no other test's addresses in its history. */
    fresh?: boolean;
    /** Parts of the page break on purpose; elsewhere a test in which one broke fails. */
    breaks?: boolean;
    /** How long anything may take, in ms, where there is more to do than usual. */
    patience?: number;
    /** Changes the hub before the page is opened. */
    seed?: (hub: Hub) => Promise<void>;
  };

/** A page of a real hub in a real browser, with hands for the canvas. */
export class App {
  /** What the browser complained about; a test ends with none of it. */
  readonly complaints: string[] = [];
  /** Every address that the page asked for. */
  readonly asked: string[] = [];
  readonly hub: Hub;
  readonly context: BrowserContext;
  readonly page: Page;
  private readonly breaks: boolean;
  private readonly look: Look;
  private readonly fresh: boolean;
  private readonly scripts: { dispose: () => Promise<void> }[] = [];
  private cdp: CDPSession | undefined;

  private constructor(hub: Hub, page: Page, look: Look, { breaks = false, fresh = false }: Options) {
    const context = page.context();
    this.hub = hub;
    this.breaks = breaks;
    this.context = context;
    this.page = page;
    this.look = look;
    this.fresh = fresh;
    page.on("console", (m) => {
      if (m.type() === "error" || m.type() === "warning") {
        this.complaints.push(`console ${m.type()}: ${m.text()} at ${m.location().url}`);
      }
    });
    page.on("pageerror", (e) => this.complaints.push(`uncaught: ${e.message}`));
    context.on("request", (r) => this.asked.push(r.url()));
    page.on("websocket", (ws) => this.asked.push(ws.url()));
  }

  static async open({
    firstRun,
    breaks,
    fresh,
    seed,
    patience = 15_000,
    viewport = { width: 1280, height: 800 },
    colorScheme = "light",
    reducedMotion = "reduce",
    deviceScaleFactor,
    hasTouch,
    isMobile,
    proxy,
    ...options
  }: Options = {}): Promise<App> {
    const hub = await Hub.start({ ...options, port: options.port ?? (await takePort()) });
    try {
      if (!firstRun) await hub.changeSettings({ onboardingDone: true });
      await seed?.(hub);
      const look: Look = {
        locale: options.language === "ja" ? "ja-JP" : "en-US",
        timezoneId: "Asia/Tokyo",
        viewport,
        colorScheme,
        reducedMotion,
        deviceScaleFactor,
        hasTouch,
        isMobile,
        proxy,
      };
      const app = new App(hub, await (fresh ? newPage(look) : takePage(look)), look, { breaks, fresh });
      app.context.setDefaultTimeout(Math.max(30_000, patience - 5_000));
      await app.page.goto(hub.link);
      await app.ready(patience);
      return app;
    } catch (e) {
      await hub.stop();
      throw e;
    }
  }

  /** The canvas is painted, and the view no longer moves. */
  async ready(patience?: number): Promise<void> {
    await until(
      "the first frame",
      () => this.page.evaluate(() => performance.getEntriesByName("agentflow:first-frame").length > 0),
      Boolean,
      Math.max(patience ?? 0, 45_000),
    ); // a machine at work starts slowly
    const view = () =>
      this.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform ?? "");
    let last = "";
    await until(
      "the view to rest",
      async () => {
        const before = last;
        last = await view();
        return last !== "" && last === before;
      },
      Boolean,
      patience,
    );
  }

  /** The notices and the other screens, which are fetched after the canvas, are there too. */
  async complete(): Promise<void> {
    await until("the last parts of the page", () =>
      this.page.evaluate(() =>
        performance.getEntriesByType("resource").some((e) => e.name.includes("/HistoryScreen-")),
      ),
    );
  }

  /** Runs a function in the page as it is and in every document that it loads later, until the test ends. */
  async always(script: () => void): Promise<void> {
    this.scripts.push(await this.page.addInitScript(script));
    await this.page.evaluate(script).catch(() => undefined);
  }

  /**
   * Runs a function in every document that the page loads from now on, until the test ends. A script that is given to
   * page.addInitScript itself would run in the next test, too.
   */
  async before(script: (given: Record<string, string>) => void, given: Record<string, string>): Promise<void> {
    this.scripts.push(await this.page.addInitScript(script, given));
  }

  async close(): Promise<void> {
    try {
      await this.cdp?.detach();
      await Promise.all(this.scripts.map((s) => s.dispose()));
      if (this.fresh) await this.context.close();
      else await leavePage(this.page, this.look, this.hub.url);
    } catch {
      await this.context.close(); // the test has closed the page, or killed the hub
    }
    await this.hub.stop();
    ports.push(this.hub.port);
  }

  // --- the team that is shown

  async team(): Promise<Team> {
    const id = await this.page.evaluate(() => localStorage.getItem("agentflow.team"));
    if (!id) throw new Error("no team is open");
    return this.hub.team(id);
  }

  /** Waits until the hub keeps the open team as wanted. */
  kept(what: string, ok: (d: Team) => boolean): Promise<Team> {
    return until(what, () => this.team(), ok);
  }

  /** Asserts that the open team is as wanted, now and not later: for what must not happen. */
  async saved(): Promise<void> {
    await until("everything to be saved", () =>
      this.page
        .getByText(/^(Saved |保存済み)/)
        .first()
        .isVisible(),
    );
  }

  // --- hands

  node(id: AgentID): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  /** A group by its id: its frame, or the node it is folded to. */
  group(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="group:${id}"]`);
  }

  edge(key: string): Locator {
    return this.page.locator(`.react-flow__edge[data-id="${key}"]`);
  }

  /** The toast in front: those behind it can't be clicked. */
  frontToast(): Locator {
    return this.page.locator('[data-sonner-toast][data-front="true"] .toast');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** A field of the inspector or a dialog. Once its value is changed, the label also gives the earlier value. */
  field(name: string): Locator {
    return this.page.getByLabel(new RegExp(`^${name}`)).first();
  }

  async middle(at: Locator): Promise<Point> {
    const b = await until("something to be in view", () => at.boundingBox());
    if (!b) throw new Error("not in view");
    return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
  }

  /** A drag as a hand does it: small steps, so that every listener on the way sees it. */
  async drag(from: Point, to: Point, steps = 10): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    for (let i = 1; i <= steps; i++)
      await mouse.move(from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
    await mouse.up();
  }

  /** Draws a line from a handle (t, r, b, l) of one agent to another. */
  async wire(from: AgentID, side: "t" | "r" | "b" | "l", to: AgentID): Promise<void> {
    await this.node(from).hover();
    await this.drag(
      await this.middle(this.node(from).locator(`.react-flow__handle[data-handleid="${side}"]`)),
      await this.middle(this.node(to)),
    );
  }

  /** A place of the canvas where nothing is. */
  async emptyPlace(): Promise<Point> {
    const found = await this.page.evaluate(() => {
      const r = document.querySelector(".react-flow__pane")!.getBoundingClientRect();
      for (let y = r.top + 90; y < r.bottom - 90; y += 24)
        for (let x = r.left + 150; x < r.right - 150; x += 24) {
          const free = [
            [0, 0],
            [-100, -45],
            [100, -45],
            [-100, 45],
            [100, 45],
            [0, -45],
            [0, 45],
          ].every(([dx = 0, dy = 0]) =>
            document.elementFromPoint(x + dx, y + dy)?.classList.contains("react-flow__pane"),
          );
          if (free) return { x, y };
        }
      return null;
    });
    if (!found) throw new Error("no empty place on the canvas");
    return found;
  }

  /** Has the palette look for the words, and runs what it finds once that is what Enter is for. */
  async run(words: string): Promise<void> {
    await this.page.locator(".scrim").first().waitFor({ state: "detached" }); // until then, the key is the dialog's
    await this.page.keyboard.press("Control+k");
    await until("the palette's field", () =>
      this.page.evaluate(() => document.activeElement?.matches("[cmdk-input]") ?? false),
    );
    await this.page.keyboard.insertText(words);
    await this.page.locator("[cmdk-item][aria-selected=true]").filter({ hasText: words }).waitFor();
    await this.page.keyboard.press("Enter");
  }

  async undo(): Promise<void> {
    await this.page.keyboard.press("Control+z");
  }

  async redo(): Promise<void> {
    await this.page.keyboard.press("Control+Shift+Z");
  }

  /** The input method speaks to the browser itself, as for a person who types Japanese. */
  async compose(text: string): Promise<void> {
    this.cdp ??= await this.context.newCDPSession(this.page);
    await this.cdp.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  }

  async commit(text: string): Promise<void> {
    this.cdp ??= await this.context.newCDPSession(this.page);
    await this.cdp.send("Input.insertText", { text });
  }

  /** Makes the page reconnect at once, unless it already has. */
  async reconnect(): Promise<void> {
    const retry = this.button("Retry now"),
      lost = this.page.getByText("Connection to AgentFlow lost");
    await until("the hub to be found again", async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 500 });
      return (await lost.count()) === 0;
    });
  }

  /** The address names the screen. */
  async go(screen: string): Promise<void> {
    await this.page.evaluate((s) => {
      location.hash = `/${s}`;
    }, screen);
  }

  /** Opens a team by its address, as a link to it does. */
  async openTeam(id: string): Promise<void> {
    await this.go(`canvas/${id}`);
    await until(
      "the team",
      () => this.team(),
      (d) => d.id === id,
    );
  }

  /** Opens the review, and then the choices, if the review doesn't open them directly. */
  async toMerge(): Promise<void> {
    await this.go("review");
    const choose = this.button(/^(Choose|選択する)$/).first(),
      cards = this.page.locator(".merge-conflict").first();
    await choose.or(cards).first().waitFor();
    if (!(await cards.isVisible())) await choose.click();
    await cards.waitFor();
  }

  /** What the page asked for anywhere but at its hub; no test may have any. */
  strangers(): string[] {
    return this.asked.filter((u) => !/^(data|blob):/.test(u) && new URL(u).host !== new URL(this.hub.url).host);
  }

  /** What no test may end with: an error that nobody caught, or a part of the page that broke. */
  faults(): string[] {
    return this.complaints.filter(
      (c) => c.startsWith("uncaught") || (!this.breaks && c.startsWith("console error: boundary:")),
    );
  }

  /** Complaints other than those that a test brings about on purpose. */
  complained(...but: RegExp[]): string[] {
    return this.complaints.filter((c) => !but.some((re) => re.test(c)));
  }
}

/** A vitest test that is given `open`, and closes what it opened. */
export const test = base.extend<{ open: (o?: Options) => Promise<App> }>({
  open: async ({ task }, give) => {
    const opened: App[] = [];
    // Journeys see what a person sees, with motion. Without it, the other tests take an eighth less CPU time.
    const motion = task.file.filepath.includes("/journeys/") ? ({ reducedMotion: "no-preference" } as const) : {};
    await give(async (o) => {
      const app = await App.open({ ...motion, ...o });
      opened.push(app);
      return app;
    });
    const strangers = opened.flatMap((app) => app.strangers());
    const { state, errors = [], retryCount = 0 } = task.result ?? {};
    // The errors of earlier tries are still there.
    if (state === "fail" || errors.length > retryCount)
      await keepPictures(`${task.name} try ${retryCount + 1}`, opened);
    await Promise.all(opened.map((a) => a.close()));
    expect(strangers).toEqual([]);
    expect(opened.flatMap((app) => app.faults())).toEqual([]);
  },
});

/** What a test that failed saw last, for the person who has to find out why. */
async function keepPictures(name: string, opened: readonly App[]): Promise<void> {
  mkdirSync(results, { recursive: true });
  for (const [i, app] of opened.entries()) {
    await app.page
      .screenshot({ path: `${results}${name.replace(/[^\w]+/g, "-").slice(0, 80)}-${i + 1}.png` })
      .catch(() => undefined);
    if (app.complaints.length) console.error(app.complaints.join("\n"));
  }
}

export { expect, until };
