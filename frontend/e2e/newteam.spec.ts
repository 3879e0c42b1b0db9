import { describe } from "vitest";
import { again, breakable, breakPart, broken } from "./broken.ts";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { statusOf, submit } from "./team.ts";

/** Makes a team as a person does: from the palette, by its card. */
async function newTeam(app: App, card: string | RegExp): Promise<void> {
  await app.run("New team");
  await app.page.getByRole("dialog").getByRole("button", { name: card }).first().click();
  await app.page.getByRole("dialog").waitFor({ state: "detached" });
}

describe("what is pressed while a new team is made", () => {
  test("APP-1 reaches no team below the dialog", async ({ open }) => {
    const app = await open(),
      { page } = app;
    await app.node("writer").click();
    const before = await app.team();
    let letGo = () => {};
    const held = new Promise<void>((done) => (letGo = done));
    await page.route("**/api/teams", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await app.run("New team");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Empty/ })
      .first()
      .click();
    for (const key of ["Delete", "a", "n", "Control+d"]) await page.keyboard.press(key);
    letGo();
    await page.getByText("This team is empty").waitFor();
    const after = await app.hub.team(before.id);
    expect(after.topology).toEqual(before.topology);
  });
});

describe("a team that is chosen from the menu", () => {
  test("APP-1 takes the keys of the canvas at once", async ({ open }) => {
    const app = await open();
    const { name } = await app.team();
    const other = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Quarterly",
      topology: { name: "Quarterly", agents: [{ id: "editor", name: "Editor", model: "demo/echo" }] },
    });
    await app.button(`${name}: teams and actions`).click();
    await app.page.getByRole("option", { name: /^Quarterly/ }).click();
    await app.node("editor").waitFor();
    await app.page.keyboard.press("a");
    await until(
      "a second agent",
      () => app.hub.team(other.id),
      (d) => d.topology.agents.length === 2,
    );
  });
});

describe("an offer to undo", () => {
  test("APP-1 ends once its step is undone", async ({ open }) => {
    const app = await open(),
      { page } = app;
    await app.node("writer").click();
    await page.keyboard.press("Delete");
    const offer = page.getByRole("status").filter({ hasText: "1 item deleted" });
    await offer.getByRole("button", { name: "Undo" }).waitFor();
    await app.kept("the agent to be gone", (d) => !d.topology.agents.some((a) => a.id === "writer"));
    await page.keyboard.press("Control+z");
    await app.node("writer").waitFor();
    await offer.waitFor({ state: "detached" });
  });
});

describe("a new team is reviewed", () => {
  test("a new team for a gateway that holds a team is reviewed whole, and nothing in it breaks", async ({ open }) => {
    const app = await open();
    await newTeam(app, /^Pair/);
    await app.page.locator(".react-flow__node-agent").first().waitFor();
    const changes = app.page.getByRole("region", { name: "Unapplied changes" });
    await changes.getByRole("button", { name: "Review" }).waitFor();
    expect(await changes.getByRole("button", { name: "Discard" }).count()).toBe(0); // its gateway never had it
    await app.page.keyboard.press("Control+Enter");
    await app.button(/^Apply/).waitFor();
    await app.page.getByRole("region", { name: "Connections" }).or(broken(app)).first().waitFor();
    expect(await broken(app).count()).toBe(0);
  });

  test("APP-3 CO-3 an empty team of three agents replaces the example, and gets a task", async ({ open }) => {
    const app = await open(),
      { page } = app,
      { keyboard } = page;
    await newTeam(app, /^Empty/);
    await page.getByText("This team is empty").waitFor();
    await page.locator(".react-flow__pane").click();
    for (const name of ["Chief", "Cook", "Clerk"]) {
      await keyboard.press("a");
      await keyboard.type(name);
      await keyboard.press("Enter");
    }
    const three = await app.kept("three agents", (d) => d.topology.agents.at(2)?.name === "Clerk");
    const [chief, cook, clerk] = three.topology.agents.map((a) => a.id);
    await app.button(/^Fit/).first().click();
    await app.ready();
    for (const to of [cook!, clerk!]) {
      await keyboard.press("Escape");
      await app.node(chief!).click();
      await keyboard.press("c");
      await app.node(to).click();
      await keyboard.press("1");
      await app.kept("the connection", (d) => !!d.topology.agents[0]?.connections?.some((c) => c.targetId === to));
    }

    // The example is nobody's work, so it's replaced unless the person keeps it.
    await keyboard.press("Control+Enter");
    const choice = page.getByRole("radiogroup", { name: "Agents of the gateway" }),
      keep = choice.getByRole("radio", { name: "Keep its agents" }),
      swap = choice.getByRole("radio", { name: "Replace its team" }),
      deletions = page.getByRole("region", { name: "Deletes 5 agents" }),
      apply = app.button(/^Apply \d+ change/);
    await deletions.waitFor();
    expect(await swap.isChecked()).toBe(true);
    await choice.getByText("5 agents that aren't in your team are deleted.").waitFor();
    await page.getByText("Confirm the deletion first.").waitFor();
    expect(await apply.isDisabled()).toBe(true);
    expect(await violations(app)).toEqual([]);

    // The list follows the choice, made by keyboard.
    const press = async (key: string, from: typeof keep, to: typeof keep) => {
      await from.focus();
      await keyboard.down(key);
      await until("the other choice", () => to.isChecked());
      await keyboard.up(key);
    };
    await press("ArrowUp", swap, keep);
    await deletions.waitFor({ state: "detached" });
    await choice.getByText("5 agents join your team of 3. No agent is deleted.").waitFor();
    await page.getByText("Chief, Cook, Clerk get none until you add Delegate connections.").waitFor();
    await until("the apply to be offered", () => apply.isEnabled());
    await page.reload();
    await page.getByText("Chief, Cook, Clerk get none").waitFor(); // what was chosen stays chosen
    expect(await violations(app)).toEqual([]);
    await press("ArrowDown", keep, swap);
    await deletions.waitFor();
    expect(Object.keys((await app.hub.config()).agents as object)).toHaveLength(5);

    // In view although the list above it is longer than the panel.
    const agree = deletions.getByRole("checkbox", { name: "Delete these 5 agents" });
    await until("the question to be in view", () =>
      agree.evaluate((e) => {
        const at = e.getBoundingClientRect();
        return e.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2));
      }),
    );
    await agree.click();
    await until("the apply to be offered", () => apply.isEnabled());
    await apply.click();
    await page
      .getByText(/^Applied \d+ change/)
      .first()
      .waitFor();
    expect(Object.keys((await app.hub.config()).agents as object).sort()).toEqual([chief, cook, clerk].sort());
    expect(await page.getByText("This gateway runs only the example team.").count()).toBe(0); // it no longer does
    const team = await app.team();
    expect(team.topology.agents.map((a) => a.name)).toEqual(["Chief", "Cook", "Clerk"]);
    expect(team.unsent).toBe(0);

    // The teams say which of them the gateway runs, and so does the review of another one.
    await app.go("teams");
    const live = page.locator(".badge", { hasText: /^Running$/ });
    await live.waitFor();
    expect(await live.count()).toBe(1);
    const other = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Other",
      topology: { name: "Other", agents: [{ id: "one", name: "One" }] },
    });
    await app.openTeam(other.id);
    await app.go("review");
    await page.getByText(`This gateway runs the team ${team.name}.`).waitFor();
    await app.openTeam(team.id);

    const { taskId, status } = await submit(app.hub, "Cook one egg", { agent: cook! });
    expect(status).toBe("accepted");
    await until(
      "the task to be done",
      () => statusOf(app, taskId),
      (s) => s.status === "completed",
    );
  });

  test("APP-3 a team that another one replaced keeps its agents, and takes its place again", async ({ open }) => {
    const app = await open(),
      { page } = app;
    const mine = await app.team();
    const other = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Quarterly",
      topology: { name: "Quarterly", agents: [{ id: "editor", name: "Editor", model: "demo/echo" }] },
    });
    const choice = page.getByRole("radiogroup", { name: "Agents of the gateway" }),
      swap = choice.getByRole("radio", { name: "Replace its team" });
    const replace = async (agents: number) => {
      await swap.click();
      await page.getByRole("checkbox", { name: /^Delete (th|Ed)/ }).click();
      await app.button(/^Apply \d+ change/).click();
      await page
        .getByText(/^Applied \d+ change/)
        .first()
        .waitFor();
      expect(Object.keys((await app.hub.config()).agents as object)).toHaveLength(agents);
    };
    await app.openTeam(other.id);
    await app.go("review");
    await replace(1);

    await app.openTeam(mine.id);
    await app.go("canvas");
    const bar = page.getByRole("region", { name: "Unapplied changes" });
    await bar.getByRole("button", { name: "Review" }).waitFor(); // also of a team that has no changes
    await bar.getByRole("button", { name: "Another team runs on this gateway" }).click();
    await page.getByText("Quarterly was applied to this gateway after this team.").waitFor();
    expect(await violations(app)).toEqual([]);
    await app.button("Choose in the review…").click();
    await page.getByText("This gateway runs the team Quarterly.").waitFor();
    await choice.getByText("1 agent joins your team of 5. No agent is deleted.").waitFor();
    expect(await page.getByText("The gateway changed while you were editing.").count()).toBe(0);
    await replace(5);
    expect((await app.team()).topology.agents.map((a) => a.id)).toEqual(mine.topology.agents.map((a) => a.id));

    // The apply of the other team isn't undone unseen: this one's would be undone with it.
    await app.openTeam(other.id);
    await app.go("canvas");
    await app.node("editor").waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("dialog").getByText(`${mine.name} was applied to`, { exact: false }).waitFor();
    expect(await violations(app)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(Object.keys((await app.hub.config()).agents as object)).toHaveLength(5);
  });

  test("APP-3 an example that was kept once is kept again after Undo apply", async ({ open }) => {
    const app = await open();
    const mine = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Mine",
      topology: {
        agents: ["cook", "clerk"].map((id) => ({ id, name: id, model: "demo/echo" })),
      },
    });
    await app.openTeam(mine.id);
    await app.go("review");
    const keep = app.page.getByRole("radio", { name: "Keep its agents" });
    await keep.click();
    await app.page.getByText("5 agents join your team of 2. No agent is deleted.").waitFor();
    const apply = app.button(/^Apply \d+ change/);
    await until("the apply to be offered", () => apply.isEnabled());
    await apply.click();
    const applied = app.page.getByText(/^Applied \d+ change/).first();
    await applied.waitFor();
    await until(
      "the team to have the example's agents",
      () => app.hub.team(mine.id),
      (d) => d.topology.agents.length === 7,
    );
    expect(await keep.count()).toBe(0); // the banner spoke of the gateway before the apply
    await app.button("Undo apply").first().click();
    await app.page
      .getByRole("dialog")
      .getByRole("button", { name: /delete/ })
      .click();
    await app.page
      .getByText(/Rolled back/)
      .first()
      .waitFor();
    await app.button("Back to editing").first().click();
    await app.go("review");
    await until("the choice of before", () => keep.isChecked());
    expect(await app.page.getByRole("region", { name: /^Deletes/ }).count()).toBe(0);
  });

  test("APP-3 a changed example is kept unless the person replaces it", async ({ open }) => {
    const app = await open();
    const [example] = await app.hub.teams();
    const { topology } = await app.hub.team(example!.id);
    await app.hub.save(example!.id, {
      ...topology,
      agents: topology.agents.map((a) => ({ ...a, persona: `${a.persona} Rhyme.` })),
    });
    await app.hub.apply(example!.id);
    const mine = await app.hub.ask<{ id: string }>("POST", "/api/teams", {
      name: "Mine",
      topology: {
        agents: [
          { id: "backend", name: "Baker", model: "demo/echo" },
          { id: "cook", name: "Cook", model: "demo/echo" },
        ],
      },
    });
    await app.openTeam(mine.id);
    await app.go("review");
    await app.page.getByText("This gateway runs the team Example team.").waitFor();
    const keep = app.page.getByRole("radio", { name: "Keep its agents" });
    expect(await keep.isChecked()).toBe(true);
    const joins = (count: number, of: number) =>
      app.page.getByText(`${count} agents join your team of ${of}. No agent is deleted.`);
    await joins(4, 2).waitFor();
    const name = topology.agents.find((a) => a.id === "backend")!.name!;
    const same = app.page.getByText(`${name} has the ID of another agent of this team.`);
    await same.waitFor();
    await app.page.getByText("Resolve 1 conflict.", { exact: true }).waitFor(); // both have an agent "backend"
    await app.button("Choose").first().click();
    await app.page.getByText("Your agent gets a new ID. The gateway's keeps its ID.").waitFor();
    await app.page.getByRole("radio", { name: "Keep both" }).click();
    await app.page.getByText("All decided.", { exact: true }).waitFor();
    await app.button("Review merged changes").click();
    await joins(5, 2).waitFor();
    expect(await same.count()).toBe(0);
    await app.page.getByRole("radio", { name: "Replace its team" }).click();
    await app.page.getByRole("region", { name: "Deletes 4 agents" }).waitFor();
    expect(await app.page.getByText(/Resolve \d+ conflict/).count()).toBe(0);
  });

  test("a part of the review that breaks is not seen, so nothing is applied until it is shown again", async ({
    open,
  }) => {
    const app = await open({ breaks: true });
    await breakable(app, ["review.canvas"]);
    await app.node("lead").dblclick();
    await app.page.keyboard.type("Boss");
    await app.page.keyboard.press("Enter");
    await app.kept("the name", (d) => d.unsent === 1);
    await breakPart(app, "review.canvas");
    await app.page.keyboard.press("Control+Enter");
    await broken(app).waitFor();
    const apply = app.button(/^Apply 1 change/);
    await apply.waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await app.page.getByText("Part of the review couldn't be shown").waitFor();
    await app.page.keyboard.press("Control+Enter");
    expect(
      Object.values((await app.hub.config()).agents as Record<string, { name?: string }>).some(
        (a) => a.name === "Boss",
      ),
    ).toBe(false);
    await breakPart(app, "");
    await again(app).click();
    await until("the apply to be offered", () => apply.isEnabled());
  });
});
