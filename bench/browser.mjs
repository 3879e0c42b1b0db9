// Opens the page in a browser that is already running and tells when it was painted.
// Standard input: one link a line. Standard output: "ready", then for each link the
// moment of the first frame, in milliseconds since 1970.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [frontend, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(frontend)("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
console.log("ready");
for await (const link of createInterface({ input: process.stdin })) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link, { waitUntil: "commit" });
  const first = await page.waitForFunction(
    () => {
      const mark = performance.getEntriesByName("agentflow:first-frame")[0];
      return (
        mark && {
          at: performance.timeOrigin + mark.startTime,
          agents: document.querySelectorAll(".react-flow__node").length,
        }
      );
    },
    undefined,
    { timeout: 120_000 },
  );
  const { at, agents } = await first.jsonValue();
  if (!agents) throw new Error("the first frame shows no agent");
  console.log(String(at));
  await context.close();
}
await browser.close();
