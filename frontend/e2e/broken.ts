import { until, type App } from "./app.ts";

/**
 * Serves the page with parts that throw while `breakPart` names them: where such a part asks for one of its words,
 * the code on its way to the browser is changed. The program itself knows nothing of it.
 */
export async function breakable(app: App, words: readonly string[]): Promise<void> {
  const literal = new RegExp(`(["'\`])(${words.map((w) => w.replace(".", "\\.")).join("|")})\\1`, "g");
  const found = new Set<string>();
  await app.page.route(/\/assets\/.*\.js$/, async (route) => {
    const code = await (await route.fetch()).text();
    const body = code.replace(literal, (all, _, word: string) => {
      found.add(word);
      return `(()=>{if(globalThis.broken===${all})throw new Error("broken for a test");return ${all}})()`;
    });
    await route.fulfill({ body, headers: { "content-type": "text/javascript" } });
  });
  await app.page.reload();
  await app.ready();
  await until(
    "the parts to be there to be broken",
    () => found.size,
    (n) => n === words.length,
  );
}
export const breakPart = (app: App, word: string) =>
  app.page.evaluate((w) => {
    (globalThis as { broken?: string }).broken = w;
  }, word);
export const broken = (app: App | ReturnType<App["page"]["locator"]>) =>
  ("page" in app && "hub" in app ? app.page : app).getByText("This part of the screen stopped working.");
export const again = (app: App) => app.button("Open it again");
