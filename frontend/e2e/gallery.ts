import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test, until } from "./app.ts";
import { Hub } from "./hub.ts";
import { scenes } from "./scenes/index.ts";

// Pictures of every screen to look at, in both looks and three sizes, to test-results/gallery. ONLY=merge takes one scene, TEXT=200 a text size.

const folder = fileURLToPath(new URL("../test-results/gallery/", import.meta.url));
mkdirSync(folder, { recursive: true });
const sizes = [
  [1280, 800],
  [1920, 1080],
  [390, 844],
] as const;
const only = process.env.ONLY,
  textSize = Number(process.env.TEXT ?? 100);

for (const scene of scenes)
  for (const ja of [false, true]) {
    if (only && scene.name !== only) continue;
    test(`${scene.name}, ${ja ? "dark, Japanese" : "light, English"}`, async ({ open }) => {
      let studio: Promise<Hub> | undefined;
      try {
        const app = await open({
          language: ja ? "ja" : "en",
          colorScheme: ja ? "dark" : "light",
          ...scene.options,
          seed: async (hub) => {
            await scene.seed(hub, ja, () => (studio ??= Hub.start()));
            await hub.changeSettings({ textSize });
          },
        });
        const shoot = async (name: string, [width, height]: readonly [number, number]) => {
          await app.page.setViewportSize({ width, height });
          await app.page.evaluate(() => document.fonts.ready);
          let last: (string | null)[] = [];
          await until("the view to rest", async () => {
            const before = last;
            last = await app.page
              .locator(".react-flow__viewport")
              .evaluateAll((l) => l.map((e) => e.getAttribute("style")));
            return last.join() === before.join();
          });
          await app.page.screenshot({
            path: `${folder}${name}-${ja ? "ja" : "en"}-${width}.png`,
            animations: "disabled",
            caret: "hide",
          });
        };
        for (const phone of scene.wideOnly ? [false] : [false, true]) {
          await app.page.setViewportSize(phone ? { width: 390, height: 844 } : { width: 1280, height: 800 });
          // As on a device of that size, with nothing chosen yet: a reload keeps what the address names.
          await app.page.goto("about:blank");
          await app.page.goto(app.hub.link);
          for (const [name, go] of scene.stops) {
            await go(app, phone);
            for (const size of sizes) if ((size[0] === 390) === phone) await shoot(name, size);
            if (!phone) await app.page.setViewportSize({ width: 1280, height: 800 });
          }
        }
      } finally {
        await (await studio)?.stop();
      }
    }, 240_000);
  }
