import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { ConfigAgent } from "./hub.ts";
import { redraw } from "./seed.ts";

const agents = async (app: App) => (await app.hub.config()).agents as Record<string, ConfigAgent>;
const allowed = async (app: App, id: string) => (await agents(app))[id]?.subagents?.allowAgents ?? [];

async function wireBackend(app: App): Promise<void> {
  await app.wire("lead", "r", "backend");
  await app.button(/^Delegate/).click();
  await app.kept("the connection", (d) => d.unsent === 1);
}

async function rename(app: App, id: string, name: string): Promise<void> {
  await app.node(id).click();
  await app.field("Name").fill(name);
  await app.kept("the name", (d) => d.topology.agents.some((a) => a.id === id && a.name === name));
}

describe("review and apply", () => {
  test("APP-3 GW-3 what is drawn is reviewed, applied and verified; Undo apply brings back what was", async ({
    open,
  }) => {
    const app = await open();
    await wireBackend(app);
    await rename(app, "writer", "Editor");
    await app.page.getByText("2 changes").waitFor();
    const before = await app.hub.config();
    await app.button("Review Ctrl+Enter").click();
    const list = app.page.getByRole("region", { name: "Agents" });
    await list.getByText("Editor").first().waitFor();
    await app.page
      .getByRole("region", { name: "Connections" })
      .getByText(/Lead.*Backend/)
      .first()
      .waitFor();
    expect(await app.hub.config()).toEqual(before);

    await app.button(/^Apply 2 changes/).click();
    await app.page
      .getByText(/^Applied 2 changes/)
      .first()
      .waitFor();
    expect(await allowed(app, "lead")).toEqual(["researcher", "writer", "backend"]);
    expect((await agents(app)).writer?.name).toBe("Editor");
    await app.kept("nothing left to apply", (d) => d.unsent === 0);

    await app.button("Undo apply").first().click();
    await until(
      "the config as it was",
      () => app.hub.config(),
      (c) => JSON.stringify(c) === JSON.stringify(before),
    );
    await app.page
      .getByText(/Rolled back/)
      .first()
      .waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 Undo apply asks first where the gateway changed since, and shows what goes with it", async ({ open }) => {
    const app = await open();
    await rename(app, "writer", "Editor");
    await app.button("Review Ctrl+Enter").click();
    await app.button(/^Apply 1 change/).click();
    await app.page
      .getByText(/^Applied 1 change/)
      .first()
      .waitFor();
    await app.kept("nothing left to apply", (d) => d.unsent === 0);
    await app.hub.changeConfig((c) => {
      (c.agents as Record<string, ConfigAgent>).researcher!.name = "Scout";
    });
    const changed = await app.hub.config();
    await app
      .button(/^Gateway changed/)
      .first()
      .waitFor();
    await app.button("Undo apply").first().click();
    const asks = app.page.getByRole("dialog", { name: "Undo the apply on Built-in gateway?" });
    await asks.getByText(/Scout/).first().waitFor();
    expect(await app.hub.config()).toEqual(changed);
    await asks.getByRole("button", { name: "Undo apply", exact: true }).click();
    await until(
      "both names as they were",
      () => agents(app),
      (all) => all.writer?.name === "Writer" && all.researcher?.name === "Researcher",
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 Ctrl+Enter reviews an edit that is still being saved", async ({ open }) => {
    const app = await open();
    let release = () => undefined as void;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await app.page.route("**/api/teams/*", async (route) => {
      if (route.request().method() === "PUT") await held;
      await route.continue();
    });
    await app.node("writer").dblclick();
    await app.page.keyboard.type("Editor");
    await app.page.keyboard.press("Enter");
    await app.page.keyboard.press("Control+Enter");
    await app.page.getByRole("heading", { name: "Review changes" }).waitFor();
    release();
    await app.page.getByRole("region", { name: "Agents" }).getByText("Editor").first().waitFor();
    await app.button(/^Apply 1 change/).waitFor();
    expect(app.complaints).toEqual([]);
  });

  test("GW-7 what nobody drew survives an apply: unknown keys of an agent and of the config", async ({ open }) => {
    const app = await open({
      seed: (hub) =>
        hub.changeConfig((c) => {
          c.channels = { slack: { enabled: false } };
          Object.assign((c.agents as Record<string, ConfigAgent>).lead!, { heartbeat: { every: "30m" } });
        }),
    });
    await rename(app, "lead", "Captain");
    await app.button("Review Ctrl+Enter").click();
    await app.button(/^Apply/).click();
    await app.page
      .getByText(/^Applied/)
      .first()
      .waitFor();
    const now = await app.hub.config();
    expect(now.channels).toEqual({ slack: { enabled: false } });
    expect((now.agents as Record<string, ConfigAgent>).lead).toMatchObject({
      name: "Captain",
      heartbeat: { every: "30m" },
    });
  });

  test("APP-3 an agent goes only after its deletion is agreed to", async ({ open }) => {
    const app = await open();
    await app.node("writer").click();
    await app.page.keyboard.press("Delete");
    await app.kept("the deletion", (d) => !d.topology.agents.some((a) => a.id === "writer"));
    await app.button("Review Ctrl+Enter").click();
    const apply = app.button(/^Apply/);
    await app.page.getByText("Confirm the deletion first.").waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await app.page.getByLabel("Delete Writer").click();
    await until("the apply to be offered", () => apply.isEnabled());
    await apply.click();
    await app.page
      .getByText(/^Applied/)
      .first()
      .waitFor();
    expect(Object.keys(await agents(app))).toEqual(["lead", "researcher", "backend", "reviewer"]);
    expect(await allowed(app, "lead")).toEqual(["researcher"]);
  });

  test("APP-3 what won't be sent is a button that opens its list in view, before the apply and after", async ({
    open,
  }) => {
    const app = await open({ viewport: { width: 1280, height: 620 } });
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.any", (t) => ({
      ...t,
      agents: t.agents.map((a) => ({ ...a, role: "Helper" })),
      notes: [{ id: "n", text: "A note", x: 0, y: 400 }],
    }));
    await app.kept("the change", (d) => d.changes.length > 0);
    await app.button("Review Ctrl+Enter").click();
    const fold = app.button("Not supported by this gateway"),
      why = app.page.getByText("The gateway can't store these settings, so they aren't sent.");
    await fold.waitFor();
    // One number says how much isn't sent: at the rows, in their heading and in the foot.
    const kept = app.page.getByRole("region", { name: "Not sent" }),
      rows = await kept.locator("[data-change]").count();
    expect(rows).toBe(await app.page.locator(".review-row .badge", { hasText: "Not sent" }).count());
    expect(await kept.getByRole("heading").innerText()).toMatch(new RegExp(`\\D${rows}$`));
    const inView = () =>
      why.evaluate((e) => {
        const notes = e.closest(".review-notes")!.getBoundingClientRect(),
          r = e.getBoundingClientRect();
        return r.top >= notes.top && r.bottom <= notes.bottom;
      });
    await fold.focus();
    await app.page.keyboard.press("Enter");
    await until("the list to be in view", inView, Boolean);
    await app.page.keyboard.press("Enter");
    await why.waitFor({ state: "detached" });
    await app.button(/^Apply 5 changes/).click();
    await app.page
      .getByText(/^Applied 5 changes/)
      .first()
      .waitFor();
    await fold.click();
    await until("the list to be in view", inView, Boolean);
  });

  test("APP-3 by the keyboard alone: Ctrl+Enter reviews, Ctrl+Enter applies", async ({ open }) => {
    const app = await open();
    await wireBackend(app);
    await app.page.keyboard.press("Control+Enter");
    await until("the apply to be offered", () => app.button(/^Apply 1 change/).isEnabled());
    await app.page.keyboard.press("Control+Enter");
    await app.page
      .getByText(/^Applied 1 change/)
      .first()
      .waitFor();
    expect(await allowed(app, "lead")).toContain("backend");
  });
});

describe("somebody else changed the gateway", () => {
  test("APP-3 GW-3 changes that fit together are merged, shown and applied", async ({ open }) => {
    const app = await open();
    await rename(app, "writer", "Editor");
    await app.hub.changeConfig((c) => {
      (c.agents as Record<string, ConfigAgent>).researcher!.name = "Scout";
    });
    await app.button("Review Ctrl+Enter").click();
    await app.page.getByText("The gateway changed while you were editing.").waitFor();
    await app.page.getByText("1 change from the gateway will be imported.").waitFor();
    await app.button(/^Apply/).click();
    await app.page
      .getByText(/^Applied/)
      .first()
      .waitFor();
    const now = await agents(app);
    expect([now.writer?.name, now.researcher?.name]).toEqual(["Editor", "Scout"]);
    await app.kept("theirs in the team", (d) =>
      d.topology.agents.some((a) => a.id === "researcher" && a.name === "Scout"),
    );
  });

  test("APP-3 GW-3 a conflict is chosen side by side: theirs for one, mine for the other", async ({ open }) => {
    const app = await open();
    await rename(app, "writer", "Editor");
    await rename(app, "backend", "Server side");
    await app.hub.changeConfig((c) => {
      const a = c.agents as Record<string, ConfigAgent>;
      a.writer!.name = "Author";
      a.backend!.name = "Engine room";
    });
    await app.toMerge();
    await app.page.getByText("The gateway changed while you were editing.").waitFor();
    const goOn = app.button(/^Review merged changes/);
    await goOn.waitFor();
    expect(await goOn.isDisabled()).toBe(true);
    const card = (text: string) => app.page.locator("section.merge-conflict").filter({ hasText: text });
    await card("Author").getByRole("radio", { name: "Gateway" }).click();
    await card("Engine room").getByRole("radio", { name: "Yours" }).click();
    await until("both to be decided", () => goOn.isEnabled());
    await goOn.click();
    const apply = app.button(/^Apply/);
    await until("the apply to be offered", () => apply.isEnabled());
    await apply.click();
    await app.page
      .getByText(/^Applied/)
      .first()
      .waitFor();
    const now = await agents(app);
    expect([now.writer?.name, now.backend?.name]).toEqual(["Author", "Server side"]);
    await app.kept("their name", (d) => d.topology.agents.find((a) => a.id === "writer")?.name === "Author");
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 a change that comes between preview and apply is noticed; nothing is overwritten", async ({ open }) => {
    const app = await open();
    await rename(app, "writer", "Editor");
    await app.button("Review Ctrl+Enter").click();
    await until("the apply to be offered", () => app.button(/^Apply 1 change/).isEnabled());
    await app.hub.changeConfig((c) => {
      (c.agents as Record<string, ConfigAgent>).writer!.name = "Author";
    });
    await app
      .button(/^Apply 1 change/)
      .click({ noWaitAfter: true })
      .catch(() => undefined);
    await app
      .button(/^Review merged changes|^Choose/)
      .first()
      .waitFor();
    expect((await agents(app)).writer?.name).toBe("Author");
  });
});
