import type { App } from "../app.ts";
import { Choices } from "./random.ts";

const screens = [
  "canvas",
  "sessions",
  "rooms",
  "review",
  "merge",
  "drift",
  "drawings",
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

type Target = { x: number; y: number; name: string };

/** Walks over the screens at random and keeps a record of what it did. */
export class Monkey {
  /** What was done, for the person who has to find out why it failed. */
  readonly done: string[] = [];
  private readonly app: App;
  private readonly choices: Choices;

  constructor(app: App, seed: number) {
    this.app = app;
    this.choices = new Choices(seed);
  }

  /** Does one thing that a person might do, and waits until the page has drawn what came of it. */
  async step(): Promise<void> {
    const what = this.choices.weighted({
      press: 38,
      key: 18,
      text: 9,
      type: 5,
      screen: 10,
      drag: 7,
      doubleClick: 4,
      menu: 5,
      wheel: 2,
      back: 1,
      reload: 1,
    });
    try {
      await this[what]();
    } catch (e) {
      // What was aimed at may have gone while the hand was on its way.
      if (!/Timeout|detached|Target closed|Execution context was destroyed|navigat/i.test(String(e))) throw e;
      this.done.push(`  (${String(e).split("\n")[0]})`);
    }
    await this.app.page
      .evaluate(
        () =>
          new Promise((drawn) => {
            requestAnimationFrame(() => requestAnimationFrame(drawn));
          }),
      )
      .catch(() => undefined);
  }

  /** Everything in view that can be reached by a pointer, in the order of the page. */
  private targets(selector: string): Promise<Target[]> {
    return this.app.page.evaluate(
      ([s, not]) => {
        const found: Target[] = [],
          refused = new RegExp(not!, "i");
        for (const e of document.querySelectorAll<HTMLElement>(s!)) {
          const r = e.getBoundingClientRect(),
            x = r.left + r.width / 2,
            y = r.top + r.height / 2;
          if (!r.width || !r.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
          const top = document.elementFromPoint(x, y);
          if (
            !top ||
            !(e.contains(top) || top.contains(e)) ||
            e.closest("[disabled], [aria-disabled=true], a[target=_blank], a[download]")
          )
            continue;
          const name = (e.getAttribute("aria-label") ?? e.innerText).trim().slice(0, 40);
          if (!refused.test(name)) found.push({ x, y, name: `${e.tagName.toLowerCase()} ${name}` });
        }
        return found;
      },
      [selector, never.source],
    );
  }

  private async aim(selector: string): Promise<Target | undefined> {
    const all = await this.targets(selector);
    return all.length ? this.choices.of(all) : undefined;
  }

  /** Presses what the screen offers; the rail, which is on each of them, now and then. */
  private async press(): Promise<void> {
    const rail = this.choices.below(6) === 0 ? "" : ":not(.rail *, .tabbar *)";
    const at = await this.aim(
      [
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
      ]
        .map((s) => s + rail)
        .join(),
    );
    if (!at) return;
    this.done.push(`press ${at.name}`);
    await this.app.page.mouse.click(at.x, at.y);
  }

  private async key(): Promise<void> {
    const key = this.choices.of(keys);
    this.done.push(`key ${key}`);
    await this.app.page.keyboard.press(key);
  }

  private async text(): Promise<void> {
    const at = await this.aim(
        "input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, [contenteditable=true]",
      ),
      text = this.choices.of(texts);
    if (!at) return;
    this.done.push(`write ${JSON.stringify(text.slice(0, 30))} in ${at.name}`);
    await this.app.page.mouse.click(at.x, at.y);
    await this.app.page.keyboard.insertText(text);
  }

  /** Types at once, wherever the focus is: letters that are keys elsewhere. */
  private async type(): Promise<void> {
    const text = this.choices.of(["Backend", "canvas 12", "gone?", "nnn", "a b c", "delete me/"]);
    this.done.push(`type ${text}`);
    await this.app.page.keyboard.type(text);
    if (this.choices.below(2)) await this.app.page.keyboard.press("Enter");
  }

  private async screen(): Promise<void> {
    const to = this.choices.of(screens);
    this.done.push(`go ${to}`);
    await this.app.go(to);
  }

  private async drag(): Promise<void> {
    const from = await this.aim(".react-flow__node, .react-flow__handle, .react-flow__pane, .split"),
      to = await this.aim(".react-flow__node, .react-flow__pane");
    if (!from || !to) return;
    this.done.push(`drag ${from.name} to ${to.name}`);
    await this.app.drag(from, { x: to.x + this.choices.below(120) - 60, y: to.y + this.choices.below(120) - 60 }, 4);
  }

  private async doubleClick(): Promise<void> {
    const { width, height } = this.app.page.viewportSize()!;
    const at = { x: this.choices.below(width), y: this.choices.below(height) };
    this.done.push(`double-click ${at.x},${at.y}`);
    await this.app.page.mouse.dblclick(at.x, at.y);
  }

  private async menu(): Promise<void> {
    const at = await this.aim(".react-flow__node, .react-flow__pane, [data-task], .lrow");
    if (!at) return;
    this.done.push(`menu of ${at.name}`);
    await this.app.page.mouse.click(at.x, at.y, { button: "right" });
  }

  private async wheel(): Promise<void> {
    const by = this.choices.below(800) - 400;
    this.done.push(`wheel ${by}`);
    await this.app.page.mouse.wheel(0, by);
  }

  private async back(): Promise<void> {
    this.done.push("back");
    if (await this.app.page.evaluate(() => history.length > 2 && location.hash !== ""))
      await this.app.page.goBack({ waitUntil: "commit" });
  }

  private async reload(): Promise<void> {
    this.done.push("reload");
    await this.app.page.reload({ waitUntil: "commit" });
  }
}
