import { describe } from "vitest";
import type { Preview } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";
import type { ConfigAgent } from "./hub.ts";
import { redraw, withAgent, withLine } from "./seed.ts";

const agents = async (app: App) => (await app.hub.config()).agents as Record<string, ConfigAgent>;
const allowed = async (app: App, id: string) => (await agents(app))[id]?.subagents?.allowAgents ?? [];
const box = (app: App, name: string) => app.page.getByRole("checkbox", { name, exact: true });
const applyButton = (app: App) => app.button(/^Apply( \d+ changes?)?( |$)/).last();

/** A new agent with a connection to it, and a name and a model changed. */
async function draw(app: App): Promise<string> {
  const { id } = await app.team();
  await redraw(app.hub, id, "edit.addAgent|Night watch", (t) => ({
    ...t,
    agents: [...t.agents, { id: "watch", name: "Night watch", model: t.agents[0]?.model }],
    layout: { ...t.layout, watch: { x: 700, y: 300 } },
  }));
  await redraw(app.hub, id, "edit.connect", withLine("lead", "command", "watch"));
  await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor" }));
  await redraw(app.hub, id, "edit.role", withAgent("writer", { role: "Edits" }));
  await app.page.getByText("4 changes", { exact: true }).first().waitFor();
  await app.go("review");
  await box(app, "Apply all changes").waitFor();
  return id;
}

describe("choosing what to apply", () => {
  test("APP-3 where one agent holds up the apply, it says that the others can be applied without it", async ({
    open,
  }) => {
    const app = await open(),
      id = await draw(app),
      hint = app.page.getByText("Fix 1 error first. Or deselect Editor and apply the rest.");
    expect(await hint.count()).toBe(0);
    await redraw(app.hub, id, "edit.model", withAgent("writer", { model: "" }));
    await hint.waitFor();
    expect(await applyButton(app).isDisabled()).toBe(true);
    await box(app, "Apply all changes of Editor").click();
    await app.button(/^Apply 2 changes/).waitFor();
    await hint.waitFor({ state: "detached" });
    await until("the apply to be offered", () => applyButton(app).isEnabled());
  });

  test("APP-3 the legend of the marks lies over no agent", async ({ open }) => {
    const app = await open({ viewport: { width: 1000, height: 460 } }),
      { id } = await app.team();
    await redraw(app.hub, id, "edit.move|Writer", (t) => ({
      ...t,
      layout: { ...t.layout, writer: { x: 900, y: -40 } },
    }));
    await draw(app);
    await app.page.locator('[data-change="agent:watch"]').click();
    await app.node("watch").and(app.page.locator(".selected")).waitFor();
    const under = () =>
      app.page.evaluate(() => {
        const legend = document.querySelector(".canvas > .float")!.getBoundingClientRect(),
          nodes = [...document.querySelectorAll<HTMLElement>(".canvas .react-flow__node-agent")];
        return nodes.flatMap((n) => {
          const r = n.getBoundingClientRect();
          return r.right > legend.left && r.left < legend.right && r.top < legend.bottom ? [n.dataset.id] : [];
        });
      });
    await app.ready();
    expect(await under()).toEqual([]);
  });

  test("APP-3 what is left out stays drawn and not applied; text and number follow the choice", async ({ open }) => {
    const app = await open();
    const id = await draw(app);
    await until(
      "all to be chosen",
      () => box(app, "Apply all changes").getAttribute("data-state"),
      (s) => s === "checked",
    );
    await box(app, "Apply all changes of Editor").click();
    await app.button(/^Apply 2 changes/).waitFor();
    await app.page.locator("[data-total]").getByText("2 changes not selected").waitFor();
    await until(
      "the text without them",
      () => app.page.locator(".textdiff").last().innerText(),
      (s) => s.includes("watch") && !s.includes("Editor"),
    );
    expect(await box(app, "Apply all changes").getAttribute("data-state")).toBe("indeterminate");

    await app.button(/^Apply 2 changes/).click();
    await app.page
      .getByText(/^Applied 2 changes/)
      .first()
      .waitFor();
    await app.page.getByText("2 changes weren't applied. They're still in the draft.").waitFor();
    const now = await agents(app);
    expect([now.watch?.name, now.writer?.name]).toEqual(["Night watch", "Writer"]);
    expect(await allowed(app, "lead")).toContain("watch");
    const d = await app.hub.team(id);
    expect([d.unsent, d.topology.agents.find((a) => a.id === "writer")?.name]).toEqual([2, "Editor"]);
    expect(
      d.changes
        .filter((c) => c.subject === "agent")
        .map((c) => c.id)
        .sort(),
    ).toEqual(["agent:writer:name", "agent:writer:role"]);

    await app.button("Back to editing").first().click();
    await app.go("review");
    await app.button(/^Apply 2 changes/).click();
    await app.kept("nothing left", (x) => x.unsent === 0);
    expect((await agents(app)).writer?.name).toBe("Editor");
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 a connection needs its agent: ticking one ticks the other, with a note", async ({ open }) => {
    const app = await open();
    await draw(app);
    const agent = app.page.locator('[data-change="agent:watch"]').getByRole("checkbox"),
      line = box(app, "Apply: Lead → Night watch, Delegate");
    await agent.click();
    await app.page
      .getByRole("status")
      .filter({ hasText: "Also deselected (can't be applied alone): Lead → Night watch" })
      .waitFor();
    expect(await line.getAttribute("data-state")).toBe("unchecked");
    await app.button(/^Apply 2 changes/).waitFor();
    await line.click();
    await app.page.getByRole("status").filter({ hasText: "Also selected (required): Night watch" }).waitFor();
    expect(await agent.getAttribute("data-state")).toBe("checked");
    await line.click();
    await app.button(/^Apply 3 changes/).waitFor();
    expect(await agent.getAttribute("data-state")).toBe("checked");
    await app.button(/^Apply 3 changes/).click();
    await app.page
      .getByText(/^Applied 3 changes/)
      .first()
      .waitFor();
    expect((await agents(app)).watch?.name).toBe("Night watch");
    expect(await allowed(app, "lead")).not.toContain("watch");
    await app.kept(
      "the connection to wait",
      (d) => d.unsent === 1 && d.changes.some((c) => c.id === "connection:lead:command:watch"),
    );
  });

  test("APP-3 removing an agent takes its connections along", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.delete|Writer", (t) => ({
      ...t,
      agents: t.agents
        .filter((a) => a.id !== "writer")
        .map((a) => ({ ...a, connections: a.connections?.filter((c) => c.targetId !== "writer") })),
    }));
    await redraw(app.hub, id, "edit.name", withAgent("backend", { name: "Engine room" }));
    await app.go("review");
    await box(app, "Apply: Lead → Writer, Delegate").click();
    await app.page.getByRole("status").filter({ hasText: "can't be applied alone): Writer" }).waitFor();
    await until(
      "no deletion to agree to",
      () => app.page.getByLabel("Delete Writer").count(),
      (n) => n === 0,
    );
    await applyButton(app).click();
    await app.page
      .getByText(/^Applied \d changes?/)
      .first()
      .waitFor();
    expect([(await agents(app)).writer?.name, (await agents(app)).backend?.name]).toEqual(["Writer", "Engine room"]);
    expect(await allowed(app, "lead")).toContain("writer");
  });

  test("APP-3 none chosen, nothing to send; the choice survives a reload", async ({ open }) => {
    const app = await open();
    await draw(app);
    await box(app, "Apply all changes").click();
    await app.page.getByText("Select the changes to apply.").waitFor();
    expect(await applyButton(app).isDisabled()).toBe(true);
    await app.page.reload();
    await app.page.getByText("Select the changes to apply.").waitFor();
    await box(app, "Apply all changes").click();
    await app.button(/^Apply 4 changes/).waitFor();
    const every = await app.page.locator(".review-row[data-change] .badge").allInnerTexts();
    expect(new Set(every.filter((b) => b !== "Not sent"))).toEqual(new Set(["Live"]));
    await app.page.locator("[data-total]").getByText("No restart").waitFor();
  });

  test("APP-3 what was seen is what is sent: an edit in another window makes the review new", async ({ open }) => {
    const app = await open();
    const id = await draw(app);
    const seen = await app.hub.ask<Preview>("POST", `/api/teams/${id}/preview`, {});
    await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Author" }));
    await expect(
      app.hub.ask("POST", `/api/teams/${id}/apply`, { hash: seen.baseHash, seen: seen.seen }),
    ).rejects.toThrow(/changed_since_review/);
    await until(
      "the review to follow",
      () => app.page.locator(".review-row").allInnerTexts(),
      (rows) => rows.some((r) => r.includes("Author")),
    );
    expect((await agents(app)).writer?.name).toBe("Writer");
  });

  test("APP-3 moved between groups: shown, never sent", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const [d] = await hub.teams();
        await redraw(hub, d!.id, "edit.group", (t) => ({
          ...t,
          groups: [
            { id: "words", name: "Words", members: ["writer"] },
            { id: "deeds", name: "Deeds", members: ["backend"] },
          ],
        }));
        await hub.apply(d!.id).catch(() => undefined);
        await redraw(hub, d!.id, "edit.group", (t) => ({
          ...t,
          groups: t.groups?.map((g) => ({ ...g, members: g.id === "words" ? [] : ["backend", "writer"] })),
        }));
        await redraw(hub, d!.id, "edit.name", withAgent("lead", { name: "Captain" }));
      },
    });
    await app.go("review");
    const canvasOnly = app.page.getByRole("region", { name: "Not sent" });
    await canvasOnly.getByText("Deeds").first().waitFor();
    expect(await canvasOnly.getByRole("checkbox").count()).toBe(0);
    await until(
      "the marks",
      () => app.node("writer").locator(".mark--mov").count(),
      (n) => n === 1,
    );
    const legend = app.page.locator(".float", { has: app.page.locator(".mark--mov") });
    await legend.waitFor();
    expect((await legend.innerText()).split("\n").filter((w) => /\w/.test(w))).toEqual(["Changed", "Moved"]);
    await app.button(/^Apply 1 change/).click();
    await app.page
      .getByText(/^Applied 1 change/)
      .first()
      .waitFor();
    expect(JSON.stringify(await app.hub.config())).not.toContain("Deeds");
  });
});
