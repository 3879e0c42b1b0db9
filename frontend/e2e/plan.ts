import { until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";

export type Op = Record<string, unknown>;
export type Whole = {
  id: string;
  head: number;
  plan: {
    tasks: {
      id: string;
      title: string;
      description: string;
      milestone: string;
      status: string;
      dependencies: string[];
      acceptance_criteria: string[];
    }[];
    node_index: { node_id: string; parent_id: string; children: string[] }[];
    root_node_id: string;
  };
  proposals: { id: string; state: string; request: string }[];
};

export const create = (title: string, more: Op = {}): Op => ({ op: "create", temp_id: `t-${title}`, title, ...more });
export const whole = (hub: Hub, id: string) => hub.ask<Whole>("GET", `/api/plans/${id}`);
export const edit = async (hub: Hub, id: string, operations: Op[]) =>
  hub.ask<Whole>("POST", `/api/plans/${id}/edit`, { version: (await whole(hub, id)).head, operations });
export const tree = (w: Whole) => {
  const title = new Map(w.plan.tasks.map((t) => [t.id, t.title]));
  return w.plan.node_index
    .filter((n) => n.children.length)
    .map((n) => `${title.get(n.node_id) ?? "root"}: ${n.children.map((c) => title.get(c)).join(" ")}`);
};

/** A plan of these tasks, looked at. */
export async function withPlan(app: App, operations: Op[]): Promise<string> {
  const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Shop" });
  if (operations.length) await edit(app.hub, id, operations);
  await app.go(`plan/${id}`);
  await app.page.getByRole("button", { name: "Plan: Shop" }).waitFor();
  return id;
}

export const row = (app: App, title: string) =>
  app.page.getByRole("treeitem").filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
export const card = (app: App, title: string) =>
  app.page.locator(".plan-card").filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
export const titles = (app: App) => app.page.locator(".plan-row .plan-name").allInnerTexts();
export const showing = (app: App, wanted: string[]) =>
  until(
    `the rows ${wanted.join(", ")}`,
    () => titles(app),
    (now) => now.join("|") === wanted.join("|"),
  );
export const lane = (app: App, name: string) => app.page.getByRole("region", { name, exact: true });
export const inLane = (app: App, name: string, title: string) =>
  lane(app, name).locator(".plan-name", { hasText: new RegExp(`^${title}$`) });
/** Presses keys faster than the page paints, as a busy computer delivers them. */
export const inOneFrame = (app: App, ...keys: string[]) =>
  app.page.evaluate(async (all) => {
    for (const key of all) {
      document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      await Promise.resolve().then(() => undefined); // React takes in what a key did before the next task
    }
  }, keys);
export const field = (app: App, name: string) => app.page.getByRole("textbox", { name, exact: true });
/** What the planner answers to have these operations proposed. */
export const patch = (operations: Op[], understanding = "Tidied up.") =>
  JSON.stringify({ type: "plan_patch", version: 1, payload: { understanding, operations } });
