import { describe } from "vitest";
import type { Team } from "../src/topology/types.ts";
import { expect, test, until, type App, type Options } from "./app.ts";
import { groupedTeam } from "./seed.ts";

const seeded: Options = {
  seed: async (hub) => {
    const [d] = await hub.teams();
    await hub.save(d!.id, groupedTeam(false), "create");
  },
};
const group = (d: Team, id: string) => d.topology.groups?.find((g) => g.id === id);
const at = (d: Team, id: string) => {
  const p = d.topology.layout![id]!;
  return { x: p.x, y: p.y };
};
const head = (app: App, id: string) => app.group(id).locator(".frame-head");
const places = (d: Team) => JSON.stringify(Object.entries(d.topology.layout ?? {}).sort());

describe("groups", () => {
  test("APP-1 a group is made of what is selected, named in place, and undone; the gateway is sent nothing", async ({
    open,
  }) => {
    const app = await open();
    await app.node("researcher").click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    await app.page.keyboard.press("Control+g");
    const made = await app.kept("a group", (d) => d.topology.groups?.length === 1);
    const { id, members } = made.topology.groups![0]!;
    expect(members).toEqual(["researcher", "writer"]);
    expect(made.unsent).toBe(0);
    const frame = await app.group(id).boundingBox(),
      inside = await app.node("writer").boundingBox();
    expect(frame!.x < inside!.x && frame!.x + frame!.width > inside!.x + inside!.width && frame!.y < inside!.y).toBe(
      true,
    );
    await app.page.keyboard.press("F2");
    const field = app.page.locator(".frame-input");
    await field.waitFor();
    await field.fill("");
    await app.compose("せっけい");
    await app.page.keyboard.press("Enter"); // the input method's own
    await app.commit("設計");
    expect(await field.inputValue()).toBe("設計");
    await app.page.keyboard.press("Enter");
    await app.kept("its name", (d) => group(d, id)?.name === "設計");
    await app.undo();
    await app.undo();
    await app.kept("no group", (d) => !d.topology.groups?.length && d.topology.agents.length === 5);
    await app.redo();
    await app.kept("the group again", (d) => group(d, id)?.members?.length === 2);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 what is typed after Ctrl+G or the Group tool is the group's name; an empty field keeps the name", async ({
    open,
  }) => {
    const app = await open();
    const { keyboard } = app.page;
    const names = (d: Team) => d.topology.groups?.map((g) => g.name).join() ?? "";
    const before = (await app.team()).topology.notes?.length;
    await app.node("researcher").click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    await keyboard.press("Control+g");
    await keyboard.type("Night shift");
    await keyboard.press("Enter");
    await app.kept("the name", (d) => names(d) === "Night shift");
    await app.node("backend").click();
    await app.page.getByRole("toolbar", { name: "Tools" }).getByRole("button", { name: "Group" }).click();
    await app.page.locator(".frame-input").waitFor();
    await keyboard.press("Delete");
    await keyboard.press("Enter");
    await app.page.locator(".frame-input").waitFor({ state: "detached" });
    await app.saved();
    const d = await app.team();
    expect(names(d)).toBe("Night shift,Group 1");
    expect([d.topology.agents.length, d.topology.notes?.length]).toEqual([5, before]);
    await app.undo();
    await app.kept("the group gone", (x) => names(x) === "Night shift");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a box around a whole frame chooses the frame; a box inside it chooses who is inside", async ({
    open,
  }) => {
    const app = await open({ ...seeded });
    await app.button(/^Fit/).first().click();
    await app.ready();
    const chosen = () =>
      app.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".react-flow__node.selected")].map((e) => e.dataset.id ?? "").sort(),
      );
    const frame = (await app.group("build").boundingBox())!;
    await app.drag(
      { x: frame.x + frame.width + 6, y: frame.y + frame.height + 6 },
      { x: frame.x - 6, y: frame.y - 6 },
      12,
    );
    await until(
      "the frame and none of those inside",
      chosen,
      (ids) =>
        ids.includes("group:build") &&
        !ids.some((id) => ["arch", "docs", "qa", "backend", "frontend", "group:code"].includes(id)),
    );
    const inner = (await app.group("code").boundingBox())!;
    await app.drag(
      { x: inner.x + 3, y: inner.y + inner.height - 3 },
      { x: inner.x + inner.width - 3, y: inner.y + inner.height / 2 },
      12,
    );
    await until("those inside", chosen, (ids) => ids.join() === "backend,frontend");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a group that a file brings without agents is seen below the team, filled by dragging, and deleted", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        const [d] = await hub.teams(),
          now = await hub.team(d!.id);
        await hub.save(d!.id, {
          ...now.topology,
          groups: [
            { id: "new", name: "New" },
            { id: "old", name: "Old" },
          ],
        });
      },
    });
    await app.button(/^Fit/).first().click();
    await app.ready();
    await head(app, "old").click();
    await app.page.keyboard.press("Delete");
    await app.kept("one group left", (d) => d.topology.groups?.map((g) => g.id).join() === "new");
    await app.undo();
    await app.kept("both again", (d) => d.topology.groups?.length === 2);
    await app.drag(await app.middle(app.node("writer")), await app.middle(app.group("new")), 16);
    await app.kept("somebody in it", (d) => group(d, "new")?.members?.join() === "writer");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a frame is dragged with everybody inside, also in the group inside; one undo step", async ({ open }) => {
    const app = await open({ ...seeded });
    const before = await app.team(),
      from = await app.middle(head(app, "build"));
    await app.drag(from, { x: from.x + 64, y: from.y + 48 }, 12);
    const after = await app.kept("the move", (d) => at(d, "arch").x !== at(before, "arch").x);
    const step = { x: at(after, "arch").x - at(before, "arch").x, y: at(after, "arch").y - at(before, "arch").y };
    for (const id of ["docs", "qa", "backend", "frontend"])
      expect(at(after, id)).toEqual({ x: at(before, id).x + step.x, y: at(before, id).y + step.y });
    for (const id of ["lead", "research", "ops"]) expect(at(after, id)).toEqual(at(before, id));
    await app.undo();
    await app.kept("everybody back", (d) => places(d) === places(before));
  });

  test("APP-1 an agent is dragged into a group and out, and the frame shows it before the drop", async ({ open }) => {
    const app = await open({ ...seeded });
    const from = await app.middle(app.node("research")),
      to = await app.middle(app.node("arch"));
    const { mouse } = app.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    for (let i = 1; i <= 10; i++)
      await mouse.move(from.x + ((to.x - 90 - from.x) * i) / 10, from.y + ((to.y - from.y) * i) / 10);
    await app.group("build").locator(".frame.is-target").waitFor();
    await app.page.getByRole("status").filter({ hasText: "to Build" }).waitFor();
    await mouse.up();
    const inside = await app.kept("it in the group", (d) => !!group(d, "build")?.members?.includes("research"));
    expect(
      inside.changes.filter((c) => c.agent === "research" && c.subject === "group").map((c) => [c.op, c.after]),
    ).toEqual([["moved", "build"]]);
    await app.undo();
    await app.kept(
      "it out and back, in one step",
      (d) => !group(d, "build")?.members?.includes("research") && at(d, "research").x === 0,
    );
    const qa = await app.middle(app.node("qa"));
    await app.drag(qa, { x: qa.x, y: qa.y + 190 }, 12);
    await app.kept("the tester out", (d) => !group(d, "build")?.members?.includes("qa"));
  });

  test("APP-1 a group folds to one node with its number and faces; its connections are bundled; it unfolds", async ({
    open,
  }) => {
    const app = await open({ ...seeded });
    await app.node("arch").waitFor();
    await head(app, "build").hover();
    await app.button("Collapse").first().click();
    await app.kept("it folded", (d) => group(d, "build")?.collapsed === true);
    await app.node("arch").waitFor({ state: "detached" });
    await app.group("code").waitFor({ state: "detached" });
    const folded = app.group("build").locator(".folded");
    expect(await folded.innerText()).toContain("5 agents");
    expect(await folded.locator(".ava--sm").count()).toBe(5);
    const bundle = app.page.locator('.react-flow__edge[data-id="bundle:command:lead:group:build"]');
    await bundle.waitFor();
    await until(
      "how many go there",
      () => app.page.locator(".edge-count").allInnerTexts(),
      (all) => all.includes("2"),
    );
    await app.undo();
    await app.node("arch").waitFor();
    await app.group("run").dblclick();
    await app.kept("the other unfolded", (d) => !group(d, "run")?.collapsed);
    await app.node("ops").waitFor();
  });

  test("APP-1 groups nest one level: deeper is refused and says why", async ({ open }) => {
    const app = await open({ ...seeded });
    await head(app, "build").click();
    await app.page.keyboard.press("Control+g");
    await app.page.getByText("Groups can be nested only one level deep.").waitFor();
    await app.node("backend").click();
    await app.page.keyboard.press("Control+g");
    await app.saved();
    expect((await app.team()).topology.groups?.map((g) => g.id)).toEqual(["build", "code", "run"]);
  });

  test("APP-1 a group is ungrouped, deleted and deleted with its agents; each is undone", async ({ open }) => {
    const app = await open({ ...seeded });
    const ids = (d: Team) => d.topology.groups?.map((g) => g.id).join() ?? "";
    await head(app, "code").click();
    await app.page.keyboard.press("Control+Shift+g");
    await app.kept(
      "it gone, its agents in the outer one",
      (d) => ids(d) === "build,run" && group(d, "build")!.members!.includes("backend"),
    );
    await app.undo();
    await head(app, "code").click();
    await app.page.keyboard.press("Delete");
    await app.kept("only the frame gone", (d) => ids(d) === "build,run" && d.topology.agents.length === 9);
    await app.undo();
    await app.kept("it back", (d) => ids(d) === "build,code,run");
    await head(app, "code").click({ button: "right" });
    await app.page.getByRole("menuitem", { name: "Delete with 2 agents" }).click();
    await app.kept("its agents gone too", (d) => ids(d) === "build,run" && d.topology.agents.length === 7);
    await app.undo();
    await app.kept("all back", (d) => ids(d) === "build,code,run" && d.topology.agents.length === 9);
  });

  test("APP-1 the inspector names, colors, folds and locks a group and takes agents out", async ({ open }) => {
    const app = await open({ ...seeded });
    const { unsent } = await app.team();
    await head(app, "build").click();
    await app.field("Name").fill("Makers");
    await app.kept("the name", (d) => group(d, "build")?.name === "Makers");
    await app.page.getByRole("radio", { name: "Color 9" }).click();
    await app.kept("the color", (d) => group(d, "build")?.color === 9);
    await app.button("Remove Writer from the group").click();
    const d = await app.kept("the writer out", (x) => !group(x, "build")?.members?.includes("docs"));
    expect(d.unsent).toBe(unsent);
    await app.page.getByRole("checkbox", { name: /^Collapsed/ }).click();
    await app.kept("it folded", (x) => group(x, "build")?.collapsed === true);
  });

  test("APP-1 groups by the keyboard: Tab reaches them, arrows move them, F folds them", async ({ open }) => {
    const app = await open({ ...seeded });
    const { keyboard } = app.page;
    await app.node("lead").focus();
    const here = () =>
      app.page.evaluate(() => document.activeElement?.closest<HTMLElement>(".react-flow__node")?.dataset.id ?? "");
    const seen: string[] = [];
    for (let i = 0; i < 12 && !seen.includes("group:build"); i++) {
      await keyboard.press("Tab");
      seen.push(await until("the focus", here, (x) => x !== "" && x !== seen.at(-1)));
    }
    expect(seen).toContain("group:build");
    const before = await app.team();
    await keyboard.press("ArrowDown");
    await app.kept(
      "the group moved",
      (d) =>
        at(d, "arch").y === at(before, "arch").y + 8 &&
        at(d, "backend").y === at(before, "backend").y + 8 &&
        at(d, "lead").y === 0,
    );
    await keyboard.press("f");
    await app.kept("it folded", (d) => group(d, "build")?.collapsed === true);
    expect(app.complaints).toEqual([]);
  });
});

describe("locks", () => {
  test("APP-1 what is locked is not moved, nor deleted, nor laid out; it is unlocked again", async ({ open }) => {
    const app = await open({ ...seeded });
    const before = await app.team();
    const from = await app.middle(app.node("lead"));
    await app.drag(from, { x: from.x + 90, y: from.y + 60 }, 10);
    await app.node("lead").click();
    await app.page.keyboard.press("ArrowDown");
    await app.page.keyboard.press("Delete");
    await app.page.getByText("1 locked item stays").waitFor();
    await app.button("Auto-layout").first().click();
    const laid = await app.kept("the layout", (d) => places(d) !== places(before));
    expect(laid.topology.layout!.lead).toEqual({ x: 480, y: 0, locked: true });
    await app.undo();
    await app.kept("the layout undone in one step", (d) => places(d) === places(before));
    await app.node("lead").click();
    await app.page.keyboard.press("Control+Shift+l");
    const free = await app.kept("it unlocked", (d) => !d.topology.layout!.lead!.locked);
    expect(free.unsent).toBe(before.unsent);
    await app.page.keyboard.press("ArrowDown");
    await app.kept("it moved", (d) => d.topology.layout!.lead!.y === 8);
  });
});

describe("layout", () => {
  test("APP-1 a selection is laid out where it stands, the rest stays; one undo step", async ({ open }) => {
    const app = await open({ ...seeded, reducedMotion: "reduce" });
    const before = await app.team();
    await head(app, "build").click({ button: "right" });
    await app.page.getByRole("menuitem", { name: "Auto-layout selection" }).click();
    const after = await app.kept("the group laid out", (d) => places(d) !== places(before));
    for (const id of ["lead", "research", "ops", "review"]) expect(at(after, id)).toEqual(at(before, id));
    expect(group(after, "build")?.members).toEqual(group(before, "build")?.members);
    const boxes = after.topology.agents.map((a) => at(after, a.id));
    expect(
      boxes.filter((p, i) => boxes.some((q, k) => k !== i && Math.abs(p.x - q.x) < 180 && Math.abs(p.y - q.y) < 70)),
    ).toEqual([]);
    await app.undo();
    await app.kept("all as before", (d) => places(d) === places(before));
  });

  test("APP-1 all is laid out with the groups together, gliding there", async ({ open }) => {
    const app = await open({ ...seeded });
    const before = await app.team();
    await app.button("Auto-layout").first().click();
    const after = await app.kept("the layout", (d) => places(d) !== places(before));
    const seen = await until(
      "the nodes to rest where the hub has them",
      async () => {
        const a = await app.node("arch").boundingBox(),
          b = await app.node("docs").boundingBox();
        return a && b ? (b.x - a.x) / a.width : NaN;
      },
      (x) => Math.abs(x - (at(after, "docs").x - at(after, "arch").x) / 180) < 0.02,
    );
    expect(seen).not.toBeNaN();
    await app.undo();
    await app.kept("all as before, in one step", (d) => places(d) === places(before));
  });
});

describe("notes", () => {
  test("APP-1 a note is written in several lines, sized by its handle and colored; it is seen in the history", async ({
    open,
  }) => {
    const app = await open({ ...seeded });
    const note = app.page.locator('.react-flow__node[data-id="note:rule"]');
    await note.dblclick();
    const field = note.locator("textarea");
    await field.fill("一行目");
    await app.page.keyboard.press("Enter");
    await app.compose("にぎょうめ");
    await app.page.keyboard.press("Escape"); // the input method's own: the note stays open
    await field.waitFor();
    await app.commit("二行目");
    await app.page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await app.kept("both lines", (d) => d.topology.notes![0]!.text === "一行目\n二行目");
    await note.click();
    const grip = await app.middle(note.locator(".note-size"));
    await app.drag(grip, { x: grip.x + 60, y: grip.y + 70 }, 10);
    const sized = await app.kept(
      "its size",
      (d) => (d.topology.notes![0]!.height ?? 0) > 0 && d.topology.notes![0]!.width! > 220,
    );
    const asLarge = () =>
      until(
        "the paper to be as large",
        () => note.locator(".note").evaluate((el) => (el as HTMLElement).offsetHeight),
        (h) => h === sized.topology.notes![0]!.height,
      );
    await asLarge();
    await app.page.reload();
    await app.ready();
    await asLarge();
    await note.click();
    await app.page.getByRole("radio", { name: "Color 3" }).click();
    const d = await app.kept("its color", (x) => x.topology.notes![0]!.color === 3);
    expect(d.changes.filter((c) => c.subject === "note").map((c) => c.field ?? "")).toEqual(
      expect.arrayContaining([""]),
    );
    await app.go("history");
    await app.page.locator('[data-readonly] .react-flow__node[data-id="note:rule"]').getByText("二行目").waitFor();
    await app.page.locator('[data-readonly] .react-flow__node[data-id="group:build"]').waitFor();
  });
});
