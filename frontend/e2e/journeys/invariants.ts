import type { Page, Response } from "playwright-core";
import { until, type App } from "../app.ts";

/** Texts of a part that stopped working, in both languages. */
const brokenPart = /This part of the screen stopped working|この部分は表示できなくなりました/;

/** Words that no person may read: a value or an i18n key that was never turned into a text. */
const unfinished = /\bundefined\b|\bNaN\b|\[object Object\]|\bInvalid Date\b|\{\{\w+\}\}/;

/** Watches a page for what must not happen on any journey, whatever the person does. */
export class Watch {
  private readonly found: string[] = [];
  private readonly reading: Promise<void>[] = [];
  private readonly expected: readonly RegExp[];

  private constructor(expected: readonly RegExp[]) {
    this.expected = expected;
  }

  /** Starts watching the app's page. What matches one of expected is part of the test. */
  static start(app: App, ...expected: RegExp[]): Watch {
    const w = new Watch(expected);
    w.add(app.page);
    return w;
  }

  /** Watches one more page, such as that of a second person. */
  add(page: Page): void {
    page.on("console", (m) => { if (m.type() === "error") this.note(`console: ${m.text()}`); });
    page.on("pageerror", (e) => this.note(`uncaught: ${e.message}`));
    page.on("response", (r) => { if (r.status() >= 500) this.reading.push(this.failed(r)); });
  }

  private note(what: string): void {
    // Chromium reports each refused request itself. A refusal (4xx) is an answer; failures (5xx) are read below.
    if (/Failed to load resource|net::ERR_/.test(what) || this.expected.some((e) => e.test(what))) return;
    this.found.push(what);
  }

  /** A gateway or model that is away is an honest answer (502 to 504 with its code). Anything else is the hub's fault. */
  private async failed(r: Response): Promise<void> {
    const body = await r.text().catch(() => "");
    if (/"code":"(GATEWAY_ERROR|UNAVAILABLE|TIMEOUT)"/.test(body)) return;
    this.note(`${r.status()} ${r.request().method()} ${new URL(r.url()).pathname}: ${body.slice(0, 300)}`);
  }

  /** What is wrong by now: on the wire, in the console, and in what the page shows. */
  async problems(page: Page): Promise<string[]> {
    await Promise.all(this.reading);
    return [...this.found, ...(await seen(page))];
  }
}

/** What a person would see that nobody may see. */
async function seen(page: Page): Promise<string[]> {
  await until("the page to show something", () => page.evaluate(() => document.body.innerText.trim().length), (n) => n >= 20).catch(() => undefined);
  const { text, crashed } = await page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    // What people and agents wrote themselves may hold any word.
    for (const e of copy.querySelectorAll("script, style, input, textarea, .md, .cm-content, [data-user-text]")) e.remove();
    return { text: copy.textContent ?? "", crashed: document.querySelectorAll("[data-boundary]").length };
  });
  const found: string[] = [];
  if (crashed || brokenPart.test(text)) found.push("a part of the screen stopped working");
  const word = unfinished.exec(text);
  if (word) found.push(`the page shows ${word[0]}: …${text.slice(Math.max(0, word.index - 60), word.index + 60)}…`);
  if (text.trim().length < 20) found.push("the page is empty");
  return found;
}
