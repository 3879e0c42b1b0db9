import { until, type App } from "../app.ts";
import { dropFile } from "../drop.ts";
import { seedShop } from "../seed.ts";
import { away, dialog, teamMenu, menu, type Scene, type Stop } from "./scene.ts";

const shelf = (n: number) => async (app: App) => {
  await app.go("teams");
  await app.page.locator(".seg").first().getByRole("radio").nth(n).click();
  await app.page.getByRole("article").first().waitFor();
};
const fromMenu =
  (item: RegExp): Stop[1] =>
  async (app) => {
    if (await dialog(app).count()) await away(app);
    await teamMenu(app);
    await app.page.getByText(item).click();
    await app.page.locator("[role=dialog].dialog").waitFor();
  };
const team =
  "agentflow: 1\nname: 落とした図\nagents:\n  - id: a\n    name: エー\n    connections: [{targetId: b, type: command}]\n  - id: b\n    zap: 1\n";

/** The library, and the dialogs about teams and files. */
const files: Scene = {
  name: "files",
  expected: /status of 400/, // a file that is refused
  seed: async (hub, ja) => {
    await seedShop(hub, ja);
    await hub.ask("POST", "/api/teams", { name: ja ? "調査" : "Research", template: "research" });
    const { id } = await hub.ask<{ id: string }>("POST", "/api/teams", {
      name: ja ? "古い図" : "Old",
      template: "pair",
    });
    await hub.ask("DELETE", `/api/teams/${id}`);
  },
  stops: [
    ["library", shelf(0)],
    [
      "library-menu",
      async (app, phone) => {
        if (phone) return;
        await app.page.getByRole("article").first().click({ button: "right" });
        await menu(app).waitFor();
      },
    ],
    [
      "library-templates",
      async (app, phone) => {
        if (!phone) await away(app, menu(app));
        await shelf(1)(app);
      },
    ],
    ["library-deleted", shelf(2)],
    ["new-team", fromMenu(/^(New team…|新しいチーム…)$/)],
    ["import", fromMenu(/^(Import from a gateway…|ゲートウェイから取り込む…)$/)],
    [
      "export",
      async (app, phone) => {
        await fromMenu(/^(Export as…|書き出し…)$/)(app, phone);
        await dialog(app)
          .getByText(/Secrets are never written|シークレットは書き出しません/)
          .waitFor();
      },
    ],
    [
      "bundle",
      async (app, phone) => {
        await fromMenu(/^(Pack as a bundle…|バンドルにまとめる…)$/)(app, phone);
        await dialog(app).locator("details summary").click();
      },
    ],
    [
      "picture",
      async (app, phone) => {
        await fromMenu(/^(Save as image…|画像として保存…)$/)(app, phone);
        await until("the picture", () =>
          dialog(app)
            .locator("img")
            .evaluate((i: HTMLImageElement) => i.complete && i.naturalWidth > 0),
        );
      },
    ],
    ["keep-as-template", fromMenu(/^(Save as template…|テンプレートとして保存…)$/)],
    [
      "file-preview",
      async (app) => {
        await away(app);
        await app.go("canvas");
        await dropFile(app, "team.agentflow.yaml", team);
        await dialog(app).locator("li img").waitFor();
      },
    ],
    [
      "file-refused",
      async (app) => {
        await away(app);
        await dropFile(app, "broken.agentflow.yaml", "agentflow: 1\nname: [\n");
        await dialog(app).or(app.page.getByRole("alert")).first().waitFor();
      },
    ],
  ],
};

export const fileScenes: Scene[] = [files];
