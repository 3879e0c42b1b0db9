import { expect, test, until, type App } from "./app.ts";
import { everything, places, type Place } from "./away.ts";
import { again, breakable, breakPart, broken } from "./broken.ts";

type At = ReturnType<App["node"]>;
/** A panel, by a word that nothing but it asks for; what beside it has to stay; and where somebody was writing. */
type PanelOf = [place: string, word: string, beside: (app: App) => At, typed?: boolean];

const canvas = (app: App) => app.page.locator(".react-flow__node").first();
const panels: PanelOf[] = [
  ["canvas", "agents.hide", canvas, true],
  ["review", "choose.all", canvas],
  ["review", "review.text.before", canvas],
  ["history", "history.filter", canvas],
  ["history", "history.openCopy", (app) => app.page.locator(".thumb").first()],
  ["drift", "drift.theirs", canvas],
  ["sessions", "sessions.find", (app) => app.page.locator("article.msg").first()],
  ["sessions", "sessions.write", (app) => app.page.locator("button.lrow").first(), true],
  ["rooms", "rooms.write", (app) => app.page.locator("button.lrow").first(), true],
  ["rooms", "rooms.people", (app) => app.page.locator("article.msg").first()],
  ["tasks", "tasks.copyLink", (app) => app.page.getByPlaceholder("What should be done?"), true],
  ["plan", "plan.tree", (app) => app.page.getByPlaceholder("What should change in the plan?"), true],
  ["inbox", "inbox.keys.move", (app) => app.page.locator(".inbox-code"), true],
  ["inbox", "inbox.onCanvas", (app) => app.page.locator(".rows .lrow").first(), true],
  ["settings", "settings.gateways.what", (app) => app.page.locator("nav [data-section]").first()],
];

test("APP-1 APP-5 on every screen a panel that breaks leaves the others and what was typed, and opens again", async ({
  open,
}) => {
  const app = await open({ ...everything(), breaks: true });
  await app.button("Show the list of agents").click();
  await app.page.locator(".agents-row").first().waitFor();
  await breakable(
    app,
    panels.map(([, word]) => word),
  );
  const at = new Map(places.map((p): [string, Place] => [p.name, p]));
  for (const [name, word, beside, typed] of panels) {
    const { go, there, field } = at.get(name)!;
    await go(app);
    await beside(app).waitFor();
    if (name === "tasks") await there(app).click();
    if (typed) await field!(app).fill(`typed on ${name}`);
    const address = await app.page.evaluate(() => location.hash.slice(2));
    // It breaks when it is rendered again, together with its screen.
    await breakPart(app, word);
    await app.go("teams");
    await app.page.getByRole("article").first().waitFor();
    await app.go(address);
    await broken(app).first().waitFor();
    await beside(app).waitFor();
    expect([name, word, await broken(app).count()]).toEqual([name, word, 1]);
    await breakPart(app, "");
    await again(app).click();
    await until(
      `${name} to be whole again`,
      () => broken(app).count(),
      (n) => n === 0,
    );
    await there(app).waitFor();
    if (typed)
      await until(
        `what was typed on ${name}`,
        () => field!(app).inputValue(),
        (v) => v === `typed on ${name}`,
      );
  }
}, 300_000);
