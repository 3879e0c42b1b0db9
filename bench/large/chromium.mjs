// A headless browser that runs requests. Standard input: one request per line, {"open": address}
// or {"run": an expression that can use drive.js}. Standard output: "ready", then one answer per
// request: {"value": …} or {"error": text}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [frontend, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(frontend)("playwright-core");
const hands = readFileSync(new URL("drive.js", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
let context, page;

async function answer({ open, run }) {
  if (open === undefined) return page.evaluate(run);
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  await context.addInitScript(hands);
  page = await context.newPage();
  page.on("pageerror", (e) => console.error(e.message));
  await page.goto(open, { waitUntil: "commit" });
  return null;
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  console.log(
    JSON.stringify(
      await answer(JSON.parse(line)).then(
        (value) => ({ value: value ?? null }),
        (e) => ({ error: e.message }),
      ),
    ),
  );
}
await browser.close();
