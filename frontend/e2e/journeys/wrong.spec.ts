import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { Hub } from "../hub.ts";
import { withTeam } from "../team.ts";
import { cannotMount, smallDisk } from "./disk.ts";
import { gatewayAway, hubAway, Watch } from "./invariants.ts";

// Journey 10: something is wrong. Each says what is so, and nothing is lost.

const untrue =
  /could not reach the hub|couldn.t reach AgentFlow|AgentFlow unreachable|AgentFlow's own service does not answer|The hub is not ready yet|It is not available now/i;

if (cannotMount) console.error(`NOT TESTED: a full disk: ${cannotMount}`);

/** The text of the page, without what people wrote. */
const shown = (app: App) => app.page.evaluate(() => document.body.innerText);

describe("journey 10: something is wrong", () => {
  for (const language of ["en", "ja"] as const)
    test(`TR-4 a second browser shows that it isn't signed in, and signs in (${language})`, async ({ open }) => {
      const app = await open({ language }),
        watch = Watch.start(app, /^401 /);
      const name = (await app.team()).topology.agents[0]!.name!;
      const other = await app.page
        .context()
        .browser()!
        .newContext({ locale: language === "ja" ? "ja-JP" : "en-US", viewport: { width: 390, height: 844 } });
      try {
        const page = await other.newPage();
        watch.add(page);
        await page.goto(app.hub.url);
        const token = page.locator("input[type=password]");
        await token.waitFor();
        expect(await page.evaluate(() => document.body.innerText)).not.toMatch(untrue);
        await token.fill("not the token at all, but as long as one is");
        await page.keyboard.press("Enter");
        await until(
          "the refusal to be told",
          () => page.locator("[role=alert]").allInnerTexts(),
          (all) => all.some((t) => t.trim().length > 5),
        );
        // The right one is typed while the hub still checks another wrong one.
        let checked = () => undefined as void;
        const right = new Promise<void>((done) => (checked = done));
        await page.route("**/api/login", async (route) => {
          if (route.request().postData()?.includes(app.hub.token)) checked();
          else await right;
          await route.continue();
        });
        await token.fill("another wrong token, as long as one is");
        await page.keyboard.press("Enter");
        await token.fill(app.hub.token);
        await page.keyboard.press("Enter");
        await page.getByText(name).first().waitFor();
        expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
          app.hub.token,
        );
        expect(page.url()).not.toContain(app.hub.token);
        for (const p of [app.page, page]) expect(await watch.problems(p)).toEqual([]);
      } finally {
        await other.close();
      }
    });

  test("ME-5 a goal that the model answers with prose: the reason is shown, and the goal isn't lost", async ({
    open,
  }) => {
    await withTeam(
      open,
      function* () {
        yield "I would rather talk about the weather.";
      },
      async (app) => {
        const watch = Watch.start(app);
        await app.go("plan");
        const goal = app.page.locator("textarea").first();
        await goal.waitFor();
        await goal.fill("Rewrite the shop in Go");
        await app.page.keyboard.press("Control+Enter");
        if ((await goal.inputValue()) === "Rewrite the shop in Go") await app.page.keyboard.press("Enter");
        await until(
          "a reason",
          () => shown(app),
          (t) => t.includes("didn't return a usable plan. Nothing was changed."),
          90_000,
        );
        expect(await shown(app)).not.toMatch(untrue);
        await until(
          "the goal to be somewhere",
          async () =>
            (await shown(app)) +
            (await app.page
              .locator("textarea")
              .evaluateAll((l) => l.map((e) => (e as HTMLTextAreaElement).value).join(" "))),
          (t) => t.includes("Rewrite the shop in Go"),
        );
        expect(await watch.problems(app.page)).toEqual([]);
      },
    );
  });

  test("APP-5 the hub is killed in the middle of an edit: the edit is kept and saved when it is back", async ({
    open,
  }) => {
    const app = await open(),
      watch = Watch.start(app, hubAway);
    await app.node("lead").click();
    await app.hub.kill();
    await app.field("Name").fill("Captain");
    await app.page
      .getByText(/Connection to AgentFlow lost/)
      .first()
      .waitFor();
    await app.hub.restart();
    await app.reconnect();
    await app.kept("the edit", (d) => d.topology.agents.some((a) => a.name === "Captain"));
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("APP-5 a browser without network: what is edited meanwhile is kept, and saved when the network is back", async ({
    open,
  }) => {
    const app = await open(),
      watch = Watch.start(app, hubAway, /net::ERR_INTERNET_DISCONNECTED/);
    await app.go("settings"); // a screen that was never opened can't be loaded without a network
    await app.page.getByRole("heading").first().waitFor();
    await app.go("canvas");
    await app.node("lead").click();
    await app.context.setOffline(true);
    await app.field("Name").fill("Captain");
    await app.page
      .getByText(/Connection to AgentFlow lost|Not saved: AgentFlow unreachable/)
      .first()
      .waitFor();
    await app.go("settings"); // from screen to screen, as somebody on a train
    await app.page.getByRole("heading").first().waitFor();
    await app.go("canvas");
    await app.node("lead").getByText("Captain").waitFor();
    await app.page.locator(".react-flow__pane").click({ position: { x: 30, y: 300 } });
    await app.page.keyboard.press("a");
    await app.page.keyboard.type("Newcomer");
    await app.page.keyboard.press("Enter");
    const d = await app.team(), // meanwhile somebody else adds another one
      agents = [...d.topology.agents, { id: "theirs", name: "Theirs" }];
    await app.hub.save(d.id, { ...d.topology, agents });
    await app.context.setOffline(false);
    await app.reconnect();
    await app.kept("the edit", (d) => d.topology.agents.some((a) => a.name === "Captain"));
    const names = (d: { topology: { agents: { name?: string }[] } }) => d.topology.agents.map((a) => a.name);
    await app.kept("both agents", (d) => ["Newcomer", "Theirs"].every((n) => names(d).includes(n)));
    expect((await app.team()).topology.agents).toHaveLength(agents.length + 1);
    expect(await watch.problems(app.page)).toEqual([]);
  });

  test("GW-1 APP-3 a gateway goes away before the apply: nothing is lost, and the apply ends well later", async ({
    open,
  }) => {
    const other = await Hub.start();
    try {
      const app = await open({
          seed: async (hub) => {
            await hub.ask("POST", "/api/gateways", {
              name: "Studio",
              url: `ws://127.0.0.1:${other.port}/gateway`,
              token: other.token,
            });
          },
        }),
        watch = Watch.start(app, gatewayAway);
      const gateway = (state: string) =>
        until(
          `the gateway to be ${state}`,
          () => app.hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
          (r) => (r.gateways.find((g) => g.name === "Studio")?.state === "connected") === (state === "connected"),
        );
      await gateway("connected");
      const { id } = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "Far", import: "Studio" });
      await app.openTeam(id);
      await app.ready();
      await app.node("lead").click();
      await app.field("Name").fill("Captain");
      await app.kept("the edit", (d) => d.id === id && d.unsent === 1);
      await other.kill();
      await gateway("away");
      await app.page.keyboard.press("Control+Enter");
      await until(
        "the reason",
        () => shown(app),
        (t) => /Studio/.test(t) && /couldn't|can't|isn't|lost|unreachable/i.test(t),
      );
      expect(await shown(app)).not.toMatch(untrue);
      await other.restart();
      await gateway("connected");
      // The review that failed looks again without a click.
      const apply = app.button(/^Apply 1 change/);
      await until("the apply to be offered", () => apply.isEnabled());
      await apply.click();
      await app.page
        .getByText(/^Applied 1 change/)
        .first()
        .waitFor();
      expect(JSON.stringify(await other.config())).toContain("Captain");
      expect(await watch.problems(app.page)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test.skipIf(cannotMount)(
    "APP-5 the disk is full: the page tells it, keeps the edit, and saves it once there is space",
    async ({ open }) => {
      const disk = smallDisk();
      try {
        const app = await open({ data: disk.folder }),
          watch = Watch.start(app, /^507 /);
        await app.node("lead").click();
        disk.fill();
        await app.field("Name").fill("Captain");
        await app.page.getByText("Not saved: disk full. Free some space.").first().waitFor();
        expect(await shown(app)).not.toMatch(untrue);
        await app.go("settings");
        await app.page.getByRole("heading").first().waitFor();
        await app.go("canvas");
        await app.node("lead").getByText("Captain").waitFor();
        disk.free();
        await app.kept("the edit", (d) => d.topology.agents.some((a) => a.name === "Captain"));
        expect(await watch.problems(app.page)).toEqual([]);
      } finally {
        disk.close();
      }
    },
  );

  test("APP-5 a page with an address that no screen has, or that is written wrong, shows a screen", async ({
    open,
  }) => {
    const app = await open(),
      watch = Watch.start(app, /^404 GET \/tasks\/gone/);
    for (const at of [
      "#/tasks/%ZZ",
      "#/plan/%ZZ",
      "#/rooms/%ZZ",
      "#/sessions/%ZZ/%",
      "#/nowhere",
      "#//",
      "#/tasks/gone",
    ]) {
      await app.page.goto(`${app.hub.url}/${at}`);
      await app.page.reload();
      await app.page.getByRole("navigation").first().waitFor();
      expect([at, await watch.problems(app.page)]).toEqual([at, []]);
    }
  });
});
