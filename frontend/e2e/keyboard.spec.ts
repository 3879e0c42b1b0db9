import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

const press = (app: App, ...chords: string[]) =>
  chords.reduce((before, chord) => before.then(() => app.page.keyboard.press(chord)), Promise.resolve());
const focused = (app: App) =>
  app.page.evaluate(() => {
    const e = document.activeElement as HTMLElement | null;
    return e?.dataset.id ?? e?.getAttribute("aria-label") ?? e?.innerText ?? "";
  });
const chosenNode = (app: App) =>
  app.page
    .locator(".react-flow__node.selected")
    .evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.id).join());
const chosenLine = (app: App) =>
  app.page
    .locator(".react-flow__edge.selected")
    .evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.id).join());
const said = (app: App) => app.page.locator("[data-announcer]").innerText();
const toNode = async (app: App, id: string) => {
  await app.node(id).focus();
  await press(app, "Escape");
  await app.node(id).focus();
  await press(app, "Tab", "Shift+Tab");
  await until(
    `${id} to be chosen`,
    () => chosenNode(app),
    (v) => v === id,
  );
};

/** Writes down from now on what toasts say, however short they stay: their texts in order, and how many there were at once at most. */
async function toasts(app: App): Promise<() => Promise<{ texts: string[]; most: number }>> {
  const seen = await app.page.evaluateHandle(() => {
    const all = { texts: [] as string[], most: 0 };
    new MutationObserver(() => {
      const now = [...document.querySelectorAll<HTMLElement>("[data-sonner-toast]:not([data-removed=true])")].map(
        (e) => e.innerText,
      );
      all.most = Math.max(all.most, now.length);
      for (const text of now) if (text && text !== all.texts.at(-1)) all.texts.push(text);
    }).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["data-removed"],
    });
    return all;
  });
  return () => seen.jsonValue();
}

describe("everything by keyboard", () => {
  test("APP-1 Tab leads over the skip link to the agents in reading order, and Alt with an arrow along connections", async ({
    open,
  }) => {
    const app = await open();
    await press(app, "Tab");
    expect(await focused(app)).toBe("Skip to main content");
    await press(app, "Enter", "Tab");
    await until(
      "the note",
      () => focused(app),
      (v) => v.startsWith("note:"),
    );
    await press(app, "Tab");
    await until(
      "the first agent",
      () => focused(app),
      (v) => v === "lead",
    );
    await press(app, "Tab", "Tab");
    await until(
      "two further",
      () => focused(app),
      (v) => v === "writer",
    );
    expect(await chosenNode(app)).toBe("writer");
    await press(app, "Alt+ArrowLeft");
    await until(
      "along the line to the left",
      () => focused(app),
      (v) => v === "researcher",
    );
    await press(app, "Alt+ArrowUp");
    await until(
      "along the line upwards",
      () => focused(app),
      (v) => v === "lead",
    );
    await press(app, "Alt+ArrowUp");
    await app.page.getByText("Lead isn't connected to any agent in that direction.").waitFor();
    expect(await focused(app)).toBe("lead");
    expect(app.page.url()).toContain(app.hub.url);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 L goes through an agent's connections; F2, 1 2 3, R and Delete act on the one that is chosen", async ({
    open,
  }) => {
    const app = await open();
    await toNode(app, "lead");
    await press(app, "l");
    await until(
      "the first",
      () => chosenLine(app),
      (v) => v === "connection:lead:command:researcher",
    );
    await until(
      "it to be said",
      () => said(app),
      (v) => v === "Delegate: Lead to Researcher, 1 of 2",
    );
    await press(app, "l");
    await until(
      "the second",
      () => chosenLine(app),
      (v) => v === "connection:lead:command:writer",
    );
    await press(app, "Shift+L");
    await until(
      "back to the first",
      () => chosenLine(app),
      (v) => v === "connection:lead:command:researcher",
    );
    expect(await focused(app)).toBe("lead");

    await press(app, "3");
    await app.kept(
      "a review",
      (d) =>
        !!d.topology.agents
          .find((a) => a.id === "lead")
          ?.connections?.some((c) => c.type === "review" && c.targetId === "researcher"),
    );
    await press(app, "F2");
    await app.page.keyboard.type("reads drafts");
    await press(app, "Enter");
    await app.kept(
      "the label",
      (d) => !!d.topology.agents.find((a) => a.id === "lead")?.connections?.some((c) => c.label === "reads drafts"),
    );
    await until(
      "the focus to be back",
      () => focused(app),
      (v) => v === "lead",
    );
    await press(app, "r");
    await app.kept(
      "it to be reversed",
      (d) =>
        !!d.topology.agents
          .find((a) => a.id === "researcher")
          ?.connections?.some((c) => c.type === "review" && c.targetId === "lead"),
    );
    await press(app, "Delete");
    await app.kept(
      "it to be gone",
      (d) =>
        !d.topology.agents.some((a) =>
          a.connections?.some((c) => c.type === "review" && (c.targetId === "lead" || c.targetId === "researcher")),
        ),
    );
    await until(
      "its agent to be chosen",
      () => chosenNode(app),
      (v) => v === "lead",
    );
    await press(app, "l", "Escape");
    await until(
      "Escape to lead back",
      () => chosenNode(app),
      (v) => v === "lead",
    );
    expect(await chosenLine(app)).toBe("");
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a key that cannot act says what it wants", async ({ open }) => {
    const app = await open();
    const words = await toasts(app);
    await press(app, "Tab", "Enter");
    for (const [key, why] of [
      ["c", "Select an agent first."],
      ["r", "Select a connection first."],
      ["Delete", "Nothing is selected."],
      ["Alt+a", "Select at least two items first."],
      ["Control+z", "Nothing to undo."],
      ["Control+Enter", "Nothing to review"],
    ] as const) {
      await press(app, key);
      await until(`it to say: ${why}`, words, (v) => v.texts.at(-1)?.startsWith(why) ?? false);
    }
    expect((await words()).most).toBe(1); // one word at a time
    await toNode(app, "backend");
    const d = await app.team();
    expect(d.changes).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 Ctrl+Enter reviews, wherever the focus is in the inspector, and presses nothing", async ({ open }) => {
    const app = await open();
    await app.node("writer").click();
    await app.field("Role").fill("Editor");
    const drawn = await app.kept("the role", (d) => d.unsent === 1);
    const inspector = app.page.getByRole("complementary", { name: "Inspector" });
    const any = inspector.getByRole("checkbox", { name: "Can delegate to all agents" });
    for (const at of [inspector.getByRole("combobox"), inspector.getByRole("button"), any]) {
      await at.last().focus();
      await press(app, "Control+Enter");
      await app.page.getByRole("checkbox", { name: "Apply all changes" }).first().waitFor();
      expect(await app.page.getByRole("listbox").or(app.page.getByRole("menu")).count()).toBe(0);
      await app.go("canvas");
      await app.node("writer").click();
    }
    expect((await app.team()).topology).toEqual(drawn.topology);
  });

  test("APP-1 Ctrl+Enter reviews from the ID field, with the ID that was typed", async ({ open }) => {
    const app = await open();
    await press(app, "a");
    await until(
      "the name to be asked for",
      () => app.page.evaluate(() => document.activeElement?.tagName ?? ""),
      (v) => v === "INPUT",
    );
    await app.page.keyboard.type("Critic");
    await press(app, "Enter");
    await app.kept("the agent", (d) => d.topology.agents.some((a) => a.name === "Critic"));
    await app.field("ID").fill("critic-of-all");
    await press(app, "Control+Enter");
    await app.page.getByRole("checkbox", { name: "Apply all changes" }).first().waitFor();
    await app.kept("the ID", (d) => d.topology.agents.some((a) => a.id === "critic-of-all"));
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a key that can't act shows why, even while the last message is leaving", async ({ open }) => {
    const app = await open();
    await press(app, "Tab", "Enter");
    await until(
      "the canvas to have the focus",
      () => app.page.evaluate(() => document.activeElement?.className ?? ""),
      (v) => v.includes("canvas-menu"),
    );
    await press(app, "c");
    await app.page.locator(".toast", { hasText: "Select an agent first." }).waitFor();
    // In the very moment in which it begins to leave, the next key is pressed.
    await app.page.evaluate(() => {
      const leaving = new MutationObserver(() => {
        if (!document.querySelector("[data-sonner-toast][data-removed=true]")) return;
        leaving.disconnect();
        document.activeElement!.dispatchEvent(
          new KeyboardEvent("keydown", { key: "r", bubbles: true, cancelable: true }),
        );
      });
      leaving.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ["data-removed"],
      });
    });
    await app.page
      .locator("[data-sonner-toast][data-removed=false]", { hasText: "Select a connection first." })
      .waitFor();
  });

  test("APP-1 after an agent is deleted, Tab goes on from where it was", async ({ open }) => {
    const app = await open();
    await toNode(app, "researcher");
    await press(app, "Delete");
    await app.kept("it to be gone", (d) => !d.topology.agents.some((a) => a.id === "researcher"));
    await until(
      "the deletion to be said",
      () => said(app),
      (v) => v === "Deleted Researcher",
    );
    await until(
      "the canvas to have the focus",
      () => app.page.evaluate(() => document.activeElement?.className ?? ""),
      (v) => v.includes("canvas-menu"),
    );
    await press(app, "Tab");
    await until(
      "the next one",
      () => focused(app),
      (v) => v === "writer",
    );
    await press(app, "Control+z");
    await until(
      "the way back to be said",
      () => said(app),
      (v) => v === "Undone: Deleted Researcher",
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 panels are resized by keyboard", async ({ open }) => {
    const app = await open();
    await app.node("lead").click();
    const edge = app.page.getByRole("separator", { name: "Width of the inspector" });
    const width = async () => Number(await edge.getAttribute("aria-valuenow"));
    await edge.focus();
    const before = await width();
    await press(app, "ArrowLeft");
    await until("a step wider", width, (v) => v === before + 16);
    await press(app, "Home");
    await until("the least", width, (v) => v === 280);
    await press(app, "End");
    await until("the most", width, (v) => v === 480);
    expect((await app.page.locator(".panel--side").boundingBox())!.width).toBe(480);
    await press(app, "Enter");
    await edge.waitFor({ state: "detached" });
  });

  test("APP-1 ? shows every key, in both languages, and finds them; Escape gives the focus back", async ({ open }) => {
    const app = await open();
    await toNode(app, "writer");
    await press(app, "?");
    const sheet = app.page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Follow a connection to the next agent").waitFor();
    await sheet.getByText("Next or previous conflict").waitFor();
    const all = await sheet.locator("dt").count();
    expect(all).toBeGreaterThan(30);
    await app.page.keyboard.type("zoom");
    await until(
      "what fits",
      () => sheet.locator("dt").allInnerTexts(),
      (v) => v.join("|") === "Zoom in|Zoom out|Zoom in, zoom out, fit (graph, timeline)",
    );
    await app.page.keyboard.type(" nowhere");
    await sheet.getByText("No shortcuts match “zoom nowhere”.").waitFor();
    await press(app, "Escape");
    await sheet.waitFor({ state: "detached" });
    await until(
      "the focus to be back",
      () => focused(app),
      (v) => v === "writer",
    );

    await app.hub.changeSettings({ language: "ja" });
    await app.page.getByText("待機中").first().waitFor();
    await app.run("ヘルプ：キーボードショートカット");
    await app.page
      .getByRole("dialog", { name: "キーボードショートカット" })
      .getByText("接続をたどって次のエージェントへ")
      .waitFor();
    await press(app, "Tab", "Tab", "Tab", "Tab", "Tab");
    expect(await app.page.evaluate(() => !!document.activeElement?.closest("[role=dialog]"))).toBe(true);
    expect(app.complaints).toEqual([]);
  });
});
