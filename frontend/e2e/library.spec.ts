import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";

type Row = { id: string; name: string };
const ja = /[\u3040-\u30ff\u4e00-\u9fff]/;
const card = (app: App, name: string) => app.page.getByRole("article", { name, exact: true });
const names = async (app: App) => (await app.hub.teams()).map((d) => d.name);
const withNames =
  (...all: string[]) =>
  async (hub: App["hub"]) => {
    for (const [i, name] of all.entries())
      await hub.ask("POST", "/api/teams", { name, template: ["pair", "hub", "pipeline"][i % 3] });
  };
const library = async (app: App) => {
  await app.go("teams");
  await app.page.getByRole("article").first().waitFor();
};

describe("the library", () => {
  test("APP-1 every team is there with its picture, is searched, sorted and opened by keyboard alone", async ({
    open,
  }) => {
    const app = await open({ seed: withNames("Alpha", "夜勤チーム", "Beta") });
    await app.button(/teams and actions$/).click();
    await app.page.getByText("All teams…").click();
    await card(app, "夜勤チーム").waitFor();
    await until(
      "the pictures",
      () => app.page.locator("article img").count(),
      (n) => n === 4,
    );
    const picture = await card(app, "Alpha")
      .locator("img")
      .evaluate((img: HTMLImageElement) => [
        img.complete && img.naturalWidth > 0,
        decodeURIComponent(img.src).split("<rect").length - 1,
      ]);
    expect(picture).toEqual([true, 2]);
    await card(app, "Beta").getByText("4 agents · 3 connections").waitFor();

    await app.page.keyboard.press("/");
    await app.page.keyboard.insertText("ちーむ");
    await until(
      "one that fits",
      () => app.page.getByRole("article").count(),
      (n) => n === 1,
    );
    expect(await app.page.locator("h1 + .num").textContent()).toBe("1");
    await app.page.keyboard.press("Escape");
    await app.page.getByLabel("Sort by").click();
    await app.page.getByRole("option", { name: "Name" }).click();
    await until(
      "by name",
      () =>
        app.page.locator("article").evaluateAll((all) =>
          all
            .map((a) => a.getAttribute("aria-label"))
            .slice(0, 2)
            .join(),
        ),
      (v) => v === "Alpha,Beta",
    );

    await card(app, "Alpha").locator("button").first().focus();
    await app.page.keyboard.press("ArrowRight");
    await app.page.keyboard.press("Enter");
    await until(
      "Beta on the canvas",
      async () => (await app.team()).name,
      (n) => n === "Beta",
    );
    await app.node("writer-2").waitFor(); // the gateway has a writer
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a team is renamed in place, with an input method too, and duplicated without being opened", async ({
    open,
  }) => {
    const app = await open({ seed: withNames("Alpha") });
    const shown = (await app.team()).id;
    await library(app);
    await card(app, "Alpha").locator("button").first().focus();
    await app.page.keyboard.press("F2");
    await app.page.keyboard.press("Control+a");
    await app.compose("やきん");
    await app.page.keyboard.press("Enter");
    expect(await names(app)).toContain("Alpha");
    await app.commit("夜勤");
    await app.page.keyboard.press("Enter");
    await until(
      "the new name in the hub",
      () => names(app),
      (n) => n.includes("夜勤") && !n.includes("Alpha"),
    );
    await card(app, "夜勤").waitFor();
    await app.page.keyboard.press("Control+d"); // the card has the focus again
    await card(app, "夜勤 (copy)").waitFor();
    expect((await app.team()).id).toBe(shown);
    const rows = await app.hub.ask<{ teams: (Row & { agents: number })[] }>("GET", "/api/teams");
    expect(rows.teams.filter((d) => d.name.startsWith("夜勤")).map((d) => d.agents)).toEqual([2, 2]);
  });

  test("APP-5 a deleted team is undone by the toast, or brought back later, until it is cleaned up", async ({
    open,
  }) => {
    const app = await open({ seed: withNames("Alpha", "Beta") });
    await library(app);
    await card(app, "Alpha").locator("button").first().focus();
    await app.page.keyboard.press("Delete");
    await until(
      "Alpha gone from the hub",
      () => names(app),
      (n) => !n.includes("Alpha"),
    );
    await app.frontToast().getByRole("button", { name: "Undo" }).click();
    await until(
      "Alpha back",
      () => names(app),
      (n) => n.includes("Alpha"),
    );
    await app.page.locator(".toast").waitFor({ state: "detached" }); // it gives the focus back, which would close a menu

    await card(app, "Alpha").hover();
    await card(app, "Alpha").getByRole("button", { name: "Actions for Alpha" }).click();
    await app.page.getByRole("menuitem", { name: /^Delete/ }).click();
    await until(
      "Alpha gone again",
      () => names(app),
      (n) => !n.includes("Alpha"),
    );
    await app.page.reload();
    await app.page.getByRole("radio", { name: "Deleted" }).click();
    await card(app, "Alpha").getByText("2 agents").waitFor();
    await app.button("Restore Alpha").click();
    await until(
      "Alpha back with its history",
      () => names(app),
      (n) => n.includes("Alpha"),
    );

    await app.page.getByRole("radio", { name: "Teams" }).click();
    await card(app, "Beta").locator("button").first().focus();
    await app.page.keyboard.press("Delete");
    await app.page.getByRole("radio", { name: "Deleted" }).click();
    await app.button("Clean up").click();
    const dialog = app.page.getByRole("dialog");
    await dialog.getByText("You can't undo this.").waitFor();
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await app.page.getByText("No deleted teams").waitFor();
    expect((await app.hub.ask<{ teams: Row[] }>("GET", "/api/deleted-teams")).teams).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 the team that is open may be deleted; another takes its place", async ({ open }) => {
    const app = await open({ seed: withNames("Alpha") });
    const was = (await app.team()).id;
    await library(app);
    const name = (await app.hub.team(was)).name;
    await card(app, name).locator("button").first().focus();
    await app.page.keyboard.press("Delete");
    await until(
      "another open",
      async () => (await app.team()).id,
      (id) => id !== was,
    );
    await app.go("canvas");
    await app.page.locator(".react-flow__node").first().waitFor();
  });
});

describe("templates", () => {
  test("APP-1 a team becomes a template without its secrets, is renamed, used, deleted and brought back", async ({
    open,
  }) => {
    const app = await open();
    const id = (await app.team()).id,
      d = await app.hub.team(id);
    await app.hub.save(id, {
      ...d.topology,
      agents: d.topology.agents.map((a, i) => (i ? a : { ...a, persona: "Say sk-abcd1234efgh5678ijkl" })),
    });
    await app.run("save as template");
    const dialog = app.page.getByRole("dialog");
    await dialog.getByLabel("Template name").fill("Night shift");
    await dialog.getByLabel("Purpose").fill("For nights.");
    await dialog.getByRole("button", { name: "Save template" }).click();
    await app.page.getByText("Night shift saved as a template, without 1 secret").waitFor();

    await app.go("teams");
    await app.page.getByRole("radio", { name: "Templates" }).click();
    await card(app, "Night shift").locator("button").first().focus();
    await app.page.keyboard.press("F2");
    await app.page.keyboard.press("Control+a");
    await app.page.keyboard.insertText("夜勤チーム");
    await app.page.keyboard.press("Enter");
    await card(app, "夜勤チーム").waitFor();
    await card(app, "夜勤チーム").locator("button").first().focus();
    await app.page.keyboard.press("Delete");
    await until(
      "no template",
      () => card(app, "夜勤チーム").count(),
      (n) => n === 0,
    );
    await app.frontToast().getByRole("button", { name: "Undo" }).click();
    await card(app, "夜勤チーム").waitFor();

    await app.button("New team").click();
    await dialog.getByText("夜勤チーム").click();
    const made = await until(
      "a team from it",
      () => app.team(),
      (x) => x.name === "夜勤チーム",
    );
    expect(made.topology.agents.length).toBe(d.topology.agents.length);
    expect(made.topology.agents[0]!.persona).toBe("Say [removed]");
    expect(app.complaints).toEqual([]);
  });

  for (const language of ["en", "ja"] as const)
    test(`APP-1 the five templates are there with their pictures, ${language}`, async ({ open }) => {
      const app = await open({ language });
      const { templates } = await app.hub.ask<{ templates: { id: string; name: string; sketch: string }[] }>(
        "GET",
        `/api/templates?language=${language}`,
      );
      expect(templates.map((t) => t.id)).toEqual(["pair", "hub", "pipeline", "board", "research"]);
      await app.go("teams");
      await app.page.getByRole("radio", { name: language === "ja" ? "テンプレート" : "Templates" }).click();
      for (const t of templates) {
        expect(ja.test(t.name)).toBe(language === "ja");
        await card(app, t.name).locator("img").waitFor();
      }
      await card(app, templates[4]!.name).locator("button").first().click();
      const made = await until(
        "a team of it",
        () => app.team(),
        (d) => d.name === templates[4]!.name,
      );
      expect(
        made.topology.agents.every((a) => !!a.persona && !!a.role && ja.test(a.persona) === (language === "ja")),
      ).toBe(true);
    });
});
