import type { Point } from "../../src/topology/types.ts";
import { until, type App } from "../app.ts";
import { Choices } from "./random.ts";

/** Something on the screen: the nth with this name among what the selector finds, and where its middle was. */
type Target = Point & { css: string; name: string; nth: number };

/** One thing that was done, with all that is needed to do it again. */
export type Action =
  | { do: "press" | "menu"; at: Target }
  | { do: "write"; at: Target; text: string }
  | { do: "key"; key: string }
  | { do: "type"; text: string; enter: boolean }
  | { do: "screen"; to: string }
  | { do: "drag"; from: Target; to: Target; by: Point }
  | { do: "doubleClick"; at: Point }
  | { do: "wheel"; by: number }
  | { do: "back" | "reload" };

const screens = [
  "canvas",
  "sessions",
  "rooms",
  "review",
  "merge",
  "drift",
  "teams",
  "tasks",
  "plan",
  "inbox",
  "history",
  "settings",
];
const keys = [
  "Tab",
  "Tab",
  "Shift+Tab",
  "Enter",
  "Escape",
  "Space",
  "Delete",
  "Backspace",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "F2",
  "Control+z",
  "Control+z",
  "Control+Shift+Z",
  "Control+k",
  "Control+a",
  "Control+c",
  "Control+v",
  "Control+d",
  "Control+Enter",
  "a",
  "c",
  "n",
  "g",
  "1",
  "2",
  "3",
  "?",
  "/",
];
const texts = [
  "Backend",
  "レビュー担当",
  "a",
  "x".repeat(300),
  "emoji 👩‍👩‍👧‍👦",
  "<b>not bold</b>",
  "\u202Egnp.exe",
  "- one\n  - two",
  "０１２",
  "name: value",
  "  ",
  "@lead hello",
  "http://127.0.0.1:1",
  "-1",
  "1e9",
];

/** What may not be pressed: it would end the sign-in, and with it the walk. */
const never = /sign out|log out|ログアウト|サインアウト|rotate|end all|すべて終了/i;
const typed = ["Backend", "canvas 12", "gone?", "nnn", "a b c", "delete me/"];

const pressed = [
  "button",
  "a[href]",
  "summary",
  "[role=button]",
  "[role=menuitem]",
  "[role=menuitemradio]",
  "[role=menuitemcheckbox]",
  "[role=tab]",
  "[role=option]",
  "[role=switch]",
  "[role=checkbox]",
  "[role=radio]",
  ".react-flow__node",
];
/** The rail is on each screen: it is pressed now and then. */
const withRail = pressed.join(),
  withoutRail = pressed.map((s) => `${s}:not(.rail *, .tabbar *)`).join();
const written = "input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, [contenteditable=true]";

type Search = { css: string; not: string; pick?: number; name?: string; nth?: number };
type Found = Point & { name: string; nth: number };

/**
 * Runs in the page: waits until it has drawn what came of the last action, and finds what a pointer can reach. With
 * pick, that one or the next in the order of the page. With a name, the one that was found before.
 */
async function find({ css, not, pick, name, nth }: Search): Promise<Found | undefined> {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const all = [...document.querySelectorAll<HTMLElement>(css)],
    refused = new RegExp(not, "i");
  const nameOf = (e: HTMLElement) =>
    `${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 40)}`;
  const reached = (e: HTMLElement): Point | undefined => {
    const r = e.getBoundingClientRect(),
      x = r.left + r.width / 2,
      y = r.top + r.height / 2;
    if (!r.width || !r.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return undefined;
    const top = document.elementFromPoint(x, y);
    if (!top || !(e.contains(top) || top.contains(e))) return undefined;
    return e.closest("[disabled], [aria-disabled=true], a[target=_blank], a[download]") ? undefined : { x, y };
  };
  if (name !== undefined) {
    const e = all.filter((o) => nameOf(o) === name)[nth ?? 0],
      at = e && reached(e);
    return at && { ...at, name, nth: nth ?? 0 };
  }
  for (let i = 0; i < all.length; i++) {
    const e = all[((pick ?? 0) + i) % all.length]!,
      at = reached(e);
    if (!at) continue;
    const found = nameOf(e);
    if (!refused.test(found)) return { ...at, name: found, nth: all.filter((o) => nameOf(o) === found).indexOf(e) };
  }
  return undefined;
}

/** Runs in the page: waits as find does. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** Whether it is done to something that find has found. */
const aimed = (a: Action): a is Extract<Action, { do: "press" | "menu" | "write" | "drag" }> =>
  a.do === "drag" || a.do === "press" || a.do === "menu" || a.do === "write";

/** Walks over the screens, at random or as a walk before it, and keeps a record of what it did. */
export class Monkey {
  /** What was done. It can be done again. */
  readonly done: Action[] = [];
  private readonly app: App;
  private readonly choices: Choices;

  constructor(app: App, seed: number) {
    this.app = app;
    this.choices = new Choices(seed);
  }

  /** Does one thing that a person might do. */
  async step(): Promise<void> {
    await this.carefully(async () => {
      const action = await this.choose();
      if (!action) return;
      if (!aimed(action)) await this.app.page.evaluate(drawn);
      this.done.push(action);
      await this.perform(action);
    });
  }

  /** Does what was done before. A target that isn't there yet is waited for: the hub can be slower this time. */
  async again(action: Action): Promise<void> {
    await this.carefully(async () => {
      if (!aimed(action)) await this.app.page.evaluate(drawn);
      this.done.push(action);
      if (!aimed(action)) await this.perform(action);
      else if (action.do === "drag")
        await this.perform({ ...action, from: await this.sought(action.from), to: await this.sought(action.to) });
      else await this.perform({ ...action, at: await this.sought(action.at) });
    });
  }

  /** What was aimed at may have gone while the hand was on its way. */
  private async carefully(what: () => Promise<void>): Promise<void> {
    await what().catch((e: unknown) => {
      if (!/Timeout|detached|Target closed|Execution context was destroyed|navigat/i.test(String(e))) throw e;
    });
  }

  private async sought(at: Target): Promise<Target> {
    const search = { css: at.css, not: never.source, name: at.name, nth: at.nth };
    const found = await until("the target", () => this.app.page.evaluate(find, search), Boolean, 1_000).catch(
      () => undefined,
    );
    return { ...at, ...found }; // where it was, if it isn't found
  }

  private async aim(css: string): Promise<Target | undefined> {
    const pick = this.choices.below(1_000_000);
    const found = await this.app.page.evaluate(find, { css, not: never.source, pick });
    return found && { css, ...found };
  }

  private async choose(): Promise<Action | undefined> {
    const what = this.choices.weighted({
      press: 38,
      key: 18,
      write: 9,
      type: 5,
      screen: 10,
      drag: 7,
      doubleClick: 4,
      menu: 5,
      wheel: 2,
      back: 1,
      reload: 1,
    });
    switch (what) {
      case "press": {
        const at = await this.aim(this.choices.below(6) === 0 ? withRail : withoutRail);
        return at && { do: what, at };
      }
      case "menu": {
        const at = await this.aim(".react-flow__node, .react-flow__pane, [data-task], .lrow");
        return at && { do: what, at };
      }
      case "write": {
        const text = this.choices.of(texts),
          at = await this.aim(written);
        return at && { do: what, at, text };
      }
      case "drag": {
        const by = { x: this.choices.below(120) - 60, y: this.choices.below(120) - 60 };
        const from = await this.aim(".react-flow__node, .react-flow__handle, .react-flow__pane, .split"),
          to = await this.aim(".react-flow__node, .react-flow__pane");
        return from && to && { do: what, from, to, by };
      }
      case "key":
        return { do: what, key: this.choices.of(keys) };
      case "type": // wherever the focus is: letters that are keys elsewhere
        return { do: what, text: this.choices.of(typed), enter: this.choices.below(2) === 1 };
      case "screen":
        return { do: what, to: this.choices.of(screens) };
      case "doubleClick": {
        const { width, height } = this.app.page.viewportSize()!;
        return { do: what, at: { x: this.choices.below(width), y: this.choices.below(height) } };
      }
      case "wheel":
        return { do: what, by: this.choices.below(800) - 400 };
      default:
        return { do: what };
    }
  }

  private async perform(a: Action): Promise<void> {
    const { page } = this.app;
    switch (a.do) {
      case "press":
        return this.click(a.at);
      case "menu":
        return this.click(a.at, "right");
      case "write":
        await this.click(a.at);
        return page.keyboard.insertText(a.text);
      case "key":
        return page.keyboard.press(a.key);
      case "type":
        await page.keyboard.type(a.text);
        if (a.enter) await page.keyboard.press("Enter");
        return;
      case "screen":
        return this.app.go(a.to);
      case "drag":
        return this.app.drag(a.from, { x: a.to.x + a.by.x, y: a.to.y + a.by.y }, 4);
      case "doubleClick":
        return page.mouse.dblclick(a.at.x, a.at.y);
      case "wheel":
        return page.mouse.wheel(0, a.by);
      case "back":
        if (await page.evaluate(() => history.length > 2 && location.hash !== ""))
          await page.goBack({ waitUntil: "commit" });
        return;
      case "reload":
        await page.reload({ waitUntil: "commit" });
    }
  }

  /** The browser keeps the order, so the three are sent at once. */
  private async click({ x, y }: Point, button: "left" | "right" = "left"): Promise<void> {
    const { mouse } = this.app.page;
    await Promise.all([mouse.move(x, y), mouse.down({ button }), mouse.up({ button })]);
  }
}

/** One line about an action, for the person who has to find out why a walk failed. */
export function told(a: Action): string {
  switch (a.do) {
    case "press":
    case "menu":
      return `${a.do} ${a.at.name}`;
    case "write":
      return `write ${JSON.stringify(a.text.slice(0, 30))} in ${a.at.name}`;
    case "drag":
      return `drag ${a.from.name} to ${a.to.name}`;
    default:
      return Object.values(a)
        .map((v) => (typeof v === "object" ? Object.values(v as Point).join() : String(v)))
        .join(" ");
  }
}
