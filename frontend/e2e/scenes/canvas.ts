import { until, type App } from "../app.ts";
import type { Hub } from "../hub.ts";
import { groupedTeam } from "../seed.ts";
import { away, dialog, teamMenu, menu, nodes, reach, type Scene } from "./scene.ts";

/** The team in groups, with a label on a line and something for the linter to say. */
async function seedGroups(hub: Hub, ja: boolean): Promise<void> {
  const [first] = await hub.teams(),
    team = groupedTeam(ja);
  const agents = team.agents.map((a) =>
    a.id === "lead"
      ? {
          ...a,
          connections: a.connections?.map((c) =>
            c.targetId === "arch" ? { ...c, label: ja ? "設計が要るとき" : "when it needs a design" } : c,
          ),
        }
      : a.id === "docs"
        ? { ...a, model: "demo/unknown" }
        : a,
  );
  await hub.ask("PATCH", `/api/teams/${first!.id}`, { name: team.name });
  await hub.save(first!.id, { ...team, agents }, "import-file|shop.agentflow.yaml");
  await hub.apply(first!.id);
}

const tab = (n: number) => async (app: App) => {
  await app.page.getByRole("tab").nth(n).click();
  await until(
    "the tab",
    () => app.page.getByRole("tab").nth(n).getAttribute("aria-selected"),
    (v) => v === "true",
  );
};
const rightClick = (app: App, on: ReturnType<App["node"]>) =>
  reach(app, on, async (at) => {
    if (!(await menu(app).count())) await at.click({ button: "right", timeout: 2_000 });
    await menu(app).waitFor({ timeout: 2_000 });
  });
/** The list of kinds of an agent, which a new size of the window closes. */
const kinds = async (app: App) => {
  const option = app.page.getByRole("option").first();
  if (await option.count()) return;
  await app.page.locator(".panel .input--select").first().click();
  await option.waitFor();
};
const tip = async (app: App) => {
  await app.page.mouse.move(600, 20);
  await app.button(/^(Pan|移動)$/).hover();
  await app.page.locator(".tip").waitFor();
};
const head = (app: App, group: string) => app.page.locator(`[data-group="${group}"] .frame-head`);
const chooseAll = async (app: App) => {
  await app.page.locator(".canvas-menu").focus();
  await app.page.keyboard.press("Control+a");
  await until(
    "all to be chosen",
    () => app.page.locator(".react-flow__node-agent.selected").count(),
    (n) => n > 4,
  );
};

/** What is chosen on the canvas, in the panel beside it. */
const chosen: Scene = {
  name: "canvas",
  wideOnly: true,
  seed: seedGroups,
  stops: [
    [
      "canvas-agent",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await app.node("arch").click();
        await app.page.locator(".panel--side input").first().waitFor();
      },
    ],
    ["canvas-persona", tab(1)],
    ["canvas-tools", tab(2)],
    [
      "canvas-models",
      async (app) => {
        await tab(0)(app);
        await app.page.locator(".panel--side [role=combobox]").first().click();
        await app.page.keyboard.press("ArrowDown");
        await app.page.getByRole("listbox").waitFor();
      },
    ],
    [
      "canvas-kinds",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await kinds(app);
      },
      kinds,
    ],
    [
      "canvas-naming",
      async (app) => {
        await away(app, app.page.getByRole("listbox"));
        const name = app.node("backend").locator("input");
        await reach(app, app.node("backend"), async (node) => {
          if (!(await name.count())) await node.dblclick({ timeout: 2_000 });
          await name.waitFor({ timeout: 2_000 });
        });
      },
    ], // the list that went may have taken a click with it
    [
      "canvas-connection",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await reach(app, app.node("arch"));
        await app.page.keyboard.press("l");
        await app.page.locator(".react-flow__edge.selected").first().waitFor();
      },
    ],
    ["canvas-several", chooseAll],
    [
      "canvas-group",
      async (app) => {
        await reach(app, head(app, "build"));
        await until(
          "the group to be chosen",
          () => app.group("build").getAttribute("class"),
          (c) => !!c?.includes("selected"),
        );
      },
    ],
    [
      "canvas-note",
      async (app) => {
        const note = app.page.locator(".react-flow__node-note").first();
        await reach(app, note, async (l) => {
          if (!(await l.locator("textarea").count())) await l.dblclick({ timeout: 2_000 });
          await l.locator("textarea").waitFor({ timeout: 2_000 });
        });
      },
    ],
    [
      "canvas-problems",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await app.page
          .locator("footer.status")
          .getByRole("button", { name: /problem|問題/ })
          .click();
        await app.page.locator(".panel--bottom .trow, .panel--bottom .lrow, .panel--bottom li").first().waitFor();
      },
    ],
  ],
};

/** What opens over the canvas. */
const over: Scene = {
  name: "menus",
  wideOnly: true,
  seed: seedGroups,
  stops: [
    [
      "menu-agent",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await rightClick(app, app.node("arch"));
      },
    ],
    [
      "menu-connection",
      async (app) => {
        await away(app, menu(app));
        await rightClick(app, app.page.locator(".edge-label").first());
      },
    ],
    [
      "menu-group",
      async (app) => {
        await away(app, menu(app));
        await rightClick(app, head(app, "build"));
      },
    ],
    [
      "menu-note",
      async (app) => {
        await away(app, menu(app));
        await rightClick(app, app.page.locator(".react-flow__node-note").first());
      },
    ],
    [
      "menu-several",
      async (app) => {
        await away(app, menu(app));
        await chooseAll(app);
        await app.node("research").click({ button: "right" });
        await menu(app).waitFor();
        await app.page.locator("[role=menuitem][aria-haspopup]").first().click();
        await until(
          "the menu inside",
          () => app.page.getByRole("menu").count(),
          (n) => n === 2,
        );
      },
    ],
    [
      "menu-canvas",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await app.page.getByRole("menu").first().waitFor({ state: "detached" });
        const at = await app.emptyPlace();
        // What a menu takes with it when it goes may take a click with it, too.
        await until("the menu", async () => {
          if (!(await menu(app).count())) await app.page.mouse.click(at.x, at.y, { button: "right" });
          return menu(app).count();
        });
      },
    ],
    [
      "kind",
      async (app) => {
        await away(app, menu(app));
        await reach(app, app.node("docs"));
        await app.page.keyboard.press("c");
        await app.page.keyboard.press("Enter");
        await dialog(app).waitFor();
      },
    ],
    [
      "search",
      async (app) => {
        await away(app);
        await app.page.keyboard.press("Control+f");
        await app.page.locator(".searchbar input").fill("qwen");
      },
    ],
    [
      "tip",
      async (app) => {
        await away(app, app.page.locator(".searchbar"));
        await tip(app);
      },
      tip,
    ],
    [
      "team-menu",
      async (app) => {
        await app.page.mouse.move(600, 20);
        await teamMenu(app);
      },
    ],
    [
      "team-menu-gateway",
      async (app) => {
        await app.page
          .locator("[cmdk-item]")
          .filter({ hasText: /^(Target gateway|適用先)/ })
          .click();
        await app.page.locator(".menu .label").first().waitFor();
      },
    ],
    [
      "palette",
      async (app) => {
        await away(app);
        await app.page.keyboard.press("Control+k");
        await app.page.locator("[cmdk-item]").first().waitFor();
      },
    ],
    [
      "palette-nothing",
      async (app) => {
        await app.page.keyboard.insertText("zzzz");
        await dialog(app).getByRole("status").waitFor();
      },
    ],
    [
      "every-key",
      async (app) => {
        await away(app);
        await app.node("lead").focus();
        await app.page.keyboard.press("?");
        await dialog(app).locator("dt").first().waitFor();
      },
    ],
    [
      "list",
      async (app) => {
        await away(app);
        await app.button(/^(Show the list of agents|エージェントの一覧を表示)/).click();
        await app.page.locator(".agents-row").first().waitFor();
      },
    ],
    [
      "list-several",
      async (app) => {
        await app.page.locator(".agents-row").first().click();
        await app.page.getByRole("grid").focus();
        await app.page.keyboard.press("Control+a");
        await app.page
          .getByRole("toolbar", { name: /^(Change selected agents|選択したエージェントを変更)$/ })
          .waitFor();
      },
    ],
    [
      "toast",
      async (app) => {
        await app.page.locator(".agents-row").first().click();
        await app.page.locator(".canvas-menu").focus();
        await app.page.keyboard.press("Delete");
        await app.page.locator("[data-sonner-toast]").first().waitFor();
      },
    ],
  ],
};

export const canvasScenes: Scene[] = [chosen, over];
