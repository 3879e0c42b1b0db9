import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { changes, seedShop } from "./seed.ts";

/** Zooms out until agents are drawn by color and name only. */
async function goFar(app: App): Promise<void> {
  await until("the team to be far", async () => {
    if (await app.page.locator(".node--far").count()) return true;
    const at = await app.middle(app.page.locator(".react-flow__pane"));
    await app.page.mouse.move(at.x, at.y);
    await app.page.keyboard.down("Control"); // browsers report a pinch on a touchpad this way
    await app.page.mouse.wheel(0, 240);
    await app.page.keyboard.up("Control");
    return false;
  });
}

describe("seen from far", () => {
  for (const how of ["F2", "double click"] as const)
    test(`APP-1 an agent is renamed in place by ${how}, in letters that can be read`, async ({ open }) => {
      const app = await open();
      await goFar(app);
      if (how === "F2") {
        await app.node("writer").click();
        await app.page.keyboard.press("F2");
      } else await app.node("writer").dblclick();
      const field = app.node("writer").locator("input");
      await field.waitFor();
      const box = (await field.boundingBox())!;
      expect(Math.round(box.height)).toBe(28);
      expect(await field.evaluate((e) => e === document.activeElement)).toBe(true);
      await field.fill("");
      await app.compose("へんしゅう");
      await app.page.keyboard.press("Enter"); // the input method's own
      await app.commit("編集");
      await app.page.keyboard.press("Enter");
      await app.kept("the new name", (d) => d.topology.agents.some((a) => a.id === "writer" && a.name === "編集"));
      await field.waitFor({ state: "detached" });
      await app.undo();
      await app.kept("the old name", (d) => d.topology.agents.some((a) => a.id === "writer" && a.name === "Writer"));
      expect(app.complaints).toEqual([]);
    });

  test("APP-1 history and review show a team from far with its changes", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        await changes(hub, await seedShop(hub, false), false);
      },
    });
    await app.go("review");
    await app.page.locator("[data-change]").first().waitFor();
    await app.page.locator(".react-flow__node").first().waitFor();
    await goFar(app);
    await app.page.locator(".node--far > .mark").first().waitFor();
    await app.go("history");
    await app.page.locator(".react-flow__node").first().waitFor();
    await goFar(app);
    await until(
      "names",
      () => app.page.locator(".node--far").allInnerTexts(),
      (all) => all.some((n) => n.includes("Lead")),
    );
    expect(app.complaints).toEqual([]);
  });
});
