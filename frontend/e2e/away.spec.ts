import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { everything, places } from "./away.ts";

const lost = (app: App) =>
  app.page.getByText("Connection to AgentFlow lost. Your edits are kept and will be saved when it's back.");
/** What the browser itself says of a hub that is not there. */
const expected = /Failed to load resource|WebSocket|ERR_CONNECTION|Unable to preload CSS/;

/** Nobody presses anything: the page finds the hub again. */
async function back(app: App): Promise<void> {
  await app.hub.restart();
  await until(
    "the hub to be found again",
    () => lost(app).count(),
    (n) => n === 0,
    30_000,
  );
}

describe("the hub goes away", () => {
  test("APP-5 with each screen open: the page shows it, keeps the screen and typed text, and reconnects", async ({
    open,
  }) => {
    const app = await open(everything());
    for (const { name, go, there, field } of places) {
      await go(app);
      await app.hub.kill();
      await lost(app).waitFor();
      await app.page.locator("footer.status").getByText("AgentFlow unreachable").first().waitFor();
      expect([name, await there(app).isVisible()]).toEqual([name, true]);
      await field?.(app).fill(`typed on ${name}`);
      await back(app);
      await until(`${name} to be there`, () => there(app).or(app.page.locator("main .empty")).first().isVisible());
      if (field)
        await until(
          `what was typed on ${name}`,
          () => field(app).inputValue(),
          (v) => v === `typed on ${name}`,
        );
      // What was searched for in between would leave the list empty for what comes next.
      if (name === "teams") await field?.(app).fill("");
    }
    await app.go("rooms");
    await app.page.locator(".composer textarea").first().press("Enter");
    await app.page.locator("article.msg").getByText("typed on rooms").waitFor();
    await app.kept("what was typed on the canvas", (d) => d.topology.agents.some((a) => a.role === "typed on canvas"));
    expect(app.complained(expected)).toEqual([]);
  }, 300_000);

  test("APP-5 screens that are opened meanwhile say so, and fill by themselves when it is back", async ({ open }) => {
    const app = await open(everything());
    const loaded = () =>
      app.page.evaluate(
        () =>
          performance
            .getEntriesByType("resource")
            .filter((r) =>
              /(Review|Drift|Library|Inbox|History|Rooms|Sessions|Tasks|Plan|Settings)Screen-[^/]*\.js$/.test(r.name),
            ).length,
      );
    await until("the screens to be fetched", loaded, (n) => n >= 10, 60_000);
    await app.hub.kill();
    await lost(app).waitFor();
    for (const { name } of places) {
      await app.go(name);
      await until(
        `the title of ${name}`,
        () => app.page.title(),
        (v) => v.startsWith("AgentFlow · "),
      );
      await lost(app).waitFor();
      expect([name, await app.page.getByText("This part of the screen stopped working.").count()]).toEqual([name, 0]);
    }
    await back(app);
    for (const { go } of places) await go(app);
    expect(app.complained(expected)).toEqual([]);
  }, 300_000);
});
