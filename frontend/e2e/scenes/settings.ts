import { type App } from "../app.ts";
import { seedShop } from "../seed.ts";
import { addStudio } from "./changes.ts";
import { away, dialog, type Scene, type Stop } from "./scene.ts";

/** A part of the settings, by its place in their list. */
const part = (n: number, there: (app: App) => Promise<void>): Stop[1] => async (app, phone) => {
  if (await dialog(app).count()) await away(app);
  await app.go("settings");
  const back = app.button(/^(Back to the settings|設定に戻る)$/), list = app.page.locator("main nav.rows button");
  if (phone && (await back.isVisible())) await back.click();
  await list.nth(n).click();
  await there(app);
};
const heading = (app: App) => app.page.getByRole("heading", { level: 1 }).last().waitFor();
const article = (app: App) => app.page.getByRole("article").first().waitFor();

const settings: Scene = {
  name: "settings",
  seed: async (hub, ja, studio) => {
    await seedShop(hub, ja);
    await addStudio(hub, studio, ja);
    await hub.ask("POST", "/api/gateways", { name: ja ? "事務所" : "Office", url: "ws://127.0.0.1:9/gateway", token: "wrong", color: 4 });
  },
  stops: [
    ["settings-gateways", part(0, article)],
    ["settings-gateway-new", async (app) => { await app.button(/^(Add gateway|ゲートウェイを追加)$/).click(); await dialog(app).waitFor(); }],
    ["settings-gateway-wrong", async (app) => { await dialog(app).getByRole("textbox").nth(1).fill("http://nowhere"); await dialog(app).getByRole("button").last().click(); await dialog(app).locator("[aria-invalid=true]").first().waitFor(); }],
    ["settings-models", part(1, article)],
    ["settings-model-new", async (app) => { await app.button(/^(Add provider|接続先を追加)$/).click(); await dialog(app).waitFor(); }],
    ["settings-look", part(2, heading)],
    ["settings-keys", part(3, async (app) => { await app.page.locator("main dt").first().waitFor(); })],
    ["settings-data", part(4, async (app) => { await app.page.getByRole("row").nth(1).waitFor(); })],
    ["settings-about", part(5, heading)],
    ["settings-licences", part(6, async (app) => { await app.page.getByText("github.com/wailsapp/wails/v2", { exact: true }).waitFor(); })],
    ["settings-licence", async (app) => { await app.page.getByText("Go", { exact: true }).click(); await app.page.getByLabel("Go", { exact: true }).waitFor(); }],
  ],
};

export const settingsScenes: Scene[] = [settings];
