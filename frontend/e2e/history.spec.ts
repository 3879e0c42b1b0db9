import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { redraw, withAgent } from "./seed.ts";

const rows = (app: App) => app.page.locator("[data-version]");

describe("history in full", () => {
  test("APP-5 any two versions are compared on the canvas and as text; each line has its picture", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    await redraw(app.hub, id, "edit.name|Editor", withAgent("writer", { name: "Editor" }));
    await app.hub.apply(id);
    await redraw(app.hub, id, "edit.name|Captain", withAgent("lead", { name: "Captain" }));
    const { versions } = await app.hub.ask<{ versions: { id: string; at: string; cause: string }[] }>(
      "GET",
      `/api/teams/${id}/versions`,
    );
    await app.go("history");
    const told = await until(
      "each line with its time and who did it",
      () =>
        rows(app).evaluateAll((all) =>
          all.map((e) => [
            (e as HTMLElement).dataset.version,
            e.querySelector("time")?.dateTime,
            / · |^You/.test(e.querySelector(".cap")?.textContent ?? ""),
          ]),
        ),
      (all) => all.length >= 3,
    );
    expect(told).toEqual(told.map(([v]) => [v, versions.find((x) => x.id === v)?.at, true]));
    expect(versions.map((v) => v.cause)).toEqual(expect.arrayContaining(["import", "apply", "edit"]));
    for (const cause of ["Imported from", "Applied"]) await rows(app).filter({ hasText: cause }).first().waitFor();
    const first = rows(app).filter({ hasText: "Imported from" });
    await first.waitFor();
    await until(
      "the pictures",
      () =>
        app.page
          .locator(".thumb img")
          .evaluateAll((l) =>
            l.every((e) => (e as HTMLImageElement).complete && (e as HTMLImageElement).naturalWidth > 0),
          ),
      Boolean,
    );
    await first.hover();
    await first.getByRole("button", { name: "Compare from here" }).click();
    await rows(app).first().locator("[data-row]").click();
    await app.page.getByText("2 changed").waitFor();
    await until(
      "the marks",
      () => app.page.locator(".react-flow__node .mark--chg").count(),
      (n) => n === 2,
    );
    await app.page.getByRole("radio", { name: "Text" }).click();
    await until(
      "both texts",
      () => app.page.locator(".textdiff").innerText(),
      (s) => ["Writer", "Editor", "Lead", "Captain"].every((x) => s.includes(x)),
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-5 a name is given, found by its filter, and taken away with the way back", async ({ open }) => {
    const app = await open();
    const { id, head } = await app.team();
    await redraw(app.hub, id, "edit.name|Editor", withAgent("writer", { name: "Editor" }));
    await app.hub.ask("PATCH", `/api/teams/${id}/versions/${head}`, { name: "Before the release" });
    await app.go("history");
    await app.page.getByRole("radio", { name: "Named" }).click();
    await until(
      "one line",
      () => rows(app).count(),
      (n) => n === 1,
    );
    await rows(app).getByText("Before the release").click();
    await app.button("Remove name").click();
    await app.page.getByText("No named versions").waitFor();
    await app.page
      .getByRole("status")
      .filter({ hasText: "Before the release" })
      .getByRole("button", { name: "Undo" })
      .click();
    await until(
      "the name again",
      () => app.hub.ask<{ versions: { name?: string }[] }>("GET", `/api/teams/${id}/versions?only=named`),
      (r) => r.versions.some((v) => v.name === "Before the release"),
    );
  });

  test("APP-5 mere moves are no changes, and a long history comes page by page", async ({ open }) => {
    const app = await open();
    const { id } = await app.team();
    for (let i = 0; i < 260; i++)
      await redraw(app.hub, id, `edit.move|Lead ${i}`, (t) => ({
        ...t,
        layout: { ...t.layout, lead: { x: i, y: i } },
      }));
    const { versions } = await app.hub.ask<{
      versions: { added: number; removed: number; changed: number; moved: number }[];
    }>("GET", `/api/teams/${id}/versions?limit=1`);
    expect(versions[0]).toMatchObject({ added: 0, removed: 0, changed: 0, moved: 1 });
    await app.go("history");
    await app.page.getByText("Edited 260 times").or(app.page.getByText("Edited 200 times")).first().waitFor();
    await until(
      "all of it, without a click",
      () => app.page.getByText(/^Imported from/).count(),
      (n) => n === 1,
    );
  });
});
