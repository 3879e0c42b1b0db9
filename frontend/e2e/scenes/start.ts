import type { App } from "../app.ts";
import { dialog, nodes, type Scene } from "./scene.ts";

const next = async (app: App, n: number) => {
  await dialog(app)
    .getByRole("button", { name: /^(Next|次へ)$/ })
    .click();
  await app.page.getByRole("dialog", { name: new RegExp(`${n} (of|/) 6`) }).waitFor();
};

/** The first start: the guide beside the canvas, and the tour over it. */
const start: Scene = {
  name: "start",
  wideOnly: true,
  options: { firstRun: true },
  seed: () => Promise.resolve(),
  stops: [
    [
      "first-run",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await app.button(/^(Show me around|ツアーを開始)$/).waitFor();
      },
    ],
    [
      "tour-1",
      async (app) => {
        await app.button(/^(Show me around|ツアーを開始)$/).click();
        await app.page.getByRole("dialog", { name: /1 (of|\/) 6/ }).waitFor();
      },
    ],
    ...[2, 3, 4, 5, 6].map((n): [string, (app: App) => Promise<void>] => [`tour-${n}`, (app) => next(app, n)]),
    [
      "nothing-chosen",
      async (app) => {
        await dialog(app)
          .getByRole("button", { name: /^(Done|完了)$/ })
          .click();
        await dialog(app).waitFor({ state: "detached" });
      },
    ],
  ],
};

export const startScenes: Scene[] = [start];
