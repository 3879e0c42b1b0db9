import type { App, Options } from "./app.ts";
import { asks, askingEnv, elsewhereAgent, npm } from "./asking.ts";
import type { Hub } from "./hub.ts";
import { changes, seedShop } from "./seed.ts";
import { submit } from "./team.ts";
import { until } from "./until.ts";

/** A hub of which every screen has something to show. */
async function seedEverything(hub: Hub, ja: boolean): Promise<void> {
  const id = await seedShop(hub, ja);
  await elsewhereAgent(hub, "docs");
  await asks(hub, npm());
  await changes(hub, id, ja);
  for (const message of ["1", "2"])
    await hub.ask("POST", "/api/message", { room: "Checkout", sender: "Mika", message });
  const sessionKey = "agent:lead:main";
  await hub.ask("POST", "/api/gateway/chat/send", { sessionKey, message: "Hello", idempotencyKey: "away" });
  await until(
    "the answer",
    () => hub.ask<{ messages: unknown[] }>("POST", "/api/gateway/chat/history", { sessionKey }),
    (h) => h.messages.length === 2,
  );
  await submit(hub, "ls -la", {}, "command_execution");
  const plan = await hub.ask<{ id: string }>("POST", "/api/plans", { name: "Plan" });
  await hub.ask("POST", `/api/plans/${plan.id}/edit`, {
    version: 1,
    operations: [{ op: "create", temp_id: "a", title: "Find it", phase_name: "Build", milestone: "M1" }],
  });
}

/** A hub with something for every screen. */
export const everything = (ja = false): Options => ({ env: askingEnv, seed: (hub) => seedEverything(hub, ja) });

type Part = (app: App) => ReturnType<App["node"]>;
export type Place = {
  name: string;
  go: (app: App) => Promise<void>;
  /** What shows that it is there, with what the hub keeps. */
  there: Part;
  /** Where a person writes. */
  field?: Part;
};

const screen = (name: string, there: Part, field?: Part, then?: (app: App) => Promise<void>): Place => ({
  name,
  there,
  field,
  go: async (app) => {
    await app.go(name);
    await then?.(app);
    await there(app).waitFor();
  },
});
/** Opens the one entry of a list, unless it is open. */
const open = (entry: string, there: Part) => async (app: App) => {
  const row = app.page.locator(entry).first();
  await row.or(there(app)).first().waitFor();
  if (!(await there(app).isVisible())) await row.click();
};
const message: Part = (app) => app.page.locator("article.msg").first(),
  composer: Part = (app) => app.page.locator(".composer textarea").first();
const planRow: Part = (app) => app.page.locator(".plan-row").first(),
  card: Part = (app) => app.page.getByRole("article").first();

/** Every screen there is. */
export const places: readonly Place[] = [
  screen(
    "canvas",
    (app) => app.node("lead"),
    (app) => app.field("Role"),
    async (app) => {
      await app.node("lead").click();
      await app.field("Role").waitFor();
    },
  ),
  screen("review", (app) => app.page.locator("[data-change]").first()),
  screen("history", (app) => app.page.locator(".thumb").first()),
  screen("sessions", message, composer, open("button.lrow", message)),
  screen("rooms", message, composer),
  screen(
    "tasks",
    (app) => app.page.locator("[data-task]").first(),
    (app) => app.page.getByPlaceholder("What should be done?"),
  ),
  screen(
    "plan",
    planRow,
    (app) => app.page.getByPlaceholder("What should change in the plan?"),
    open(".plan-start button.lrow", planRow),
  ),
  screen(
    "inbox",
    (app) => app.page.locator(".inbox-code").first(),
    (app) => app.page.locator(".inbox-view textarea"),
  ),
  screen("teams", card, (app) => app.page.getByPlaceholder("Search by name or gateway")),
  screen("drift", (app) => app.page.locator(".react-flow__node").first()),
  screen("settings", card),
];
