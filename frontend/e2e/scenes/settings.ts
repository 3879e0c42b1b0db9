import { type App } from "../app.ts";
import { seedShop } from "../seed.ts";
import { addStudio } from "./changes.ts";
import { dialog, settingsPart, type Scene, type Stop } from "./scene.ts";

/** A part of the settings, and what shows that it is there. */
const part = (name: string, there: (app: App) => Promise<void>): Stop[1] => async (app) => { await settingsPart(app, name); await there(app); };
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
    ["settings-gateways", part("gateways", article)],
    ["settings-gateway-new", async (app) => { await app.button(/^(Add gateway|ゲートウェイを追加)$/).click(); await dialog(app).waitFor(); }],
    ["settings-gateway-wrong", async (app) => { await dialog(app).getByRole("textbox").nth(1).fill("http://nowhere"); await dialog(app).getByRole("button").last().click(); await dialog(app).locator("[aria-invalid=true]").first().waitFor(); }],
    ["settings-models", part("models", article)],
    ["settings-model-new", async (app) => { await app.button(/^(Add provider|接続先を追加)$/).click(); await dialog(app).waitFor(); }],
    ["settings-calls", part("calls", async (app) => { await app.page.getByRole("switch").waitFor(); await app.page.locator("main .empty, [data-call]").first().waitFor(); })],
    ["settings-look", part("look", heading)],
    ["settings-keys", part("keys", async (app) => { await app.page.locator("main dt").first().waitFor(); })],
    ["settings-data", part("data", async (app) => { await app.page.getByRole("row").nth(1).waitFor(); })],
    ["settings-about", part("about", heading)],
    ["settings-licences", part("licences", async (app) => { await app.page.getByText("github.com/wailsapp/wails/v2", { exact: true }).waitFor(); })],
    ["settings-licence", async (app) => { await app.page.getByText("Go", { exact: true }).click(); await app.page.getByLabel("Go", { exact: true }).waitFor(); }],
  ],
};

export const settingsScenes: Scene[] = [settings];
