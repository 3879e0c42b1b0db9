import type { Locator } from "playwright-core";
import { until, type App, type Options } from "../app.ts";
import type { Hub } from "../hub.ts";

/** A stop of a scene: how to get there from the one before, and back to it where another size takes it away. */
export type Stop = [name: string, go: (app: App, phone: boolean) => Promise<void>, again?: (app: App) => Promise<void>];

/** A second hub, whose gateway a scene can use. It starts when it is asked for. */
export type Studio = () => Promise<Hub>;

/** A hub prepared for some screens, and the way through them. */
export type Scene = {
  name: string;
  seed: (hub: Hub, ja: boolean, studio: Studio) => Promise<unknown>;
  stops: Stop[];
  options?: Options;
  /** What the browser says of an answer that the scene asks for on purpose. */ expected?: RegExp;
  /** Not on a phone, where the team is read-only. */ wideOnly?: boolean;
};

export const dialog = (app: App) => app.page.getByRole("dialog");
export const menu = (app: App) => app.page.getByRole("menu").first();
/** Closes what lies above the page. */
export const away = async (app: App, what: Locator = dialog(app)) => {
  await app.page.keyboard.press("Escape");
  await what.waitFor({ state: "detached" });
};
export const view = (app: App, name: RegExp) => app.page.getByRole("radio", { name }).click();
export const some = (what: string, at: Locator, least = 1) =>
  until(
    what,
    () => at.count(),
    (n) => n >= least,
  );
export const nodes = (app: App) => some("the team", app.page.locator(".react-flow__node"));
export const text = (app: App) => some("the text", app.page.locator(".textdiff .cm-line"), 4);
export const canvasView = /^(Canvas|キャンバス)$/,
  textView = /^(Text|テキスト)$/;
/** Takes away the inspector where it lies over the canvas. */
export const uncover = async (app: App) => {
  const over = app.page.locator(".panel--over");
  if (await over.count()) {
    await over.getByRole("button", { name: /^(Close|閉じる)$/ }).click();
    await over.waitFor({ state: "detached" });
  }
};
/** Presses something on the canvas; the inspector may come over it until the press arrives. */
export const reach = (app: App, at: Locator, press = (l: Locator) => l.click({ timeout: 2_000 })) =>
  until("it to be in reach", async () => {
    await uncover(app);
    await press(at);
    return true;
  });
/** Goes to a part of the settings; on a phone over their list. */
export async function settingsPart(app: App, name: string): Promise<void> {
  if (await dialog(app).count()) await away(app);
  await app.go("settings");
  const back = app.button(/^(Back to settings|設定に戻る)$/),
    entry = app.page.locator(`main nav.rows [data-section="${name}"]`);
  await back.or(entry).first().waitFor();
  if (await back.isVisible()) await back.click();
  await entry.click();
}
/** The team's menu in the head of the canvas. */
export const teamMenu = async (app: App) => {
  await app.go("canvas");
  await app.button(/teams and actions$|チームの一覧/).click();
  await app.page.locator(".menu [cmdk-input]").waitFor();
};
