// A browser with one page, for a test in another language: lines of JSON come in, one line of JSON goes out for each.
// {"open": url} · {"run": function body, "args": []} · {"press": name of a tab}
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { chromium } = createRequire(new URL("../../../frontend/package.json", import.meta.url))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.AGENTFLOW_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await (await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } })).newPage();
page.setDefaultTimeout(120_000);

const does = {
  open: async (url) => {
    await page.goto(url);
  },
  run: (body, args) => page.evaluate(([b, a]) => new Function(b)(...a), [body, args]),
  press: (name) => page.getByRole("tab", { name, exact: true }).click(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { args = [], ...asked } = JSON.parse(line);
  const [[what, value]] = Object.entries(asked);
  try {
    process.stdout.write(`${JSON.stringify({ value: (await does[what](value, args)) ?? null })}\n`);
  } catch (e) {
    process.stdout.write(`${JSON.stringify({ error: String(e) })}\n`);
  }
}
await browser.close();
