import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";

/** What stands upon something else: agents and notes upon each other or under the frame of another group. */
const overlaps = async (app: App): Promise<string[]> => {
  const { topology } = await app.team();
  const mine = Object.fromEntries(
    (topology.groups ?? []).map((g) => [
      `group:${g.id}`,
      [g, ...topology.groups!.filter((n) => n.parent === g.id)].flatMap((x) => x.members ?? []),
    ]),
  );
  return app.page.evaluate((inside) => {
    const all = [...document.querySelectorAll<HTMLElement>(".canvas .react-flow__node")].map((el) => ({
      id: el.dataset.id ?? "",
      r: el.getBoundingClientRect(),
    }));
    const meet = (a: DOMRect, b: DOMRect) =>
      a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return all.flatMap((a, i) =>
      all.slice(i + 1).flatMap((b) => {
        const frame = [a, b].find((n) => n.id in inside),
          other = frame === a ? b : a;
        const free =
          frame && (other.id in inside || other.id.startsWith("note:") || inside[frame.id]!.includes(other.id));
        return !free && meet(a.r, b.r) ? [`${a.id} and ${b.id}`] : [];
      }),
    );
  }, mine);
};

/** Whether a node is wholly in view. */
const inView = (app: App, id: string) =>
  app.node(id).evaluate((n) => {
    const a = n.getBoundingClientRect(),
      b = n.closest(".canvas")!.getBoundingClientRect();
    return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  });
const transform = (app: App) =>
  app.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")!.style.transform);

/** Adds what the key is for, ends its writing, and looks where it stands. */
async function add(app: App, key: "a" | "n"): Promise<void> {
  const { topology: was } = await app.team();
  await app.page.keyboard.press(key);
  if (key === "n") await app.page.keyboard.type("remember");
  await app.page.keyboard.press("Escape");
  const { topology } = await app.kept(
    "the new one",
    (d) =>
      d.topology.agents.length + (d.topology.notes?.filter((n) => n.text).length ?? 0) >
      was.agents.length + (was.notes?.filter((n) => n.text).length ?? 0),
  );
  const id = key === "a" ? topology.agents.at(-1)!.id : `note:${topology.notes!.at(-1)!.id}`;
  await until(`${id} to be in view`, () => inView(app, id));
  expect(await overlaps(app)).toEqual([]);
}

/** Two agents far apart in one group, so that the middle of its frame is empty. */
const wideGroup = {
  seed: async (hub: Hub) => {
    const [d] = await hub.teams();
    const { topology } = await hub.team(d!.id);
    const layout = {
      lead: { x: 0, y: 0 },
      researcher: { x: 800, y: 400 },
      writer: { x: 0, y: 700 },
      backend: { x: 400, y: 700 },
      reviewer: { x: 800, y: 700 },
    };
    const groups = [{ id: "wide", name: "Wide", members: ["lead", "researcher"] }];
    await hub.save(d!.id, { ...topology, layout, groups, notes: [] }, "create");
  },
};

describe("APP-1 a new agent or note", () => {
  test("stands free and in view, several in a row, also where it is zoomed in", async ({ open }) => {
    const app = await open();
    await app.node("lead").click();
    const zoom = () => app.page.getByRole("group", { name: "Zoom" }).getByText("%").innerText();
    for (let i = 0; parseInt(await zoom(), 10) < 180 && i < 9; i++) await app.page.keyboard.press("+");
    expect(parseInt(await zoom(), 10)).toBeGreaterThanOrEqual(180);
    for (const key of ["a", "n", "a", "n", "a", "a", "n", "a"] as const) await add(app, key);
    expect(app.complaints).toEqual([]);
  });

  test("comes into the view that was panned away, and leaves it as it is", async ({ open }) => {
    const app = await open(),
      at = await app.emptyPlace();
    await app.page.mouse.move(at.x, at.y);
    for (let i = 0; i < 6; i++) await app.page.mouse.wheel(300, 400);
    await app.node("writer").waitFor({ state: "detached" });
    const before = await transform(app);
    for (const key of ["n", "a", "a"] as const) await add(app, key);
    expect(await transform(app)).toBe(before);
  });

  test("stands under no frame of a group", async ({ open }) => {
    const app = await open(wideGroup);
    await app.node("lead").waitFor();
    for (const key of ["a", "a", "n", "a"] as const) await add(app, key);
  });

  test("by a double-click in a frame comes into the group, beside who is there", async ({ open }) => {
    const app = await open(wideGroup),
      lead = (await app.node("lead").boundingBox())!,
      researcher = (await app.node("researcher").boundingBox())!;
    for (const [i, at] of [
      { x: lead.x + 30, y: lead.y + lead.height + 20 },
      { x: researcher.x - 24, y: researcher.y + 10 },
    ].entries()) {
      await app.page.mouse.dblclick(at.x, at.y);
      await app.page.keyboard.press("Escape");
      await app.kept("one more in the group", (d) => d.topology.groups![0]!.members!.length === 3 + i);
      expect(await overlaps(app)).toEqual([]);
    }
  });

  test("by a double-click at the edge of the view or close to an agent moves aside", async ({ open }) => {
    const app = await open(),
      box = (await app.page.locator(".react-flow__pane").boundingBox())!;
    const lead = (await app.node("lead").boundingBox())!;
    for (const [x, y] of [
      [box.x + box.width - 6, box.y + box.height / 2],
      [box.x + box.width / 2, box.y + 6],
      [lead.x - 24, lead.y + 8],
    ] as const) {
      const n = (await app.team()).topology.agents.length,
        before = await transform(app);
      await app.page.mouse.dblclick(x, y);
      await app.page.keyboard.press("Escape");
      const { topology } = await app.kept("the agent", (d) => d.topology.agents.length === n + 1);
      expect(await inView(app, topology.agents.at(-1)!.id)).toBe(true);
      expect(await transform(app)).toBe(before);
      expect(await overlaps(app)).toEqual([]);
    }
  });
});
