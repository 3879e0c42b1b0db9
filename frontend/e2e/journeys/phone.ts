import type { Page } from "playwright-core";
import type { App } from "../app.ts";

/** A second browser of the owner, signed in by its own link. */
export async function phone(app: App, hash: string): Promise<Page> {
  const context = await app.context.browser()!.newContext({ locale: "ja-JP", viewport: { width: 390, height: 844 } });
  const page = await context.newPage(),
    { path } = await app.hub.ask<{ path: string }>("POST", "/api/links", {});
  await page.goto(`${app.hub.url}${path}`);
  await page.getByRole("navigation").first().waitFor();
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  return page;
}
