import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { ConfigAgent } from "./hub.ts";
import { redraw, withAgent } from "./seed.ts";

const agents = async (app: App) => (await app.hub.config()).agents as Record<string, ConfigAgent>;
const progress = (app: App, text: string) => app.page.getByText(text, { exact: true }).waitFor();

/** Both sides changed a name, a persona and a list. */
async function collide(app: App): Promise<string> {
  const { id } = await app.team();
  await redraw(app.hub, id, "edit.tools", withAgent("backend", { tools: { allow: ["read"] } }));
  await app.hub.apply(id);
  await redraw(app.hub, id, "edit.name", withAgent("writer", { name: "Editor", persona: "Short sentences." }));
  await redraw(app.hub, id, "edit.tools", withAgent("backend", { tools: { allow: ["read", "write"] } }));
  await app.hub.changeConfig((c) => {
    const a = c.agents as Record<string, ConfigAgent>;
    Object.assign(a.writer!, { name: "Author", persona: "One example each." });
    a.backend!.tools = { allow: ["read", "search"] };
  });
  await app.toMerge();
  return id;
}

describe("three-way merge", () => {
  test("APP-3 by the keyboard: progress, keep both, undo of a decision; nothing is sent before the end", async ({
    open,
  }) => {
    const app = await open();
    await collide(app);
    await progress(app, "0 of 3 decided");
    await app.page.getByText("Until you decide a conflict, your value is shown").waitFor();
    expect(await app.page.getByText("What the gateway will contain").count()).toBe(0);
    const sides = await app.page.locator("section.merge-conflict").filter({ hasText: "Author" }).innerText();
    expect(["Writer", "Editor", "Author"].filter((side) => !sides.includes(side))).toEqual([]); // base, mine, theirs
    await app.page
      .locator(".merge-conflict")
      .nth(0)
      .click({ position: { x: 3, y: 3 } });
    const press = async (key: string) => {
      await app.page.keyboard.press(key);
    };
    await press("1");
    await progress(app, "1 of 3 decided");
    await press("ArrowDown");
    await press("4");
    await progress(app, "2 of 3 decided");
    await press("Control+z");
    await progress(app, "1 of 3 decided");
    await press("4");
    await progress(app, "2 of 3 decided");
    await press("j");
    await press("4");
    await progress(app, "All decided.");
    await app.page.getByText("What the gateway will contain").waitFor();
    expect((await agents(app)).writer?.name).toBe("Author");
    await until(
      "the result as text",
      () => app.page.locator(".merge-results").innerText(),
      (s) => s.includes("search"),
    );
    await app.page.keyboard.press("Control+Enter");
    await app.button(/^Apply \d/).click();
    await until(
      "the result there",
      () => agents(app),
      (a) => a.writer?.name === "Editor",
    );
    const now = await agents(app);
    expect(now.writer?.persona).toBe("Short sentences.\n\nOne example each.");
    expect([...(now.backend?.tools as { allow: string[] }).allow].sort()).toEqual(["read", "search", "write"]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-3 decisions survive a reload and a further change of theirs, but for what it was about", async ({
    open,
  }) => {
    const app = await open();
    await collide(app);
    await app.button("All gateway").click();
    await progress(app, "All decided.");
    await app.page.reload();
    await progress(app, "All decided.");
    await app.hub.changeConfig((c) => {
      (c.agents as Record<string, ConfigAgent>).writer!.name = "Poet";
    });
    await app.go("review");
    await app.toMerge();
    await progress(app, "2 of 3 decided");
    expect((await app.team()).topology.agents.find((a) => a.id === "writer")?.name).toBe("Editor");
  });
});
