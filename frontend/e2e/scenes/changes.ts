import { until } from "../app.ts";
import type { Hub } from "../hub.ts";
import { changes, elsewhere, redraw, seedShop, withAgent, withLine } from "../seed.ts";
import { canvasView, dialog, nodes, textView, view, text, type Scene, type Studio } from "./scene.ts";

export async function addStudio(hub: Hub, studio: Studio, ja: boolean): Promise<string> {
  const { port, token } = await studio();
  const name = ja ? "スタジオ" : "Studio";
  await hub.ask("POST", "/api/gateways", {
    name,
    url: `ws://127.0.0.1:${port}/gateway`,
    token,
    color: 7,
  });
  await until(
    "the link",
    () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
    (r) => r.gateways.some((g) => g.name === name && g.state === "connected"),
  );
  return name;
}

const review: Scene = {
  name: "review",
  seed: async (hub, ja) => changes(hub, await seedShop(hub, ja), ja),
  stops: [
    [
      "change-bar",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await app.page.locator(".changebar").waitFor();
      },
    ],
    [
      "review",
      async (app) => {
        await app.go("review");
        await app.page.locator("[data-change]").first().waitFor();
      },
    ],
    [
      "review-ticked-off",
      async (app) => {
        const box = app.page.locator('[data-change="agent:sre"]').getByRole("checkbox");
        if ((await box.getAttribute("data-state")) === "checked") await box.click();
        await app.page.locator(".review-pulled, .review-row.is-out").first().waitFor();
      },
    ],
    [
      "review-canvas",
      async (app, phone) => {
        if (phone) await view(app, canvasView);
        await nodes(app);
      },
    ],
    [
      "review-text",
      async (app, phone) => {
        if (phone) await view(app, textView);
        await text(app);
      },
    ],
  ],
};

const merge: Scene = {
  name: "merge",
  seed: async (hub, ja) => {
    const id = await seedShop(hub, ja);
    await redraw(hub, id, "edit.tools", withAgent("backend", { tools: { allow: ["read"] } }));
    await hub.apply(id);
    await changes(hub, id, ja);
    await redraw(
      hub,
      id,
      "edit.persona",
      withAgent("docs", {
        persona: ja
          ? "急いでいる人のために、短い文で、1ページ以内で書いてください。"
          : "You write for people in a hurry: short sentences, at most one page.",
      }),
    );
    await redraw(hub, id, "edit.tools", withAgent("backend", { tools: { allow: ["read", "write"] } }));
    await elsewhere(hub);
    await hub.changeConfig((c) => {
      const a = c.agents as Record<string, Record<string, unknown>>;
      a.docs!.persona = ja
        ? "結論から短い文で、例を1つ添えて書いてください。"
        : "The main point first, then one example.";
      a.backend!.tools = { allow: ["read", "search"] };
    });
  },
  stops: [
    [
      "merge",
      async (app, phone) => {
        if (phone) await app.go("merge");
        else await app.toMerge();
        await app.page.locator(".merge-conflict").first().waitFor();
      },
    ],
    [
      "merge-decided",
      async (app) => {
        await app.page
          .locator(".merge-foot")
          .getByRole("button", { name: /^(All yours|すべて自分)$/ })
          .click();
        await text(app);
        await app.page.locator(".merge-results").scrollIntoViewIfNeeded();
      },
    ],
  ],
};

const history: Scene = {
  name: "history",
  seed: async (hub, ja, studio) => {
    const id = await seedShop(hub, ja);
    const {
      versions: [version],
    } = await hub.ask<{ versions: { id: string }[] }>("GET", `/api/teams/${id}/versions`);
    await hub.ask("PATCH", `/api/teams/${id}/versions/${version!.id}`, {
      name: ja ? "春のリリース前" : "Before the spring release",
    });
    await changes(hub, id, ja);
    await hub.apply(id);
    await redraw(hub, id, "edit.name|Night watch", withAgent("sre", { name: ja ? "夜間当番" : "Night watch" }));
    await redraw(hub, id, "edit.connect", withLine("docs", "review", "arch"));
    await addStudio(hub, studio, ja);
  },
  stops: [
    [
      "history",
      async (app) => {
        await app.go("history");
        await app.page.locator(".thumb img").first().waitFor();
      },
    ],
    [
      "history-compare",
      async (app, phone) => {
        if (!phone) {
          const first = app.page.locator("[data-version]").last();
          await first.hover();
          const from = first.getByRole("button", { name: /^(Compare from here|ここから比較)$/ });
          if (await from.count()) await from.click();
        }
        await app.page.locator("[data-version] [data-row]").first().click();
        await nodes(app);
      },
    ],
    [
      "history-text",
      async (app) => {
        await view(app, textView);
        await text(app);
      },
    ],
    [
      "history-name",
      async (app) => {
        await view(app, canvasView);
        await app.button(/^(Name…|Rename…|名前を付ける…|名前を変更…)$/).click();
        await dialog(app).waitFor();
      },
    ],
    [
      "history-gateway",
      async (app, phone) => {
        await app.page.keyboard.press("Escape");
        await dialog(app).waitFor({ state: "detached" });
        if (phone) await app.button(/^(Back to the list|一覧に戻る)$/).click();
        await view(app, /^(Gateway|ゲートウェイ)$/);
        await app.page.locator("[data-version] [data-row]").first().click();
        await nodes(app);
      },
    ],
    [
      "history-empty",
      async (app, phone) => {
        if (phone)
          await app
            .button(/^(Back to the list|一覧に戻る)$/)
            .click({ timeout: 1000 })
            .catch(() => undefined);
        await view(app, /^(Team|チーム)$/);
        await app.button(/^(Filter by gateway|ゲートウェイで絞り込む)$/).click();
        await app.page
          .locator("[role^=menuitem]")
          .filter({ hasText: /^(Studio|スタジオ)$/ })
          .click();
        await app.page.locator(".rows .empty").waitFor();
      },
    ],
  ],
};

const drift: Scene = {
  name: "drift",
  seed: async (hub, ja, studio) => {
    await addStudio(hub, studio, ja);
    const id = await seedShop(hub, ja);
    await redraw(hub, id, "edit.model", withAgent("qa", { model: "anthropic/claude-haiku-4-5" }));
    await elsewhere(hub);
  },
  stops: [
    [
      "drift-badge",
      async (app) => {
        await app.go("canvas");
        await app.page.locator(".changebar-drift").waitFor();
      },
    ],
    [
      "drift",
      async (app) => {
        await app.go("drift");
        await app.page
          .locator("[data-drift]")
          .first()
          .or(app.page.locator(".react-flow__node").first())
          .first()
          .waitFor();
      },
    ],
    [
      "drift-list",
      async (app, phone) => {
        if (phone) await view(app, /^(Changes|変更)$/);
        await app.page.locator("[data-drift]").first().waitFor();
      },
    ],
    [
      "drift-text",
      async (app) => {
        await view(app, textView);
        await text(app);
      },
    ],
    [
      "drift-other",
      async (app) => {
        await view(app, canvasView);
        await app.page.getByRole("combobox", { name: /^(Compare with|比較先)$/ }).click();
        await app.page.getByRole("option", { name: /Studio|スタジオ/ }).click();
        await app.button(/^(Switch to|スタジオを適用先)/).waitFor();
      },
    ],
    [
      "drift-own",
      async (app) => {
        await app.page.getByRole("combobox", { name: /^(Compare with|比較先)$/ }).click();
        await app.page
          .getByRole("option")
          .filter({ hasNotText: /Studio|スタジオ/ })
          .first()
          .click();
        await app.button(/^(Apply my team…|自分のチームを適用…)$/).waitFor();
      },
    ],
  ],
};

const reach: Scene = {
  name: "undo",
  wideOnly: true,
  seed: async (hub, ja) => {
    const id = await seedShop(hub, ja);
    await changes(hub, id, ja);
    await hub.apply(id);
  },
  stops: [
    [
      "undo-apply",
      async (app) => {
        await app.go("canvas");
        await nodes(app);
        await until(
          "the page to know",
          () => app.button(/^(Undo: Applied|元に戻す: .*適用)/).count(),
          (n) => n > 0,
        );
        await app.undo();
        await dialog(app).getByRole("list").waitFor();
      },
    ],
    [
      "two-windows",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await dialog(app).waitFor({ state: "detached" });
        const d = await app.team();
        await app.node("docs").click();
        await app.page.locator(".panel--side input").first().fill("Earlier");
        await app.kept("the first save", (x) => x.topology.agents.some((a) => a.name === "Earlier"));
        await app.hub.ask("PUT", `/api/teams/${d.id}`, {
          topology: withAgent("docs", { name: "Later" })(d.topology),
          head: d.head,
          label: "edit.name|Later",
        });
        await app.page.getByRole("status").filter({ hasText: "Earlier" }).getByRole("button").first().waitFor();
      },
    ],
  ],
};

/** The screens about what changed, from the change bar to the history. */
export const changeScenes: Scene[] = [review, merge, history, drift, reach];
