import type { Page, Request, Response } from "playwright-core";
import { until, type App } from "../app.ts";

/** Texts of a part that stopped working, in both languages. */
const brokenPart = /This part of the screen stopped working|この部分は表示できなくなりました/;

/** Words that no person may read: a value or an i18n key that was never turned into a text. */
const unfinished = /\bundefined\b|\bNaN\b|\[object Object\]|\bInvalid Date\b|\{\{\w+\}\}/;

/** The hub is killed in the test: until it is back, nothing reaches it. */
export const hubAway =
  /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)|^console: WebSocket connection to /;

/** A gateway or model is away in the test, or answers with an error. */
export const gatewayAway = /^50[234] .*"code":"(GATEWAY_ERROR|UNAVAILABLE|TIMEOUT)"/s;

/** Watches a page for what must not happen on any journey, whatever the person does. */
export class Watch {
  private readonly found: string[] = [];
  private readonly reading: Promise<unknown>[] = [];
  private readonly expected: readonly RegExp[];

  private constructor(expected: readonly RegExp[]) {
    this.expected = expected;
  }

  /** Starts watching the app's page. Only what matches one of expected is part of the test: an error answer reads `404 GET /path: body`. */
  static start(app: App, ...expected: RegExp[]): Watch {
    const w = new Watch(expected);
    w.reading.push(app.always(tellOfBoundaries));
    w.listen(app.page);
    return w;
  }

  /** Watches one more page, such as that of a second person. */
  add(page: Page): void {
    // In the page as it is, and in every document that it loads later.
    this.reading.push(
      page.addInitScript(tellOfBoundaries),
      page.evaluate(tellOfBoundaries).catch(() => undefined),
    );
    this.listen(page);
  }

  private listen(page: Page): void {
    // Chromium reports each failed request in the console as well, without its answer: it is read where it arrives.
    page.on("console", (m) => {
      if (m.type() === "error" && !m.text().startsWith("Failed to load resource")) this.note(`console: ${m.text()}`);
    });
    page.on("pageerror", (e) => this.note(`uncaught: ${e.message}`));
    page.on("response", (r) => {
      if (r.status() >= 400) this.reading.push(this.failed(r));
    });
    page.on("requestfailed", (r) => this.unanswered(r));
  }

  private note(what: string): void {
    if (!this.expected.some((e) => e.test(what))) this.found.push(what);
  }

  private async failed(r: Response): Promise<void> {
    const body = await r.text().catch(() => "");
    this.note(`${r.status()} ${r.request().method()} ${new URL(r.url()).pathname}: ${body.slice(0, 300)}`);
  }

  /** A request that the page itself gave up, or left behind on a reload, needs no answer. */
  private unanswered(r: Request): void {
    const why = r.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") this.note(`no answer to ${r.method()} ${new URL(r.url()).pathname}: ${why}`);
  }

  /** What is wrong by now: on the wire, in the console, and in what the page shows. */
  async problems(page: Page): Promise<string[]> {
    await Promise.all(this.reading);
    return [...this.found, ...(await seen(page))];
  }
}

/** Runs in the page: reports every boundary that is drawn, also one that is gone before somebody looks. */
function tellOfBoundaries(): void {
  const seen = (n: Node) => {
    const at = n instanceof Element && (n.matches("[data-boundary]") ? n : n.querySelector("[data-boundary]"));
    if (at) console.error(`a part of the screen stopped working: ${at.textContent}`);
  };
  new MutationObserver((records) => {
    for (const r of records) r.addedNodes.forEach(seen);
  }).observe(document, { childList: true, subtree: true });
}

/** Texts on the page that a person must never see. */
async function seen(page: Page): Promise<string[]> {
  await until(
    "the page to show something",
    () => page.evaluate(() => document.body.innerText.trim().length),
    (n) => n >= 20,
  ).catch(() => undefined);
  const { text, crashed } = await page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    // What people and agents wrote themselves may hold any word.
    for (const e of copy.querySelectorAll("script, style, input, textarea, .md, .cm-content, [data-user-text]"))
      e.remove();
    return { text: copy.textContent ?? "", crashed: document.querySelectorAll("[data-boundary]").length };
  });
  const found: string[] = [];
  if (crashed || brokenPart.test(text)) found.push("a part of the screen stopped working");
  const word = unfinished.exec(text);
  if (word) found.push(`the page shows ${word[0]}: …${text.slice(Math.max(0, word.index - 60), word.index + 60)}…`);
  if (text.trim().length < 20) found.push("the page is empty");
  return found;
}
