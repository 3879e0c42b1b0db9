import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { redraw } from "./seed.ts";

const banner = (app: App) => app.page.getByRole("alert").filter({ hasText: /lost|失われています/ });
const dialog = (app: App) => app.page.getByRole("dialog");

/** Puts a config in the gateway's place that has one agent, and nothing of what the others had. */
const shrink = (app: App) =>
  app.hub.changeConfig((c) => {
    const agents = c.agents as Record<string, unknown>;
    for (const id of Object.keys(agents).slice(1)) delete agents[id];
  });

describe("the guard of a gateway's config", () => {
  test("OC-4 a config that shrank shows on every screen, and is restored", async ({ open }) => {
    const app = await open();
    const before = await app.hub.config();
    const count = Object.keys(before.agents as object).length;
    expect(await banner(app).count()).toBe(0);
    await shrink(app);
    await banner(app)
      .getByText(new RegExp(`lost ${count - 1} of ${count} agents`))
      .waitFor();
    await banner(app).getByRole("button", { name: "Show" }).click();
    await app.page
      .getByRole("button", { name: new RegExp(`^Changed by somebody else.*Lost: ${count - 1} of ${count} agents`) })
      .first()
      .waitFor();
    const wouldChange = app.page.getByRole("region", { name: "What a rollback would change" });
    await wouldChange.getByText("Writer · Writer · echo").waitFor();
    await app.go("settings");
    await banner(app).getByRole("button", { name: "Restore…" }).click();
    await dialog(app)
      .getByRole("button", { name: /^Roll back/ })
      .click();
    await app.page.getByText("Built-in gateway was rolled back to the snapshot.").waitFor();
    await until(
      "the alarm to end",
      () => banner(app).count(),
      (n) => n === 0,
    );
    expect(await app.hub.config()).toEqual(before);
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.any", (t) => ({ ...t, notes: [{ id: "n", text: "A note", x: 0, y: 400 }] }));
    await app.page.getByText("Built-in gateway was rolled back to the snapshot.").waitFor({ state: "detached" });
    expect(app.complaints).toEqual([]);
  });

  test("OC-4 what is gone can be accepted; the alarm stands over a reload until then", async ({ open }) => {
    const app = await open({ language: "ja" });
    await shrink(app);
    await banner(app).waitFor();
    await app.page.reload();
    await app.ready();
    await banner(app).getByRole("button", { name: "このままでよい" }).click();
    await until(
      "the alarm to end",
      () => banner(app).count(),
      (n) => n === 0,
    );
    const now = await app.hub.config();
    expect(Object.keys(now.agents as object)).toHaveLength(1);
    expect(app.complaints).toEqual([]);
  });

  test("OC-4 the desktop shows a loss while nobody looks at the page, and once only", async ({ open }) => {
    const app = await open();
    await app.always(() => {
      const shown: string[] = [];
      const Fake = class {
        static permission = "granted";
        onclick: (() => void) | null = null;
        constructor(title: string, o?: NotificationOptions) {
          shown.push(`${title} | ${o?.body ?? ""}`);
        }
        close() {
          /* nothing to close */
        }
      };
      Object.assign(globalThis, { shown, Notification: Fake });
      document.hasFocus = () => false;
    });
    const shown = () => app.page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    await shrink(app);
    await banner(app).waitFor();
    await until("the notification", shown, (l) => l.length > 0);
    expect(await shown()).toEqual([
      "The config of Built-in gateway shrank | No review here made this change. Open AgentFlow to restore it.",
    ]);
    await app.page.reload();
    await app.ready();
    await banner(app).waitFor();
    expect(await shown()).toEqual([]);
  });

  test("OC-4 an ordinary change raises no alarm", async ({ open }) => {
    const app = await open();
    await app.hub.changeConfig((c) => {
      delete (c.agents as Record<string, unknown>).writer;
    });
    await app
      .button(/^Gateway changed/)
      .first()
      .waitFor();
    expect(await banner(app).count()).toBe(0);
  });
});
