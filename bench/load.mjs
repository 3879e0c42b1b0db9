// Opens pages of a running hub in a browser that is running already, and tells how long each took from the start of its
// navigation. Standard input, a line each: "enter <link>" opens the page once and keeps who it was let in as; "new <address>"
// with nothing cached; "again <address>" with all of it cached; "bare <address>" something that is no program. Standard
// output: "ready", then for each line the milliseconds until it was painted, until a press was answered, and what all of the
// browser's processes worked until it was painted.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [frontend, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(frontend)("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const system = await browser.newBrowserCDPSession();
/** What the processors have worked for all of the browser's processes, in milliseconds. */
const cpu = async () =>
  (await system.send("SystemInfo.getProcessInfo")).processInfo.reduce((sum, p) => sum + 1000 * p.cpuTime, 0);
let storageState;
const inContext = async (work) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState });
  try {
    return await work(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

/** The canvas with its agents is painted; then an agent is pressed, and is chosen. */
async function program(page, address) {
  const before = await cpu();
  await page.goto(address, { waitUntil: "commit" });
  const painted = await page
    .waitForFunction(() => performance.getEntriesByName("agentflow:first-frame")[0]?.startTime, undefined, {
      timeout: 120_000,
    })
    .then((h) => h.jsonValue());
  const worked = (await cpu()) - before;
  const agent = await page.locator(".react-flow__node-agent").first().boundingBox();
  await page.mouse.click(agent.x + agent.width / 2, agent.y + agent.height / 2);
  const answered = await page
    .waitForFunction(() => document.querySelector(".react-flow__node-agent.selected") && performance.now(), undefined, {
      timeout: 120_000,
    })
    .then((h) => h.jsonValue());
  return [painted, answered, worked];
}

const ways = {
  enter: (address) =>
    inContext(async (page, context) => {
      const seen = await program(page, address);
      storageState = await context.storageState();
      return seen;
    }),
  new: (address) => inContext((page) => program(page, address)),
  again: (address) =>
    inContext(async (page) => {
      await program(page, address);
      return program(page, address);
    }),
  bare: (address) =>
    inContext(async (page) => {
      await page.goto(address, { waitUntil: "load" });
      const shown = await page
        .waitForFunction(() => performance.getEntriesByType("navigation")[0]?.loadEventEnd || undefined)
        .then((h) => h.jsonValue());
      return [shown, shown, 0];
    }),
};

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [way, address] = line.split(" ");
  console.log((await ways[way](address)).join(" "));
}
await browser.close();
