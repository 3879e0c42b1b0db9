import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

// Without the parts of a browser that nobody sees here, a test takes a quarter less of the processor.
export const chromiumPath = process.env.AGENTFLOW_CHROMIUM ?? "/usr/bin/chromium-headless-shell";

// The browser's own address line is a page of its own in every window, though nobody sees it, and takes up to half a core. The
// last list counts, so those that playwright turns off stand here again.
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
      "--force-color-profile=srgb",
      "--font-render-hinting=none",
      `--disable-features=${off.join(",")}`,
    ],
  }));

/** How a browser's page looks to the app; the contexts of a worker are kept by it. */
export type Look = BrowserContextOptions &
  Pick<Required<BrowserContextOptions>, "viewport" | "colorScheme" | "reducedMotion">;

/**
 * Pages that tests have left, by their looks. The next test takes one: the page's code is compiled there already, which
 * saves a third of the processor's time. Nothing else of the test before stays.
 */
const left: { look: string; page: Page }[] = [];
/** A page takes about 100 MB. */
const most = 4;

export async function takePage(look: Look): Promise<Page> {
  const at = left.findLastIndex((l) => l.look === JSON.stringify(look));
  if (at >= 0) return left.splice(at, 1)[0]!.page;
  return (await (await launch()).newContext(look)).newPage();
}

const heardOfPages = [
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
const heardOfContexts = ["request", "page"] as const;

/** Leaves a page for the next test. What the test listened to, routed, stored or was permitted goes. */
export async function leavePage(page: Page, look: Look, origin: string): Promise<void> {
  const context = page.context();
  await Promise.all([page.unrouteAll({ behavior: "ignoreErrors" }), context.unrouteAll({ behavior: "ignoreErrors" })]);
  for (const event of heardOfPages) page.removeAllListeners(event);
  for (const event of heardOfContexts) context.removeAllListeners(event);
  const others = context.pages().filter((p) => p !== page);
  await Promise.all(others.map((p) => p.close()));
  await context.setOffline(false);
  await context.setExtraHTTPHeaders({});
  // A file of the same site: the process that shows it keeps the code, unlike one that shows an empty page.
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
