import type { App } from "./app.ts";
import type { Hub } from "./hub.ts";

export type Stored = { id: number; sender: string; message: string; clientMessageId?: string };

export const post = (hub: Hub, room: string, sender: string, message: string, more: object = {}) =>
  hub.ask<Stored>("POST", "/api/message", { room, sender, message, ...more });
export const stored = (hub: Hub, room: string) =>
  hub
    .ask<{ messages: Stored[] }>("GET", `/api/messages?room=${encodeURIComponent(room)}&limit=500`)
    .then((r) => r.messages);
export const field = (app: App) => app.page.locator(".composer textarea");
export const said = (app: App) => app.page.locator("article.msg[data-message]");
export const list = (app: App) => app.page.getByRole("log");
export const texts = (app: App) => app.page.locator("article.msg .md").allInnerTexts();
export const desk = (hub: Hub) =>
  hub
    .ask<{ places: { conversation: string; read?: string; draft?: string }[] }>("GET", "/api/desk")
    .then((d) => d.places);

export async function openRoom(app: App, room: string): Promise<void> {
  await app.go(`rooms/${encodeURIComponent(room)}`);
  await field(app).waitFor();
}
