import type { App } from "./app.ts";
import type { Hub } from "./hub.ts";
import type { Op } from "./plan.ts";

export type Whole = {
  id: string;
  head: number;
  plan: { tasks: { id: string; title: string; dependencies: string[] }[] };
};

export const whole = (hub: Hub, id: string) => hub.ask<Whole>("GET", `/api/plans/${id}`);

export async function withPlan(app: App, operations: Op[], view: "Graph" | "Timeline"): Promise<string> {
  const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
  await app.hub.ask("POST", `/api/plans/${id}/edit`, { version: 1, operations });
  await app.go(`plan/${id}`);
  await app.page.getByRole("radio", { name: view }).click();
  return id;
}

export const box = (app: App, title: string) =>
  app.page
    .locator(".plan-box-in")
    .filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
