import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { dropFile } from "./drop.ts";
import type { ConfigAgent } from "./hub.ts";

/** For a test that visits every screen and dialog there is. */
const long = 240_000;

/** Both sides changed the same name, so that review and merge have something to show. */
async function prepare(app: App): Promise<void> {
  const d = await app.team(),
    old = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "Old", template: "pair" });
  await app.hub.ask("DELETE", `/api/teams/${old.id}`);
  await app.hub.save(d.id, {
    ...d.topology,
    agents: d.topology.agents.map((a) =>
      a.id === "writer"
        ? { ...a, name: "Editor" }
        : a.id === "lead"
          ? { ...a, connections: [...(a.connections ?? []), { targetId: "backend", type: "command" }] }
          : a,
    ),
  });
  await app.node("writer").getByText("Editor").waitFor();
}

async function conflict(app: App): Promise<void> {
  await app.hub.changeConfig((c) => {
    (c.agents as Record<string, ConfigAgent>).writer!.name = "Author";
  });
}

type Visit = [name: string, go: (app: App) => Promise<void>];

const dialog = (app: App) => app.page.getByRole("dialog");
const away = async (app: App) => {
  await app.page.keyboard.press("Escape");
  await dialog(app).waitFor({ state: "detached" });
};
const fromMenu =
  (item: RegExp): Visit[1] =>
  async (app) => {
    await app.go("canvas");
    await app.button(/teams and actions$|チームの一覧/).click();
    await app.page.getByText(item).click();
    await dialog(app).waitFor();
  };

/** One of the library's shelves: teams, templates, deleted ones. */
const shelf = async (app: App, n: number) => {
  await app.go("teams");
  await app.page.locator(".seg").first().getByRole("radio").nth(n).click();
  await app.page.getByRole("article").first().waitFor();
};

/** What reaches beyond the page or beyond a dialog, in px. */
const reach = (app: App) =>
  app.page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("[role=dialog], [role=dialog] .scroll")]
      .map((e) => e.scrollWidth - e.clientWidth)
      .reduce((a, b) => Math.max(a, b), 0),
  );

/** Every screen there is: how to get there, and what shows that it is there. */
const screens: Visit[] = [
  [
    "canvas",
    async (app) => {
      await app.go("canvas");
      await app.node("lead").click();
      await app.page.locator(".panel--side input").first().waitFor();
    },
  ],
  [
    "review",
    async (app) => {
      await app.go("review");
      await app.page.locator("[data-change]").first().waitFor();
      await app.page.locator(".react-flow__node").first().waitFor();
    },
  ],
  [
    "history",
    async (app) => {
      await app.go("history");
      await app.page.locator(".react-flow__node").first().waitFor();
    },
  ],
  [
    "inbox",
    async (app) => {
      await app.go("inbox");
      await app.page.locator(".rows .empty").waitFor();
    },
  ],
  [
    "settings",
    async (app) => {
      await app.go("settings");
      await app.page.getByRole("article").first().waitFor();
    },
  ],
  [
    "rooms",
    async (app) => {
      await app.go("rooms");
      await app.page.locator(".empty").first().waitFor();
    },
  ],
  ["teams", (app) => shelf(app, 0)],
  [
    "merge",
    async (app) => {
      await conflict(app);
      await app.toMerge();
    },
  ],
];

/** The dialogs about teams and files, each with what it shows once it has been read. */
const dialogs: Visit[] = [
  ["new team", fromMenu(/^(New team…|新しいチーム…)$/)],
  ["import", fromMenu(/^(Import from a gateway…|ゲートウェイから取り込む…)$/)],
  [
    "export",
    async (app) => {
      await fromMenu(/^(Export as…|書き出し…)$/)(app);
      await dialog(app)
        .getByText(/Secrets are never written|シークレットは書き出しません/)
        .waitFor();
    },
  ],
  [
    "bundle",
    async (app) => {
      await fromMenu(/^(Pack as a bundle…|バンドルにまとめる…)$/)(app);
      await dialog(app).locator("details").waitFor();
    },
  ],
  [
    "picture",
    async (app) => {
      await fromMenu(/^(Save as image…|画像として保存…)$/)(app);
      await until("the picture", () =>
        dialog(app)
          .locator("img")
          .evaluate((i: HTMLImageElement) => i.complete && i.naturalWidth > 0),
      );
    },
  ],
  ["keep as template", fromMenu(/^(Save as template…|テンプレートとして保存…)$/)],
  [
    "file preview",
    async (app) => {
      await app.go("canvas");
      await dropFile(
        app,
        "team.agentflow.yaml",
        "agentflow: 1\nname: 落とした図\nagents:\n  - id: a\n    name: エー\n    connections: [{targetId: b, type: command}]\n  - id: b\n    zap: 1\n",
      );
      await dialog(app).locator("li img").waitFor();
    },
  ],
];

describe("for everybody", () => {
  test("APP-1 language and theme are changed in the settings and stay", async ({ open }) => {
    const app = await open();
    await app.go("settings");
    await app.button("Language and appearance").click();
    await app.page.getByRole("radio", { name: "日本語" }).click();
    await app.page.getByRole("heading", { name: "言語" }).first().waitFor();
    await app.page.getByRole("radio", { name: "ダーク" }).click();
    await until(
      "the dark look",
      () => app.page.evaluate(() => document.documentElement.dataset.theme),
      (v) => v === "dark",
    );
    await app.page.reload();
    await until(
      "the same after a reload",
      () => app.page.evaluate(() => `${document.documentElement.lang} ${document.documentElement.dataset.theme}`),
      (v) => v === "ja dark",
    );
    await app.page.getByRole("heading", { name: "言語" }).first().waitFor();
    const left = await app.page.evaluate(() =>
      document.body.innerText
        .split("\n")
        .filter((l) => /^(Gateways|Settings|Canvas|History|Language|Theme|Saved|Review)\b/.test(l)),
    );
    expect(left).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 the look follows the system", async ({ open }) => {
    const app = await open();
    expect(await app.page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await app.page.emulateMedia({ colorScheme: "dark" });
    await until(
      "the dark look",
      () => app.page.evaluate(() => document.documentElement.dataset.theme),
      (v) => v === "dark",
    );
  });

  test(
    "APP-1 on a phone every screen fits and the team is to look at",
    async ({ open }) => {
      const app = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
      await prepare(app);
      for (const [name, go] of screens) {
        if (name === "canvas") {
          await app.go("canvas");
          await app.node("lead").waitFor();
        } else if (name === "review") {
          await app.go("review");
          await app.page.locator("[data-change]").first().waitFor();
        } else if (name === "history") {
          await app.go("history");
          await app.page
            .getByText(/^Imported from /)
            .first()
            .waitFor();
        } else if (name === "settings") {
          await app.go("settings");
          await app.page.getByText("Language and appearance").waitFor();
        } else await go(app);
        const over = await app.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([name, over]).toEqual([name, 0]);
      }
      await app.go("history");
      await app.page.locator("[data-version] [data-row]").first().click();
      const view = (await app.page.getByRole("radio", { name: "Text" }).boundingBox())!;
      expect(view.x + view.width, "both views of a version are within reach").toBeLessThanOrEqual(390);
      for (const [name, go] of dialogs) {
        await go(app);
        expect([name, await reach(app)]).toEqual([name, 0]);
        await away(app);
      }
      await app.go("canvas");
      await app.page.getByText("View only").waitFor();
      const before = await app.team();
      await app.node("lead").tap();
      expect(await app.page.locator(".panel--sheet input:not(:disabled)").count()).toBe(0);
      expect((await app.team()).head).toBe(before.head);
    },
    long,
  );

  test(
    "APP-1 nothing is cut off at 900×700",
    async ({ open }) => {
      const app = await open({ viewport: { width: 900, height: 700 } });
      await prepare(app);
      for (const [name, go] of screens) {
        await go(app);
        const over = await app.page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          document.documentElement.scrollHeight - innerHeight,
        ]);
        expect([name, ...over]).toEqual([name, 0, 0]);
      }
      for (const [name, go] of dialogs) {
        await go(app);
        expect([name, await reach(app)]).toEqual([name, 0]);
        await away(app);
      }
      await app.go("canvas");
      await app.node("lead").click();
      await app.page.locator(".panel--over").waitFor();
      await app.page.locator(".changebar button").last().click({ trial: true }); // nothing lies over it
      expect(app.complaints).toEqual([]);
    },
    long,
  );
});

describe("the size of text", () => {
  test("APP-1 is chosen in the settings, by keyboard too, and stays; panels keep their share", async ({ open }) => {
    const app = await open();
    await app.go("settings");
    await app.button("Language and appearance").click();
    const size = () => app.page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(await size()).toBe("13px");
    await app.page.getByRole("radio", { name: "175%" }).click();
    await until("larger text", size, (v) => v === "22.75px");
    await app.page.keyboard.press("ArrowRight");
    await until("the focus on the next size", () =>
      app.page.getByRole("radio", { name: "200%" }).evaluate((e) => e === document.activeElement),
    );
    await app.page.keyboard.press("Enter");
    await until("text twice as large", size, (v) => v === "26px");
    await until(
      "the hub to keep it",
      () => app.hub.ask<{ textSize: number }>("GET", "/api/settings"),
      (s) => s.textSize === 200,
    );
    await app.page.reload();
    await until("the same after a reload", size, (v) => v === "26px");
    await until(
      "the form of a page half as wide",
      () => app.page.evaluate(() => document.documentElement.dataset.width),
      (v) => v === "narrow",
    );
    // The canvas has a separate zoom: a node has the same size at every zoom.
    await app.go("canvas");
    await until(
      "the team as it was",
      () => app.node("lead").evaluate((e) => getComputedStyle(e.querySelector(".node-name")!).fontSize),
      (v) => v === "13px",
    );
  });

  test("APP-1 follows what the browser is set to, and does not cover a double click", async ({ open }) => {
    const app = await open({ viewport: { width: 1100, height: 800 } });
    await app.page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
      dispatchEvent(new Event("resize"));
    });
    await until(
      "the form of a page half as wide",
      () => app.page.evaluate(() => document.documentElement.dataset.width),
      (v) => v === "phone",
    );
    await app.page.evaluate(() => {
      document.documentElement.style.fontSize = "";
      dispatchEvent(new Event("resize"));
    });
    await app.node("backend").dblclick();
    const name = app.node("backend").locator("input");
    await name.waitFor();
    await name.fill("Server side");
    await app.page.keyboard.press("Enter");
    await app.kept("the new name", (d) => d.topology.agents.some((a) => a.name === "Server side"));
    await app.page.locator(".panel--over").getByRole("button", { name: "Close" }).click();
    await app.page.locator(".panel--over").waitFor({ state: "detached" });
  });
});
