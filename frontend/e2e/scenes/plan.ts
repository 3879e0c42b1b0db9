import type { App } from "../app.ts";
import type { Scene } from "./scene.ts";

type Op = Record<string, unknown>;
const words = {
  name: ["Cart and invoice agree", "カートと請求書の一致"],
  understand: ["Understand", "調査"],
  build: ["Build", "実装"],
  check: ["Check", "検証"],
  find: ["Find where sums are made", "合計の計算箇所を特定"],
  rule: ["Write down the rounding rule", "端数処理の規則を明文化"],
  data: ["Test data: ten baskets", "テストデータ: 買い物かご10個"],
  round: ["Round once per tax rate", "税率ごとに1回丸める"],
  cart: ["Tax per rate in the cart", "カートに税率別の税額"],
  compare: ["Compare all baskets", "全かごの金額を比較"],
  review: ["Review the change", "変更をレビュー"],
  guide: ["Update the guide", "ガイドを更新"],
  foreign: ["Foreign currency", "外貨に対応"],
  crit1: ["Sums of one rate agree", "単一税率の合計が一致する"],
  crit2: ["Sums of 8 % and 10 % agree", "8%と10%の合計が一致する"],
  goal: ["Compare baskets before the review, and drop the guide", "レビューの前にかごを比較し、ガイドは外す"],
} as const;

/** Shows the plan in a view: on a phone a menu leads there. */
async function show(app: App, phone: boolean, name: RegExp): Promise<void> {
  if (!phone) {
    await app.page.getByRole("radio", { name }).click();
    return;
  }
  await app.button(/^(View|表示)[:：]/).click();
  await app.page
    .getByRole("menuitemcheckbox", { name })
    .or(app.page.getByRole("menuitemradio", { name }))
    .or(app.page.getByRole("menuitem", { name }))
    .click();
}

/** A plan at work, with a change that is proposed for it. */
const plan: Scene = {
  name: "plan",
  seed: async (hub, ja) => {
    const w = (k: keyof typeof words) => words[k][ja ? 1 : 0];
    const { id } = await hub.ask<{ id: string }>("POST", "/api/plans", { name: w("name") });
    const task = (k: keyof typeof words, phase: keyof typeof words, milestone: string, more: Op = {}): Op => ({
      op: "create",
      temp_id: k,
      title: w(k),
      phase_name: w(phase),
      milestone,
      estimated_effort: "medium",
      ...more,
    });
    type Whole = { head: number; plan: { tasks: { id: string; title: string }[] } };
    let now = await hub.ask<Whole>("POST", `/api/plans/${id}/edit`, {
      version: 1,
      operations: [
        task("find", "understand", "M1"),
        task("rule", "understand", "M1"),
        task("round", "build", "M2", {
          dependencies: ["rule"],
          acceptance_criteria: [w("crit1"), w("crit2")],
          description: w("crit2"),
        }),
        task("data", "build", "M2"),
        task("cart", "build", "M2", { dependencies: ["round"] }),
        task("foreign", "build", "M2", { parent_id: "cart", estimated_effort: "large" }),
        task("compare", "check", "M3", { dependencies: ["cart", "data"] }),
        task("review", "check", "M3", { dependencies: ["compare"] }),
        task("guide", "check", "M3", { dependencies: ["compare"] }),
      ],
    });
    const of = (k: keyof typeof words) => now.plan.tasks.find((t) => t.title === w(k))?.id;
    for (const k of ["find", "rule", "data"] as const)
      now = await hub.ask<Whole>("POST", `/api/plans/${id}/status`, {
        version: now.head,
        task: of(k),
        status: "COMPLETE",
      });
    now = await hub.ask<Whole>("POST", `/api/plans/${id}/status`, {
      version: now.head,
      task: of("foreign"),
      status: "BLOCKED",
    });
  },
  stops: [
    [
      "plan-new",
      async (app) => {
        await app.go("plan");
        await app.page.locator(".plan-start button.lrow").waitFor();
      },
    ],
    [
      "plan-tree",
      async (app, phone) => {
        await app.page.locator(".plan-start button.lrow").first().click();
        await app.page.locator(".plan-row").first().waitFor();
        if (!phone) {
          await app.page.locator(".plan-row.plan-blocker").click();
          await app.page.locator("#plan-title").waitFor();
        }
      },
    ],
    [
      "plan-board",
      async (app, phone) => {
        await show(app, phone, /^(Board|ボード)$/);
        await app.page.locator(".plan-card").first().waitFor();
      },
    ],
    [
      "plan-graph",
      async (app, phone) => {
        await show(app, phone, /^(Graph|グラフ)$/);
        await app.page.locator(".plan-box").first().waitFor();
      },
    ],
    [
      "plan-timeline",
      async (app, phone) => {
        await show(app, phone, /^(Timeline|タイムライン)$/);
        await app.page.locator(".plan-time").first().waitFor();
      },
    ],
    [
      "plan-versions",
      async (app, phone) => {
        const name = /^(Versions|バージョン)$/;
        if (phone) {
          await app.button(/^(More|その他)$/).click();
          await app.page.getByRole("menuitem", { name }).click();
        } else await app.button(name).click();
        await app.page.getByRole("group", { name }).getByRole("button").nth(2).click();
        await app.page.locator(".plan-proposal b").waitFor();
      },
    ],
    [
      "plan-proposal",
      async (app, phone) => {
        await app.button(/^(Back to current|現在に戻る)$/).click();
        await app
          .button(phone ? /^(Close|閉じる)$/ : /^(Versions|バージョン)$/)
          .first()
          .click();
        const id = (await app.page.evaluate(() => location.hash)).split("/")[2]!;
        type Whole = { head: number; plan: { tasks: { id: string; title: string }[] } };
        const now = await app.hub.ask<Whole>("GET", `/api/plans/${id}`),
          of = (k: keyof typeof words) =>
            now.plan.tasks.find((t) => (words[k] as readonly string[]).includes(t.title))?.id,
          ja = now.plan.tasks.some((t) => t.title === words.round[1]) ? 1 : 0;
        await app.hub.ask("POST", `/api/plans/${id}/proposals`, {
          version: now.head,
          patch: {
            type: "plan_patch",
            version: 1,
            payload: {
              understanding: words.goal[ja],
              operations: [
                { op: "update", task_id: of("round"), title: `${words.round[ja]} (8 %, 10 %)` },
                { op: "delete", task_id: of("guide") },
                { op: "move", task_id: of("foreign"), parent_id: "node-root" },
                { op: "create", temp_id: "n", title: words.compare[ja], phase_name: words.check[ja], milestone: "M3" },
              ],
              potential_conflicts: [
                {
                  file: "order/total.go",
                  tasks: [],
                  warning: ja ? "他のタスクでも変更されます" : "another task changes it, too",
                },
              ],
            },
          },
        });
        await app.page.locator(".plan-proposal").waitFor();
        await show(app, phone, /^(Tree|ツリー)$/);
        if (!phone) await app.page.locator(".plan-row.plan-chg").click();
        await app.page.locator(".plan-row").first().waitFor();
      },
    ],
  ],
};

export const planScenes = [plan];
