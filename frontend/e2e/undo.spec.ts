import { describe } from "vitest";
import type { Team, Topology } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import type { ConfigAgent } from "./hub.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";
import { redraw, withAgent } from "./seed.ts";

const agents = async (app: App) => (await app.hub.config()).agents as Record<string, ConfigAgent>;
const dialog = (app: App) => app.page.getByRole("dialog");

/** An agent is drawn, another renamed, and both applied. */
async function applied(app: App): Promise<string> {
  const { id } = await app.team();
  await redraw(app.hub, id, "edit.addAgent|Night watch", (t) => ({
    ...t,
    agents: [...t.agents, { id: "watch", name: "Night watch", model: t.agents[0]?.model }],
    layout: { ...t.layout, watch: { x: 700, y: 300 } },
  }));
  await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor" }));
  await app.hub.apply(id);
  await app.kept("the apply", (d) => d.unsent === 0 && !!d.undoApply);
  await app.node("watch").waitFor();
  await until(
    "the page to know",
    () => app.page.getByRole("button", { name: /^Undo: Applied/ }).count(),
    (n) => n === 1,
  );
  return id;
}

describe("undo past an apply", () => {
  test("APP-5 Ctrl+Z shows what going back would do, and undoes it on the gateway; redo leads to the review", async ({
    open,
  }) => {
    const app = await open();
    const before = await app.hub.config();
    await applied(app);
    await app.undo();
    await dialog(app).getByText("Undo the apply on Built-in gateway?").waitFor();
    const list = dialog(app).getByRole("list", { name: "Changes on the gateway" });
    await list
      .getByText(/^Night watch · (Removed|Also removes)/)
      .first()
      .waitFor();
    await list
      .getByText(/Editor.*Name/)
      .first()
      .waitFor();
    expect((await agents(app)).watch?.name).toBe("Night watch");
    // The answer comes after the stream has told the end.
    await app.page.route("**/rollback", async (route) => {
      const response = await route.fetch();
      const { apply } = (await response.json()) as { apply: { id: string } };
      await until(
        "the rollback to end",
        () => app.hub.ask<{ apply: { state: string } }>("GET", `/api/applies/${apply.id}`),
        (a) => a.apply.state === "done",
      );
      // The page shows nothing new yet: a moment for the stream.
      await new Promise((done) => setTimeout(done, 500));
      await route.fulfill({ response });
    });
    await dialog(app).getByRole("button", { name: "Undo and delete 1 agent" }).click();
    await dialog(app).waitFor({ state: "detached" });
    await until(
      "the config as it was",
      () => app.hub.config(),
      (c) => JSON.stringify(c) === JSON.stringify(before),
    );
    await app.page
      .getByText(/^Rolled back/)
      .first()
      .waitFor();
    const d = await app.kept("the team to keep its changes", (x) => x.unsent === 2);
    expect(d.topology.agents.map((a) => a.id)).toContain("watch");

    await until("the redo", () => app.button(/^Redo: Applied/).isEnabled());
    await app.redo();
    await dialog(app).getByText("Apply to Built-in gateway again?").waitFor();
    await dialog(app).getByRole("button", { name: "Review and apply" }).click();
    await app.button(/^Apply 2 changes/).click();
    await until(
      "it to be there again",
      () => agents(app),
      (a) => a.watch?.name === "Night watch" && a.writer?.name === "Editor",
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-5 the notice of an apply goes once the apply is undone: its outcome takes the place", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor" }));
    await app.kept("the name", (d) => d.unsent === 1);
    await app.button("Review Ctrl+Enter").click();
    const apply = app.button(/^Apply 1 change/);
    await until("the apply to be offered", () => apply.isEnabled());
    // The person is back at the canvas before the apply ends, so that its end is a notice.
    let release = () => undefined as void;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await app.page.route("**/apply", async (route) => {
      const answer = await route.fetch();
      await held;
      await route.fulfill({ response: answer });
    });
    await apply.click();
    await app.page.keyboard.press("Escape");
    await app.node("writer").waitFor();
    release();
    const notices = app.page.locator(".toast");
    await notices.filter({ hasText: "Applied 1 change" }).waitFor();
    await until(
      "the page to know",
      () => app.page.getByRole("button", { name: /^Undo: Applied/ }).count(),
      (n) => n === 1,
    );
    await app.undo();
    await dialog(app).getByRole("button", { name: "Undo apply", exact: true }).click();
    await notices.filter({ hasText: /^Rolled back/ }).waitFor();
    await until(
      "the notice of the apply to be gone",
      () => notices.count(),
      (n) => n === 1,
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-5 an agent that going back would restore is shown by its name", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.removeAgent|Writer", (t) => ({
      ...t,
      agents: t.agents
        .filter((a) => a.id !== "writer")
        .map((a) => ({ ...a, connections: a.connections?.filter((c) => c.targetId !== "writer") })),
    }));
    await app.hub.apply(id);
    await app.kept("the apply", (d) => d.unsent === 0 && !!d.undoApply);
    await until(
      "the page to know",
      () => app.page.getByRole("button", { name: /^Undo: Applied/ }).count(),
      (n) => n === 1,
    );
    await app.undo();
    const list = dialog(app).getByRole("list", { name: "Changes on the gateway" });
    await list.getByText("Lead → Writer").first().waitFor();
    expect((await list.innerText()).match(/writer/g) ?? []).toEqual([]);
  });

  test("APP-5 only in the team: the gateway stays, what differs is not applied, and redo is quiet", async ({
    open,
  }) => {
    const app = await open();
    const id = await applied(app);
    const { head } = await app.hub.team(id);
    await app.undo();
    await dialog(app).getByRole("button", { name: "Undo in the draft" }).click();
    const back = await app.kept("the step before", (d) => d.head !== head);
    expect((await agents(app)).watch?.name).toBe("Night watch");
    expect(back.canRedo).toBe(true);
    expect(back.redoApply).toBeUndefined();
    await until("the redo", () => app.button(/^Redo/).isEnabled());
    await app.redo();
    await app.kept("the applied step again", (d) => d.head === head && d.unsent === 0);
    expect(await dialog(app).count()).toBe(0);
  });

  test("APP-5 an edit after the apply is undone without a question", async ({ open }) => {
    const app = await open();
    await applied(app);
    await app.node("lead").click();
    await app.field("Name").fill("Captain");
    await app.kept("the name", (d) => d.unsent === 1);
    const empty = await app.emptyPlace();
    await app.page.mouse.click(empty.x, empty.y);
    await app.undo();
    await app.kept(
      "the name as before",
      (d) => d.unsent === 0 && d.topology.agents.find((a) => a.id === "lead")?.name === "Lead",
    );
    expect(await dialog(app).count()).toBe(0);
    await until(
      "the page to know",
      () => app.button(/^Undo: Applied/).count(),
      (n) => n === 1,
    );
    await app.undo();
    await dialog(app).waitFor();
    await app.page.keyboard.press("Escape");
    await dialog(app).waitFor({ state: "detached" });
    expect((await agents(app)).watch?.name).toBe("Night watch");
  });
});

/** The hub gets the agent bad9 where no team can have one, and refuses it. */
async function sendsFarAway(app: App): Promise<void> {
  await app.page.route("**/api/teams/*", async (route) => {
    const r = route.request();
    const body = r.method() === "PUT" ? (r.postDataJSON() as { topology: Topology }) : undefined;
    if (body?.topology.layout?.bad9) body.topology.layout.bad9.x = 20_000_000;
    await (body ? route.continue({ postData: JSON.stringify(body) }) : route.fallback());
  });
}

async function pasteAgent(app: App, id: string, name: string): Promise<void> {
  const clip = { agentflow: "clip", version: 1, agents: [{ id, name }] };
  await app.page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(clip));
  await app.page.keyboard.press("Control+v");
  await app.node(id).waitFor();
}

describe("an edit that the hub refuses", () => {
  test("APP-1 later edits are saved without it, Ctrl+Z or the review undoes it alone, and undo and redo work", async ({
    open,
  }) => {
    const app = await open();
    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await sendsFarAway(app);
    const at = await app.emptyPlace(),
      has = (d: Team, id: string) => d.topology.agents.some((a) => a.id === id),
      refused = app.page.getByText("Couldn't save your last edit.");
    await app.page.mouse.click(at.x, at.y);
    await pasteAgent(app, "bad9", "Bad9");
    await refused.waitFor();
    await app.undo();
    await refused.waitFor({ state: "detached" });
    await app.node("bad9").waitFor({ state: "detached" });

    await pasteAgent(app, "bad9", "Bad9");
    await refused.waitFor();
    await pasteAgent(app, "good9", "Good9");
    await app.kept("the later edit", (d) => has(d, "good9") && !has(d, "bad9"));
    await app.node("bad9").waitFor();

    await app.page.keyboard.press("Control+Enter");
    const review = app.page.getByRole("alert").filter({ hasText: "AgentFlow rejected your last edit" });
    await review.getByText("layout.bad9 is 2e+07").waitFor();
    expect(await app.page.getByText("gateway couldn't answer").count()).toBe(0);
    await review.getByRole("button", { name: "Undo the edit" }).click();
    await app.page.getByText("Good9").first().waitFor();
    await app.button(/^Apply 1 change/).waitFor();

    await app.page.keyboard.press("Escape");
    await app.node("good9").waitFor();
    expect([await app.node("bad9").count(), await refused.count()]).toEqual([0, 0]);
    await app.undo();
    await app.kept("the later edit undone", (d) => !has(d, "good9"));
    await until("the redo", () => app.button(/^Redo/).isEnabled());
    await app.redo();
    await app.kept("the later edit again", (d) => has(d, "good9") && !has(d, "bad9"));
  });

  test("APP-1 Undo the edit says which later edits can't be made without it", async ({ open }) => {
    const app = await open();
    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await sendsFarAway(app);
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    await pasteAgent(app, "bad9", "Bad9");
    await app.page.getByText("Couldn't save your last edit.").waitFor();
    await app.field("Name").fill("Worse9");
    await app.node("bad9").getByText("Worse9").waitFor();
    await app.button("Undo the edit").click();
    await app.page.locator(".toast").filter({ hasText: "Couldn't keep 1 later edit" }).getByText("Worse9").waitFor();
    await app.node("bad9").waitFor({ state: "detached" });
    expect(await app.page.getByText("Couldn't save your last edit.").count()).toBe(0);
  });
});

describe("two windows on one team", () => {
  test("APP-5 the later save wins, and the other window shows it and offers the way back", async ({ open }) => {
    const app = await open();
    await app.complete();
    const d = await app.team();
    await app.node("writer").click();
    await app.field("Name").fill("Earlier");
    await app.kept("the first save", (x) => x.topology.agents.some((a) => a.name === "Earlier"));
    // Another window that has not seen it yet saves its own.
    await app.hub.ask("PUT", `/api/teams/${d.id}`, {
      topology: withAgent("writer", { name: "Later" })(d.topology),
      head: d.head,
      label: "edit.name|Later",
    });
    const said = app.page
      .getByRole("status")
      .filter({ hasText: "was also changed in another window. Yours: Earlier. Theirs (current): Later" });
    await said.waitFor();
    expect((await app.team()).topology.agents.find((a) => a.id === "writer")?.name).toBe("Later");
    await said.getByRole("button", { name: "Use mine" }).click();
    await app.kept("mine again", (x) => x.topology.agents.some((a) => a.name === "Earlier"));
    const { versions } = await app.hub.ask<{ versions: { id: string }[] }>("GET", `/api/teams/${d.id}/versions`);
    const names = await Promise.all(
      versions.map((v) =>
        app.hub
          .ask<{ topology: { agents: { id: string; name?: string }[] } }>("GET", `/api/teams/${d.id}/versions/${v.id}`)
          .then((r) => r.topology.agents.find((a) => a.id === "writer")?.name),
      ),
    );
    expect(names).toEqual(expect.arrayContaining(["Earlier", "Later"]));
    await app.page.reload();
    await app.ready();
    expect(await app.page.getByText("was also changed in another window").count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a step that this page has seen is taken back at once, before the hub answers, and brought again where the hub cannot", async ({
    open,
  }) => {
    const app = await open();
    const at = () => app.node("writer").evaluate((e) => (e as HTMLElement).style.transform),
      was = await at();
    const from = await app.middle(app.node("writer"));
    await app.drag(from, { x: from.x + 80, y: from.y + 48 });
    await app.kept("the move", (d) => d.changes.length > 0);
    await until("the page to know", () => app.button(/^Undo/).isEnabled());
    const moved = await at();
    expect(moved).not.toBe(was);

    let answer = (): void => undefined,
      asked = 0;
    await app.page.route("**/undo", async (route) => {
      asked++;
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.abort();
    });
    await app.undo();
    await until("the agent to be back", at, (v) => v === was);
    await until(
      "the hub to be asked",
      () => asked,
      (n) => n === 1,
    );
    answer();
    await until("the agent to be where it still is", at, (v) => v === moved);
    await app.page.unroute("**/undo");
    await app.undo();
    await app.kept("nothing moved", (d) => d.changes.length === 0);
    await until("the agent to be back for good", at, (v) => v === was);
  });
});

describe("a hub that is killed during a rollback", () => {
  test("APP-3 the rollback is shown as interrupted after the restart, and can be done again", async ({ open }) => {
    const gateway = await FakeGateway.start({ entries: { main: { name: "Main" }, writer: { name: "Writer" } } });
    try {
      const app = await open();
      const id = await gateway.join(app.hub);
      await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor" }));
      await app.openTeam(id);
      await app.button("Review Ctrl+Enter").click();
      await app.button(/^Apply 1 change/).click();
      await app.button("Undo apply").waitFor();
      gateway.silent.add("config.apply");
      await app.button("Undo apply").click();
      await until(
        "the gateway to hear of it",
        () => gateway.unanswered,
        (n) => n === 1,
      );
      await app.hub.kill();
      gateway.silent.clear();
      await app.hub.restart();

      await app.page.getByText("The rollback was interrupted").waitFor({ timeout: 40_000 });
      await app.page.getByText("1 change is missing on the gateway.").waitFor({ timeout: 40_000 });
      expect(await app.button(/^Apply 1 change/).count()).toBe(0);
      expect(await violations(app)).toEqual([]);
      expect(gateway.config.agents.entries.writer?.name).toBe("Editor");

      await app.go("history/gateway");
      await app.page.getByText("AgentFlow ended during the rollback").first().waitFor();
      await app.go("review");
      await app.button("Roll back again").click();
      await dialog(app).getByText("Roll back studio again?").waitFor();
      expect(
        await dialog(app)
          .getByRole("button", { name: /draft|team/ })
          .count(),
      ).toBe(0); // it's about no edit
      await dialog(app).getByRole("button", { name: "Roll back", exact: true }).click();
      await until(
        "the gateway to be back",
        () => gateway.config.agents.entries.writer?.name,
        (n) => n === "Writer",
      );
    } finally {
      await gateway.stop();
    }
  });
});
