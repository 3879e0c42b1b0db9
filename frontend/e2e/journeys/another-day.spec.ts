import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { says, submit, view, withTeam } from "../team.ts";
import { hubAway, Watch } from "./invariants.ts";
import { phone } from "./phone.ts";

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
      `the view ${was}`,
      () => viewport(app),
      (v) => v === was,
    );
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("APP-5 what was begun is there again on a phone and in Japanese; the history restores a version", async ({
    open,
  }) => {
    const app = await open(),
      watch = Watch.start(app, hubAway);
    await app.node("writer").click();
    await app.field("Name").fill("Editor");
    await app.kept("the edit", (d) => d.topology.agents.some((a) => a.name === "Editor"));
    const talk = `sessions/local/${encodeURIComponent("agent:lead:main")}`;
    const box = (page: Page) => page.locator(".composer textarea"),
      task = (page: Page) => page.locator(".tasks-compose textarea");
    await app.go(talk);
    await box(app.page).fill("Tomorrow we");
    await app.go("tasks");
    await task(app.page).fill("Write the guide");
    await until(
      "both drafts in the hub",
      () => app.hub.ask("GET", "/api/desk").then(JSON.stringify),
      (desk) => desk.includes("Tomorrow we") && desk.includes("Write the guide"),
    );
    await app.page.goto("about:blank");
    await app.hub.kill();
    await app.hub.restart();

    const other = await phone(app, "#/tasks");
    watch.add(other);
    try {
      const drafted = (what: string, at: Locator, text: string) =>
        until(
          what,
          () => at.inputValue(),
          (v) => v === text,
        );
      await drafted("the task", task(other), "Write the guide");
      expect(await other.evaluate(() => document.documentElement.lang)).toBe("ja");
      await other.evaluate((at) => {
        location.hash = `/${at}`;
      }, talk);
      await drafted("the message", box(other), "Tomorrow we");
      await box(other).press("End");
      await box(other).pressSequentially(" rest");
      await until(
        "the longer draft in the hub",
        () => app.hub.ask("GET", "/api/desk").then(JSON.stringify),
        (desk) => desk.includes("Tomorrow we rest"),
      );

      // Back at the desk, in Japanese.
      await app.page.goto(app.hub.link);
      await app.ready();
      await app.node("writer").getByText("Editor").waitFor();
      await app.go("settings");
      await app.button("Language and appearance").click();
      await app.page.getByRole("radio", { name: "日本語" }).click();
      await app.page.getByRole("heading", { name: "言語" }).first().waitFor();
      await app.go(talk);
      await drafted("what was written on the phone", box(app.page), "Tomorrow we rest");
      await app.go("history");
      await app.page.locator("[data-version]").first().getByText("Editor").first().waitFor();
      await app.page.locator("[data-version]").last().locator("[data-row]").click();
      await app.button("下書きに復元").click();
      await app.kept("the name as it was", (d) => d.topology.agents.some((a) => a.name === "Writer"));
      await app.go("canvas");
      await app.node("writer").getByText("Writer").waitFor();
      await app.undo();
      await app.kept("the edit again", (d) => d.topology.agents.some((a) => a.name === "Editor"));
      for (const page of [app.page, other]) expect(await watch.problems(page)).toEqual([]);
    } finally {
      await other.context().close();
    }
  });
});
