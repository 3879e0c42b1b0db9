import { until, type App } from "../app.ts";
import type { Hub } from "../hub.ts";
import { changes, redraw, seedShop, withAgent } from "../seed.ts";
import { addStudio } from "./changes.ts";
import { away, dialog, menu, nodes, settingsPart, view, type Scene, type Studio } from "./scene.ts";

const inMenu = async (app: App, of: RegExp, item: RegExp) => {
  await app.button(of).last().click();
  await menu(app).getByRole("menuitem", { name: item }).click();
  await dialog(app).waitFor();
};

/** Everything of the database is from 2025: days are as long everywhere. */
async function makeOld(app: App): Promise<void> {
  const headers = { Authorization: `Bearer ${app.hub.token}`, "Content-Type": "application/octet-stream" };
  const saved = Buffer.from(await (await fetch(`${app.hub.url}/api/data/backup`, { headers })).arrayBuffer()).toString(
    "latin1",
  );
  await fetch(`${app.hub.url}/api/data/staged`, {
    method: "POST",
    headers,
    body: Buffer.from(saved.replace(/20(?!25)\d\d-\d\d-\d\d (?=\d\d:\d\d:\d\d)/g, "2025-01-01 "), "latin1"),
  });
  const round = () => app.hub.ask<{ round: string }>("GET", "/api/data").then((d) => d.round),
    before = await round();
  await app.hub.ask("POST", "/api/data/restore");
  await until("the hub to restart", round, (r) => r !== before);
}

async function restoreFile(app: App): Promise<void> {
  const body = Buffer.from(
    await (
      await fetch(`${app.hub.url}/api/data/backup`, { headers: { Authorization: `Bearer ${app.hub.token}` } })
    ).arrayBuffer(),
  );
  const [chooser] = await Promise.all([
    app.page.waitForEvent("filechooser"),
    app.button(/^(Restore a backup…|バックアップから復元…)$/).click(),
  ]);
  await chooser.setFiles({ name: "backup.db", mimeType: "application/octet-stream", buffer: body });
  await dialog(app).getByRole("row").nth(1).waitFor();
}

const seed = async (hub: Hub, ja: boolean, studio: Studio): Promise<void> => {
  const id = await seedShop(hub, ja);
  await addStudio(hub, studio, ja);
  await hub.ask("POST", "/api/providers", { name: "office", kind: "openai", baseUrl: "http://127.0.0.1:9/v1" });
  const old = await hub.ask<{ id: string }>("POST", "/api/teams", { name: ja ? "古い図" : "Old", template: "pair" });
  await hub.ask("DELETE", `/api/teams/${old.id}`);
  await hub.ask("POST", "/api/message", { room: ja ? "会計" : "Checkout", sender: "Mika", message: "1" });
  for (let i = 0; i < 24; i++) await redraw(hub, id, "edit.name", withAgent("docs", { name: `Writer ${i}` }));
};

/** What asks before something cannot be undone. */
const asking: Scene = {
  name: "asking",
  seed,
  expected: /WebSocket|ERR_CONNECTION|status of (401|503)/, // the hub restarts
  stops: [
    [
      "asking-purge",
      async (app) => {
        await app.go("teams");
        await app.page.locator(".seg").first().getByRole("radio").nth(2).click();
        await app.button(/^(Clean up|整理する)$/).click();
        await dialog(app).waitFor();
      },
    ],
    [
      "asking-gateway",
      async (app) => {
        await settingsPart(app, "gateways");
        await inMenu(app, /^More actions for |のその他の操作$/, /^(Remove|削除)$/);
      },
    ],
    [
      "asking-provider",
      async (app) => {
        await settingsPart(app, "models");
        await app.page.getByRole("article", { name: "office" }).waitFor();
        await app.page.getByRole("article", { name: "office" }).locator("button[aria-haspopup=menu]").click();
        await menu(app)
          .getByRole("menuitem", { name: /^(Remove|削除)$/ })
          .click();
        await dialog(app).waitFor();
      },
    ],
    [
      "asking-restore",
      async (app) => {
        await settingsPart(app, "data");
        await restoreFile(app);
      },
    ],
    [
      "asking-room",
      async (app, phone) => {
        await away(app);
        await app.go("rooms");
        if (phone)
          await app.page
            .locator("button.lrow")
            .filter({ hasText: /^(Checkout|会計)/ })
            .click();
        await app.page.locator("article.msg").first().waitFor();
        await inMenu(app, /^(More|その他)$/, /(Delete|削除)/);
      },
    ],
    [
      "asking-clean-up",
      async (app) => {
        await away(app);
        await app.go("canvas");
        await makeOld(app);
        await app.page.reload();
        await app.ready();
        await settingsPart(app, "data");
        await app.page.getByLabel(/^(Keep at least|最低限残す数)/).click();
        await app.page.getByRole("option", { name: /(?<!\d)20(?!\d)/ }).click();
        const go = app.button(/^(Remove for good|完全に削除)$/);
        await until("something to go", () => go.isEnabled());
        await go.click();
        await dialog(app).waitFor();
      },
    ],
  ],
};

/** Going back on the gateway, and forth again. */
const again: Scene = {
  name: "again",
  wideOnly: true,
  seed: async (hub, ja) => {
    const id = await seedShop(hub, ja);
    await changes(hub, id, ja);
    await hub.apply(id);
  },
  stops: [
    [
      "again-redo",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await until(
          "the page to know",
          () => app.button(/^(Undo: Applied|元に戻す: .*適用)/).count(),
          (n) => n > 0,
        );
        await app.undo();
        await dialog(app).getByRole("list").waitFor();
        await dialog(app).locator("footer").getByRole("button").last().click();
        await dialog(app).waitFor({ state: "detached" });
        await until("the redo", () => app.button(/^(Redo: Applied|やり直す: .*適用)/).isEnabled());
        await app.go("canvas");
        // The gateway has gone back once what was applied waits again; before that, a redo is about the draft alone.
        await app.button(/^(Review|変更を確認)/).waitFor();
        await app.page.locator(".canvas-menu").focus();
        // A key right after the dialog's end may be nobody's yet; one that was taken for another redo would never ask.
        await until(
          "the question",
          async () => {
            await app.redo();
            await dialog(app)
              .waitFor({ timeout: 2000 })
              .catch(() => undefined);
            return dialog(app).count();
          },
          (n) => n > 0,
        );
      },
    ],
    [
      "again-roll-back",
      async (app) => {
        await away(app);
        await app.go("history");
        await view(app, /^(Gateway|ゲートウェイ)$/);
        await app.page.locator(".version-row button[data-row]").last().click();
        await app.button(/^(Roll back to this…|ここへロールバック…)$/).click();
        await dialog(app).waitFor();
      },
    ],
  ],
};

export const askingScenes: Scene[] = [asking, again];
