import { describe } from "vitest";
import type { Team, Topology } from "../src/topology/types.ts";
import { expect, test, until, type App } from "./app.ts";

const agent = (d: { topology: Topology }, id: string) => d.topology.agents.find((a) => a.id === id);
const ids = (d: Team) => d.topology.agents.map((a) => a.id);
const press = (app: App, chord: string) => app.page.keyboard.press(chord);
const permit = (app: App) => app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
const clipboard = (app: App) => app.page.evaluate(() => navigator.clipboard.readText());
const setClipboard = (app: App, text: string) => app.page.evaluate((x) => navigator.clipboard.writeText(x), text);
const example = ["lead", "researcher", "writer", "backend", "reviewer"];

/** Lead, who may command Researcher and Writer. */
async function pickThree(app: App): Promise<void> {
  await press(app, "Escape");
  await app.node("lead").click();
  for (const id of ["researcher", "writer"]) await app.node(id).click({ modifiers: ["Shift"] });
  await until(
    "three to be selected",
    () => app.page.locator(".react-flow__node.selected").count(),
    (n) => n === 3,
  );
}

describe("clipboard", () => {
  test("APP-1 copy and paste: readable JSON, ids made unique, connections among the copied kept, one undo step", async ({
    open,
  }) => {
    const app = await open();
    await permit(app);
    const before = await app.team();
    await pickThree(app);
    await press(app, "Control+c");
    const text = await until(
      "the clipboard",
      () => clipboard(app),
      (v) => v.includes("agentflow"),
    );
    expect(JSON.parse(text)).toMatchObject({
      agentflow: "clip",
      version: 1,
      agents: [{ id: "lead" }, { id: "researcher" }, { id: "writer" }],
    });
    expect(text.split("\n").length).toBeGreaterThan(20);

    const at = await app.emptyPlace();
    await app.page.mouse.move(at.x, at.y);
    await press(app, "Control+v");
    const d = await app.kept("three more", (x) => x.topology.agents.length === 8);
    expect(ids(d).slice(5)).toEqual(["lead-1", "researcher-1", "writer-1"]);
    expect(agent(d, "lead-1")?.connections?.map((c) => c.targetId)).toEqual(
      agent(before, "lead")
        ?.connections?.map((c) => c.targetId)
        .filter((id) => ["researcher", "writer"].includes(id))
        .map((id) => `${id}-1`),
    );
    const l = d.topology.layout!,
      was = before.topology.layout!;
    expect([l["writer-1"]!.x - l["lead-1"]!.x, l["writer-1"]!.y - l["lead-1"]!.y]).toEqual([
      was.writer!.x - was.lead!.x,
      was.writer!.y - was.lead!.y,
    ]);
    await until(
      "the pasted to be chosen",
      () =>
        app.page.locator(".react-flow__node.selected").evaluateAll((all) =>
          all
            .map((e) => (e as HTMLElement).dataset.id)
            .sort()
            .join(),
        ),
      (v) => v === "lead-1,researcher-1,writer-1",
    );
    const boxes = await Promise.all(["lead-1", "researcher-1", "writer-1"].map((id) => app.node(id).boundingBox()));
    const others = (x: typeof d, from: number) =>
      x.topology.agents.slice(0, from).map((a) => x.topology.layout![a.id]!);
    const covers = (p: { x: number; y: number }, q: { x: number; y: number }) =>
      Math.abs(p.x - q.x) < 180 && Math.abs(p.y - q.y) < 70;
    for (const id of ids(d).slice(5)) expect(others(d, 5).filter((p) => covers(l[id]!, p))).toEqual([]);
    const mid = {
      x: (Math.min(...boxes.map((b) => b!.x)) + Math.max(...boxes.map((b) => b!.x + b!.width))) / 2,
      y: (Math.min(...boxes.map((b) => b!.y)) + Math.max(...boxes.map((b) => b!.y + b!.height))) / 2,
    };
    const { width, height } = app.page.viewportSize()!;
    expect(Math.hypot(mid.x - at.x, mid.y - at.y)).toBeLessThan(Math.hypot(width, height) / 2); // as near as there is room

    await press(app, "Control+v");
    const again = await app.kept("three more, beside the others", (x) => x.topology.agents.length === 11);
    for (const id of ids(again).slice(8))
      expect(others(again, 8).filter((p) => covers(again.topology.layout![id]!, p))).toEqual([]);
    await app.undo();
    await app.kept("the first paste alone", (x) => x.topology.agents.length === 8);
    await app.undo();
    const end = await app.kept("none of it", (x) => x.topology.agents.length === 5);
    expect(end.changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 what was copied in one page is pasted in another, into another team", async ({ open }) => {
    const app = await open();
    await permit(app);
    const here = (await app.team()).id;
    const made = await app.hub.ask<Team>("POST", "/api/teams", { name: "Second" });
    await pickThree(app);
    await press(app, "Control+c");
    await until(
      "the clipboard",
      () => clipboard(app),
      (v) => v.includes("agentflow"),
    );

    const other = await app.context.newPage();
    await other.addInitScript((id) => localStorage.setItem("agentflow.team", id), made.id);
    await other.goto(app.hub.url);
    await other.getByText("This team is empty").waitFor();
    await other.locator(".react-flow__pane").click({ position: { x: 300, y: 200 } });
    await other.keyboard.press("Control+v");
    const d = await app.hub.kept(made.id, "the three", (x) => x.topology.agents.length === 3);
    expect(ids(d)).toEqual(["lead", "researcher", "writer"]);
    expect(
      agent(d, "lead")
        ?.connections?.map((c) => c.targetId)
        .sort(),
    ).toEqual(["researcher", "writer"]);
    await other.locator('.react-flow__node[data-id="writer"]').waitFor();
    expect((await app.hub.team(here)).changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 copied agents are pasted into a chat, and from the chat, with text around them, into the team", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        await hub.ask("POST", "/api/message", { room: "Checkout", sender: "Mika", message: "Which agents?" });
      },
    });
    await permit(app);
    await pickThree(app);
    await press(app, "Control+c");
    const text = await until(
      "the clipboard",
      () => clipboard(app),
      (v) => v.includes("agentflow"),
    );
    await app.go("rooms");
    const field = app.page.locator(".composer textarea").first();
    await field.fill("These three:\n");
    await field.press("End");
    await press(app, "Control+v");
    await until(
      "the text in the field",
      () => field.inputValue(),
      (v) => v === `These three:\n${text}`,
    );
    await field.press("Enter");
    const said = app.page.locator("article.msg").filter({ hasText: "These three:" });
    await said.waitFor();
    await until(
      "the hub to have it",
      () => app.hub.ask<{ messages: { message: string }[] }>("GET", "/api/messages?room=Checkout"),
      (r) => r.messages.some((m) => m.message.includes('"researcher"')),
    );
    await setClipboard(app, "");
    await said.hover();
    await said.locator(".msg-tools button").first().click();
    await until(
      "the message to be copied",
      () => clipboard(app),
      (v) => v.startsWith("These three:") && v.includes('"agentflow": "clip"'),
    );
    await app.go("canvas");
    await app.node("lead").waitFor();
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    await press(app, "Control+v");
    const d = await app.kept("three more", (x) => x.topology.agents.length === 8);
    expect(agent(d, "lead-1")?.connections?.map((c) => c.targetId)).toEqual(["researcher-1", "writer-1"]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 cut takes away in one step, and a note goes along", async ({ open }) => {
    const app = await open();
    await permit(app);
    const before = await app.team();
    await app.page.locator('.react-flow__node[data-id^="note:"]').first().click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    await press(app, "Control+x");
    await app.kept("both to be gone", (d) => !agent(d, "writer") && !d.topology.notes?.length);
    await press(app, "Control+v");
    const d = await app.kept("both to be back", (x) => !!agent(x, "writer") && x.topology.notes?.length === 1);
    expect(d.topology.notes![0]!.text).toBe(before.topology.notes![0]!.text);
    await app.undo();
    await app.kept("the paste undone", (x) => !agent(x, "writer"));
    await app.undo();
    const end = await app.kept("the cut undone", (x) => !!agent(x, "writer") && !!x.topology.notes?.length);
    expect(end.changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a foreign text is refused with a word and a way; a broken clip too; fields keep their own clipboard", async ({
    open,
  }) => {
    const app = await open();
    await permit(app);
    const before = await app.team();
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    await setClipboard(app, "Buy milk");
    await press(app, "Control+v");
    await app.page.getByText("The text on the clipboard isn't from a team").waitFor();
    await app.button("Paste as note").click();
    await app.kept("a note of it", (d) => !!d.topology.notes?.some((n) => n.text === "Buy milk"));
    await app.undo();
    await app.kept("no note", (d) => d.changes.length === 0);
    await setClipboard(app, '{"agentflow":"clip","version":1,"agents":[{"id":"a"');
    await press(app, "Control+v");
    await app.page.getByText("The copied content is damaged").waitFor();

    await app.node("writer").click();
    await setClipboard(app, " of books");
    await app.field("Name").click();
    await press(app, "End");
    await press(app, "Control+v");
    const d = await app.kept("the text in the field", (x) => agent(x, "writer")?.name === "Writer of books");
    await press(app, "Control+a");
    await press(app, "Control+c");
    expect(
      await until(
        "the field's text on the clipboard",
        () => clipboard(app),
        (v) => v !== " of books",
      ),
    ).toBe("Writer of books");
    expect(ids(d)).toEqual(ids(before));
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a paste that the hub would refuse is refused at once with its place, and nothing is drawn", async ({
    open,
  }) => {
    const app = await open();
    await permit(app);
    const before = await app.team();
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    for (const [part, layout, said] of [
      [{}, { bad9: { x: 20_000_000, y: 0 } }, "Position of Bad9: the number isn't between -10,000,000 and 10,000,000."],
      [{}, { bad9: { x: 1e300, y: 0 } }, "Position of Bad9"],
      [{ persona: "x".repeat(3_000_000) }, {}, "Persona of Bad9: the text is longer than 262 kB."],
      [{ files: { "SOUL.md": "text" } }, {}, "Files (SOUL.md) of Bad9: the value has the wrong type."],
      [{ name: "Long".repeat(25_000) }, {}, "Name of LongLong"],
    ] as const) {
      const clip = { agentflow: "clip", version: 1, agents: [{ id: "bad9", name: "Bad9", ...part }], layout };
      await setClipboard(app, JSON.stringify(clip));
      await press(app, "Control+v");
      const toast = app.page.locator(".toast").filter({ hasText: `Nothing was pasted. ${said}` });
      await toast.waitFor();
      expect(await app.node("bad9").count()).toBe(0);
      await toast.getByRole("button", { name: "Close" }).click();
      await toast.waitFor({ state: "detached" });
    }
    // A field of the inspector doesn't take more than the hub does, either.
    await app.node("writer").click();
    await app.field("Name").fill("x".repeat(20_000));
    await app.page.getByText("The text can have at most 16 kB. Your last change isn't saved.").waitFor();
    await app.field("Name").fill("Editor");
    const d = await app.kept("the name", (x) => agent(x, "writer")?.name === "Editor");
    expect(ids(d)).toEqual(ids(before));
    expect(await app.page.getByText("Couldn't save your last edit.").count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a secret in clear does not go along, and that is said", async ({ open }) => {
    const key = `ghp_${"a1".repeat(15)}`;
    const app = await open({
      seed: async (hub) => {
        const [first] = await hub.teams();
        const d = await hub.team(first!.id);
        await hub.save(d.id, {
          ...d.topology,
          agents: d.topology.agents.map((a) =>
            a.id === "writer" ? { ...a, persona: `Push with ${key} at night.`, secretEnv: "GH_TOKEN" } : a,
          ),
        });
      },
    });
    await permit(app);
    await app.node("writer").click();
    await press(app, "Control+c");
    await app.page.getByText("Copied without 1 item that looks like a secret: Persona of Writer.").waitFor();
    const text = await clipboard(app);
    expect(text).not.toContain(key);
    expect(JSON.parse(text)).toMatchObject({
      agents: [{ id: "writer", persona: "Push with [removed] at night.", secretEnv: "GH_TOKEN" }],
    });
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 from the menu: copy, and paste where the menu was opened; without permission the keys are named", async ({
    open,
  }) => {
    const app = await open();
    await permit(app);
    await app.node("writer").click({ button: "right" });
    await app.page.getByRole("menuitem", { name: /^Copy/ }).click();
    await until(
      "the clipboard",
      () => clipboard(app),
      (v) => v.includes('"writer"'),
    );
    await app.page.getByRole("menu").waitFor({ state: "detached" });
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y, { button: "right" });
    await app.page.getByRole("menuitem", { name: /^Paste/ }).click();
    await app.kept("the copy", (d) => !!agent(d, "writer-1"));
    const mid = await app.middle(app.node("writer-1"));
    expect(Math.hypot(mid.x - at.x, mid.y - at.y)).toBeLessThan(14);

    await app.context.clearPermissions();
    await app.page.evaluate(() => {
      navigator.clipboard.readText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    });
    const free = await app.emptyPlace();
    await app.page.mouse.click(free.x, free.y, { button: "right" });
    await app.page.getByRole("menuitem", { name: /^Paste/ }).click();
    await app.page.getByText("Press Ctrl+V.").waitFor();
  });

  test("APP-1 a whole team file that is pasted is offered as a new team", async ({ open }) => {
    const app = await open();
    await permit(app);
    const { id } = await app.team();
    const file = await app.hub.ask<{ text: string }>("GET", `/api/teams/${id}/export?format=agentflow`);
    const at = await app.emptyPlace();
    await app.page.mouse.click(at.x, at.y);
    await setClipboard(app, file.text);
    await press(app, "Control+v");
    await app.button("Open as team").click();
    const d = await until(
      "the new team",
      () => app.team(),
      (x) => x.id !== id,
    );
    expect(ids(d)).toEqual(example);
    expect(app.complaints).toEqual([]);
  });
});

describe("duplicate and select", () => {
  test("APP-1 Ctrl+A and Ctrl+D: everything once more, in one step", async ({ open }) => {
    const app = await open();
    await app.page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
    await press(app, "Control+a");
    await until(
      "all to be selected",
      () => app.page.locator(".react-flow__node.selected").count(),
      (n) => n === 6,
    );
    await press(app, "Control+d");
    const d = await app.kept("all twice", (x) => x.topology.agents.length === 10 && x.topology.notes?.length === 2);
    const lines = (among: string[]) =>
      d.topology.agents.filter((a) => among.includes(a.id)).reduce((n, a) => n + (a.connections?.length ?? 0), 0);
    expect(lines(ids(d).slice(5))).toBe(lines(example));
    expect(d.topology.layout!["lead-1"]).toEqual({
      x: d.topology.layout!.lead!.x + 32,
      y: d.topology.layout!.lead!.y + 32,
    });
    await app.undo();
    const end = await app.kept("all once", (x) => x.topology.agents.length === 5);
    expect(end.changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a box takes what it touches; Shift adds and takes away", async ({ open }) => {
    const app = await open();
    const selected = () =>
      app.page.locator(".react-flow__node-agent.selected").evaluateAll((all) =>
        all
          .map((e) => (e as HTMLElement).dataset.id)
          .sort()
          .join(),
      );
    const box = async (id: string, shift = false) => {
      const b = (await app.node(id).boundingBox())!;
      if (shift) await app.page.keyboard.down("Shift");
      await app.drag({ x: b.x - 14, y: b.y + b.height + 14 }, { x: b.x + 20, y: b.y + b.height - 14 });
      if (shift) await app.page.keyboard.up("Shift");
    };
    await box("researcher");
    await until("the touched one", selected, (v) => v === "researcher");
    await box("writer", true);
    await until("one more", selected, (v) => v === "researcher,writer");
    await box("researcher", true);
    await until("one less", selected, (v) => v === "writer");
    await box("researcher");
    await until("the touched one alone", selected, (v) => v === "researcher");
  });
});
