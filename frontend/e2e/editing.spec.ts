import type { Request } from "playwright-core";
import { describe } from "vitest";
import type { Version } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const nameOf = (d: { topology: { agents: { id: string; name?: string }[] } }, id: string) =>
  d.topology.agents.find((a) => a.id === id)?.name;
const labels = async (app: App) =>
  (
    await app.hub.ask<{ versions: Version[] }>("GET", `/api/teams/${(await app.team()).id}/versions?limit=100`)
  ).versions.map((v) => v.label);

describe("typing", () => {
  test("APP-5 typing in a field is saved while typing and is one undo step", async ({ open }) => {
    const app = await open();
    await app.node("lead").click();
    await app.field("Name").click();
    await app.page.keyboard.press("End");
    await app.page.keyboard.type(" of everybody", { delay: 15 });
    await app.kept("the new name", (d) => nameOf(d, "lead") === "Lead of everybody");
    await app.button(/^Undo/).click();
    await app.kept(
      "the name as it was, in one step",
      (d) => nameOf(d, "lead") === "Lead" && d.changes.length === 0 && !d.canUndo,
    );
    await app.button(/^Redo/).click();
    await app.kept("the new name again", (d) => nameOf(d, "lead") === "Lead of everybody");
    await app.node("lead").getByText("Lead of everybody").waitFor();
  });

  test("APP-1 a letter is seen before the team follows it, and leaving the field leaves nothing behind", async ({
    open,
  }) => {
    const app = await open();
    await app.node("writer").click();
    const seen = await app.field("Name").evaluate((el: HTMLInputElement) => {
      const drawn = () => document.querySelector('.react-flow__node[data-id="writer"] .node-name b')?.textContent;
      el.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(el, "Editor");
      el.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: "r" }));
      const now = [el.value, drawn()]; // no frame can have come between
      el.blur();
      return now;
    });
    expect(seen).toEqual(["Editor", "Writer"]);
    await app.node("writer").getByText("Editor").waitFor();
    await app.kept("the new name", (d) => nameOf(d, "writer") === "Editor");
    expect(await app.field("Name").inputValue()).toBe("Editor");
    await app.field("Name").fill("Chief editor");
    await app.node("lead").click();
    await app.kept(
      "what was typed last",
      (d) => nameOf(d, "writer") === "Chief editor" && nameOf(d, "lead") === "Lead",
    );
  });

  test("APP-5 a name that wasn't confirmed is saved when the page is closed", async ({ open }) => {
    const app = await open();
    await app.node("writer").dblclick();
    const field = app.node("writer").locator("input");
    await until("the field to have the focus", () => field.evaluate((e) => e === document.activeElement));
    await field.fill("Editor in chief");
    await app.page.reload();
    await app.kept("the name", (d) => nameOf(d, "writer") === "Editor in chief");
  });

  test("APP-5 Japanese by an input method: Enter that belongs to it commits nothing", async ({ open }) => {
    const app = await open({ language: "ja" });
    await app.node("writer").dblclick();
    const field = app.node("writer").locator("input");
    await until("the field to have the focus", () => field.evaluate((e) => e === document.activeElement));
    await app.page.keyboard.press("Control+a");
    await app.compose("かくにん");
    await app.compose("確認");
    // Enter takes the candidate: it arrives at the page while the composition lasts.
    const keys = await app.context.newCDPSession(app.page);
    for (const type of ["rawKeyDown", "keyUp"] as const)
      await keys.send("Input.dispatchKeyEvent", { type, key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 });
    expect(await field.inputValue()).toBe("確認");
    await app.commit("確認担当");
    expect(await field.inputValue()).toBe("確認担当");
    await app.page.keyboard.press("Enter");
    await app.kept("the whole name", (d) => nameOf(d, "writer") === "確認担当");
    expect((await labels(app)).filter((l) => l.startsWith("edit.name"))).toEqual(["edit.name|確認担当"]);

    await app.node("writer").click();
    await app.field("名前").click();
    await app.page.keyboard.press("Control+a");
    await app.compose("たんとう");
    expect(await app.field("名前").inputValue()).toBe("たんとう");
    await app.commit("担当");
    await app.kept("the name from the inspector", (d) => nameOf(d, "writer") === "担当");
    expect((await labels(app)).some((l) => l.includes("たんとう"))).toBe(false);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 an ID that cannot be is refused beside its field and changes nothing", async ({ open }) => {
    const app = await open();
    await app.page.mouse.dblclick(...(Object.values(await app.emptyPlace()) as [number, number]));
    await app.node("agent-1").waitFor();
    await app.field("ID").fill("Not An ID");
    await app.page.getByText("Use only a–z").waitFor();
    await app.page.keyboard.press("Enter");
    await app.page.keyboard.press("Tab");
    expect(await app.field("ID").inputValue()).toBe("Not An ID");
    await app.page.getByText("Use only a–z").waitFor();
    await app.field("ID").press("Escape");
    expect(await app.field("ID").inputValue()).toBe("agent-1");
    await app.page.getByText("Use only a–z").waitFor({ state: "detached" });
    await app.field("ID").fill("helper");
    await app.page.keyboard.press("Enter");
    const d = await app.kept("the good ID", (x) => x.topology.agents.some((a) => a.id === "helper"));
    expect(d.topology.agents.map((a) => a.id)).not.toContain("agent-1");
    expect((await labels(app)).filter((l) => l.startsWith("edit.id"))).toEqual(["edit.id|helper"]);
  });
});

describe("nothing drawn is lost", () => {
  test("APP-5 a second after the last key the hub may be killed: all is there, and undo still works", async ({
    open,
  }) => {
    const app = await open();
    await app.wire("lead", "r", "backend");
    await app.button(/^Delegate/).click();
    await app.node("writer").click();
    const { id } = await app.team();
    const saving = new Set<Request>();
    app.page.on("request", (r) => {
      if (r.method() === "PUT") saving.add(r);
    });
    app.page.on("response", (r) => saving.delete(r.request()));
    await app.field("Role").fill("Writes the release notes");
    // The page's own second: on a busy computer a hub may need longer to answer what was sent within it.
    await app.page.evaluate(() => new Promise((passed) => setTimeout(passed, 1_000)));
    await until("what was sent by then to be answered", () => saving.size === 0);
    await app.hub.kill();
    await app.hub.restart();
    const d = await app.hub.team(id);
    expect(d.topology.agents.find((a) => a.id === "writer")?.role).toBe("Writes the release notes");
    expect(d.topology.agents.find((a) => a.id === "lead")?.connections).toContainEqual({
      type: "command",
      targetId: "backend",
    });

    await app.page.reload();
    await app.ready();
    await app.button(/^Undo/).click();
    await app.kept("the role as it was", (x) => x.topology.agents.find((a) => a.id === "writer")?.role === "Writer");
    await until("undo to be offered again", () => app.button(/^Undo/).isEnabled());
    await app.undo();
    await app.kept("no connection", (x) => x.changes.length === 0);
  });

  test("APP-5 while the hub is away team goes on; when it is back everything is saved", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    // The inspector comes after the canvas: without the hub there is only what has been fetched.
    await app.node("lead").click();
    await app.field("Name").waitFor();
    await app.hub.kill();
    await app.page.getByText("Connection to AgentFlow lost").waitFor();
    const at = await app.emptyPlace();
    await app.page.mouse.dblclick(at.x, at.y);
    await app.node("agent-1").waitFor();
    await app.field("Name").fill("Night shift");
    await app.page.getByText("Not saved: AgentFlow unreachable").first().waitFor();
    await app.hub.restart();
    await app.reconnect();
    await app.hub.kept(id, "what was drawn meanwhile", (d) => nameOf(d, "agent-1") === "Night shift");
    await app.page
      .getByText(/^Saved /)
      .first()
      .waitFor();
    expect(app.complained(/Failed to load resource|WebSocket|ERR_CONNECTION/)).toEqual([]);
  });

  test("APP-5 two windows on one team: what one draws the other shows, and neither loses", async ({ open }) => {
    const app = await open();
    const other = await app.context.newPage();
    await other.goto(app.hub.url);
    await other.locator('.react-flow__node[data-id="lead"]').waitFor();
    await app.node("lead").click();
    await app.field("Role").fill("Plans and delegates");
    await app.kept("the role", (d) => d.topology.agents[0]?.role === "Plans and delegates");
    await other.locator('.react-flow__node[data-id="writer"]').click();
    await other.getByLabel(/^Role/).first().fill("Writes it up");
    const d = await app.kept("both", (x) => x.topology.agents.find((a) => a.id === "writer")?.role === "Writes it up");
    expect(d.topology.agents[0]?.role).toBe("Plans and delegates");
    await app.node("writer").click();
    await until(
      "the first window to show it",
      () => app.field("Role").inputValue(),
      (v) => v === "Writes it up",
    );
    // A field that has the focus in one window shows what the other saves.
    const theirs = other.getByLabel(/^Role/).first();
    await theirs.focus();
    await app.field("Role").fill("Writes it down");
    await until(
      "the second window's field to show it",
      () => theirs.inputValue(),
      (v) => v === "Writes it down",
    );
    await theirs.press("End");
    await theirs.pressSequentially(" well");
    await app.kept("both", (x) => x.topology.agents.find((a) => a.id === "writer")?.role === "Writes it down well");
  });

  test("APP-5 a notice says that another window deleted the open agent; deleting it yourself gives none", async ({
    open,
  }) => {
    const app = await open();
    await app.complete();
    const said = app.page.locator(".toast").filter({ hasText: "was deleted in another window." });
    await app.node("backend").click();
    await app.page.keyboard.press("Delete");
    const d = await app.kept("the deletion", (x) => !x.topology.agents.some((a) => a.id === "backend"));
    await app.node("writer").click();
    expect(await said.count()).toBe(0);
    await app.hub.ask("PUT", `/api/teams/${d.id}`, {
      topology: { ...d.topology, agents: d.topology.agents.filter((a) => a.id !== "writer") },
      head: d.head,
      label: "edit.delete|Writer",
    });
    await said.filter({ hasText: "Writer" }).getByRole("button", { name: "History" }).waitFor();
  });

  test("APP-1 APP-5 keys typed after another window deleted the agent are no shortcuts", async ({ open }) => {
    const app = await open();
    await app.complete();
    const d = await app.team();
    const removed = () => app.node("writer").waitFor({ state: "detached" });
    await app.node("writer").click();
    await app.page.getByRole("tab", { name: "Persona" }).click();
    await app.page.getByRole("textbox", { name: "Persona" }).click();
    await app.page.keyboard.type("You write");
    await app.kept("the persona", (x) => x.topology.agents.some((a) => a.persona?.endsWith("You write")));
    await app.hub.ask("PUT", `/api/teams/${d.id}`, {
      topology: { ...d.topology, agents: d.topology.agents.filter((a) => a.id !== "writer") },
      head: d.head,
      label: "edit.delete|Writer",
    });
    await removed();
    const after = (await app.team()).topology;
    await app.page.keyboard.type(" a neat note\n");
    await app.page.keyboard.press("ControlOrMeta+z");
    await app.page
      .locator(".toast")
      .filter({ hasText: "was deleted in another window. The history has both." })
      .waitFor();
    const nodes = () => app.page.locator(".react-flow__node").count();
    const had = await nodes();
    expect((await app.team()).topology).toEqual(after);
    expect(await app.page.locator(".react-flow__node input, .react-flow__node textarea").count()).toBe(0);
    await app.page.keyboard.press("Escape");
    await app.page.keyboard.press("a");
    await until("an agent to be added", nodes, (n) => n === had + 1);
    await app.page.keyboard.press("Enter");

    // A name that is being written on the canvas, whose place takes the focus.
    await app.node("lead").click();
    await app.page.keyboard.press("F2");
    await app.page.keyboard.type("Le");
    const now = await app.team();
    await app.hub.save(d.id, { ...now.topology, agents: now.topology.agents.filter((a) => a.id !== "lead") });
    await app.node("lead").waitFor({ state: "detached" });
    const left = await nodes();
    await app.page.keyboard.type("nan");
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    expect(await nodes()).toBe(left);
    await app.page.keyboard.press("n");
    await until("a note to be added", nodes, (n) => n === left + 1);
    expect(app.complaints).toEqual([]);
  });
});
