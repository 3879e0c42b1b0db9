// Uses the plan screen with a large plan in a browser without a screen. Standard input: one request a line,
// {"link": opens the page once, "plan": its id}. Standard output: "ready", then an answer a request: {"views": […]} with
// milliseconds, or {"error": text}. The wheel and the keys come from outside, as a person's do.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [frontend, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(frontend)("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const views = [
  { name: "tree", box: ".plan-tree", row: ".plan-row:not(.plan-phase) .plan-name" },
  { name: "board", box: ".plan-cards", row: ".plan-card .plan-name" },
  { name: "timeline", box: ".plan-time-box", row: '.plan-time-row[aria-level="2"] .plan-name' },
];
const steps = 60,
  word = "17";

/** Turns the wheel for a second or so, and tells what a frame took meanwhile. */
async function scroll(page, box) {
  const at = await page.locator(box).first().boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.evaluate(() => {
    const seen = [];
    let on = true;
    const look = (now) => {
      seen.push(now);
      if (on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    globalThis.framesSeen = () => {
      on = false;
      return seen;
    };
  });
  const top = () =>
    page
      .locator(box)
      .first()
      .evaluate((e) => e.scrollTop);
  const before = await top();
  for (let i = 0; i < steps; i++) await page.mouse.wheel(0, 120);
  const gaps = (await page.evaluate(() => globalThis.framesSeen())).map((t, i, all) => t - all[i - 1]).slice(1);
  if ((await top()) <= before) throw new Error(`the wheel did not scroll ${box}`);
  return { frame: gaps.reduce((a, b) => a + b, 0) / gaps.length, worst: Math.max(...gaps) };
}

/** Types the word key by key: each from its event to the first frame in which every row has what was typed. */
async function filter(page, row) {
  const field = page
    .getByRole("searchbox")
    .or(page.getByRole("textbox", { name: "Search the plan" }))
    .first();
  await field.click();
  const keys = [];
  for (const key of word) {
    await page.evaluate((rows) => {
      const typed = document.activeElement;
      globalThis.keyTook = new Promise((done, failed) => {
        addEventListener(
          "keydown",
          (e) => {
            const end = performance.now() + 20_000;
            const look = () => {
              const all = [...document.querySelectorAll(rows)];
              if (typed.value && all.length > 0 && all.every((r) => r.textContent.includes(typed.value))) {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => {
                  port1.close();
                  done(performance.now() - e.timeStamp);
                };
                port2.postMessage(0);
                return;
              }
              if (performance.now() > end) {
                failed(new Error(`the list has still rows without ${typed.value}`));
                return;
              }
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          },
          { once: true, capture: true },
        );
      });
    }, row);
    await page.keyboard.press(key);
    keys.push(await page.evaluate(() => globalThis.keyTook));
  }
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.waitForFunction(
    ([rows, text]) => [...document.querySelectorAll(rows)].some((r) => !r.textContent.includes(text)),
    [row, word],
  );
  return keys;
}

async function answer({ link, plan }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    await page.goto(link, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByName("agentflow:first-frame").length > 0, undefined, {
      timeout: 120_000,
    });
    await page.evaluate((id) => {
      location.hash = `/plan/${id}`;
    }, plan);
    const out = [];
    for (const { name, box, row } of views) {
      await page.getByRole("radio", { name: new RegExp(`^${name}$`, "i") }).click();
      await page.locator(row).first().waitFor();
      out.push({ name, ...(await scroll(page, box)), keys: await filter(page, row) });
    }
    return out;
  } finally {
    await context.close();
  }
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  console.log(
    JSON.stringify(
      await answer(JSON.parse(line)).then(
        (list) => ({ views: list }),
        (e) => ({ error: e.message }),
      ),
    ),
  );
}
await browser.close();
