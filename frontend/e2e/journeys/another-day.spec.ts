import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { says, submit, view, withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";

// Journey 9: everything is closed in the middle of it, and is there again on another day.

const viewport = (app: App) =>
  app.page.evaluate(() => document.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform ?? "");

const scaleOf = (transform: string) => Number(/scale\(([\d.]+)\)/.exec(transform)?.[1] ?? 0);

describe("journey 9: another day", () => {
  test("APP-5 the chosen task stays open while other screens are looked at, and after a reload", async ({ open }) => {
    await withTeam(open, says("The guide is written."), async (app) => {
      const watch = Watch.start(app);
      const { taskId } = await submit(app.hub, "write the guide", { agent: "writer" });
      await app.go("tasks");
      await app.page.locator(`[data-task="${taskId}"]`).click();
      await view(app).getByText("The guide is written.").waitFor();
      for (const s of ["settings", "canvas", "rooms"]) await app.go(s);
      await app.page
        .getByRole("navigation")
        .getByRole("button", { name: /^Tasks/ })
        .first()
        .click();
      await view(app).getByText("The guide is written.").waitFor();
      await app.page.reload();
      await view(app).getByText("The guide is written.").waitFor();
      expect(await watch.problems(app.page)).toEqual([]);
    });
  });

  test("APP-5 the canvas keeps its zoom and place while other screens are looked at", async ({ open }) => {
    const app = await open(),
      watch = Watch.start(app);
    await app.page.mouse.move(640, 300);
    await app.page.keyboard.down("Control");
    let was = await viewport(app);
    // Left at once after the last turn of the wheel: React Flow has not reported the end of the move yet.
    for (let i = 0; i < 3; i++) {
      const before = was;
      await app.page.mouse.wheel(0, -120);
      await until("the view to come nearer", async () => {
        was = await viewport(app);
        return scaleOf(was) > scaleOf(before);
      });
    }
    await app.page.keyboard.up("Control");
    await app.go("settings");
    await app.page.getByRole("heading").first().waitFor();
    await app.go("canvas");
    await until(
      "the same view",
      () => viewport(app),
      (v) => v === was,
    );
    expect(await watch.problems(app.page)).toEqual([]);
  });
});
