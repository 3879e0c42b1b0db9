import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

// The headless shell has no browser window, so a test takes a quarter less CPU time.
export const chromiumPath = process.env.AGENTFLOW_CHROMIUM ?? "/usr/bin/chromium-headless-shell";

// Chromium renders its address bar as a separate page, which takes up to half a core even where no window is shown.
// Only the last --disable-features counts, so the features that playwright disables are listed here as well.
const off = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

// One browser for all files of a worker; playwright ends it with the worker.
let browser: Promise<Browser> | undefined;
const launch = () =>
  (browser ??= chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--in-process-gpu", // a tenth less CPU time
      "--force-color-profile=srgb",
      "--font-render-hinting=none",
      `--disable-features=${off.join(",")}`,
    ],
  }));

/** How the browser presents a page. Pages are reused by tests that ask for the same. */
export type Look = BrowserContextOptions &
  Pick<Required<BrowserContextOptions>, "viewport" | "colorScheme" | "reducedMotion">;

/**
 * Pages that tests have finished with. The next test with the same look takes one: its process has compiled the page's
 * code already: 94 s of CPU time instead of 135 s for 21 tests. leavePage clears everything else.
 */
const left: { look: string; page: Page }[] = [];
/** How many pages wait at most; each takes about 100 MB. */
const most = 4;

export async function takePage(look: Look): Promise<Page> {
  const at = left.findLastIndex((l) => l.look === JSON.stringify(look));
  if (at >= 0) return left.splice(at, 1)[0]!.page;
  return newPage(look);
}

/**
 * By how many milliseconds the hub's answers reach the page late, at most. The stream isn't delayed, so that it tells
 * what became of a request before the answer does, as it may on a busy computer. See `make late`.
 */
const late = Number(process.env.AGENTFLOW_LATE ?? 0);

/** A page that no test has used. */
export async function newPage(look: Look): Promise<Page> {
  const context = await (await launch()).newContext(look);
  if (late)
    await context.addInitScript((most) => {
      const now = window.fetch.bind(window);
      window.fetch = async (...asked) => {
        const answer = await now(...asked);
        await new Promise((done) => setTimeout(done, Math.random() * most));
        return answer;
      };
    }, late);
  return context.newPage();
}

const pageEvents = [
  "console",
  "pageerror",
  "request",
  "response",
  "requestfailed",
  "websocket",
  "dialog",
  "popup",
  "download",
  "filechooser",
] as const;
const contextEvents = ["request", "page"] as const;

/** Clears a page's listeners, routes, storage and permissions, and keeps the page for the next test. */
export async function leavePage(page: Page, look: Look, origin: string): Promise<void> {
  const context = page.context();
  await Promise.all([page.unrouteAll({ behavior: "ignoreErrors" }), context.unrouteAll({ behavior: "ignoreErrors" })]);
  for (const event of pageEvents) page.removeAllListeners(event);
  for (const event of contextEvents) context.removeAllListeners(event);
  const others = context.pages().filter((p) => p !== page);
  await Promise.all(others.map((p) => p.close()));
  await context.setOffline(false);
  await context.setExtraHTTPHeaders({});
  // A file of the same site keeps the renderer process with the compiled code. about:blank would end the process.
  await page.goto(`${origin}/favicon.svg`);
  await page.evaluate(() => sessionStorage.clear());
  const cdp = await context.newCDPSession(page);
  await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "cookies,local_storage,indexeddb" });
  await cdp.detach();
  await Promise.all([
    context.clearCookies(),
    context.clearPermissions(),
    page.setViewportSize(look.viewport ?? { width: 1280, height: 800 }),
    page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: look.reducedMotion }),
  ]);
  left.push({ look: JSON.stringify(look), page });
  if (left.length > most) await left.shift()!.page.context().close();
}
