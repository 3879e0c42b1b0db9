import { until, type App } from "../app.ts";
import { seedShop } from "../seed.ts";
import { settingsPart, type Scene } from "./scene.ts";

type Line = [sender: [en: string, ja: string], minutes: number, en: string, ja: string, type?: string];
type Used = [
  sender: [en: string, ja: string],
  minutes: number,
  tool: string,
  input: string,
  output: string,
  failed?: boolean,
];
const mika: [string, string] = ["Mika Tanaka", "田中 美香"],
  lead: [string, string] = ["Lead", "リーダー"],
  backend: [string, string] = ["Backend", "バックエンド"],
  tester: [string, string] = ["Tester", "テスター"];

const talk: Line[] = [
  [
    mika,
    0,
    "Cart and invoice differ by 1 yen. Which rule do we follow?",
    "カートと請求書で1円ずれます。どの規則に従いますか？",
  ],
  [
    lead,
    1,
    "@Backend and @Tester: agree on the rounding rule **before** you write code.",
    "@バックエンド と @テスター は、コードを書く前に**「端数処理の規則」**を決めてください。",
  ],
  [
    backend,
    2,
    "Per line, half up, as the invoice does. Source: [the tax office's guide](https://www.nta.example/guide) for qualified invoices.",
    "請求書と同じく、明細ごとに四捨五入です。出典は[国税庁の手引き](https://www.nta.example/guide)です。",
  ],
  [
    tester,
    3,
    "One invoice may round only once per tax rate, not per line. So per line would be wrong too. Example with three items at 8 %:\n\n```go\nper := round(29) * 3 // 87\nall := round(88.32)  // 88\n```",
    "インボイスの端数処理は税率ごとに1回だけです。明細ごとの丸めも誤りになります。8%の商品が3点の例:\n\n```go\nper := round(29) * 3 // 87\nall := round(88.32)  // 88\n```",
  ],
  [
    mika,
    4,
    "@Tester is right. Once per invoice and tax rate.",
    "@テスター の言うとおりです。1請求書につき税率ごとに1回。どちらもこれに従ってください。",
  ],
  [lead, 5, "Frontend joined from mini-02", "フロントエンドがmini-02から参加しました", "system"],
  [
    backend,
    6,
    "Understood:\n\n1. round the sum per rate\n2. the cart shows the same sum\n3. a test with ten baskets",
    "了解しました。\n\n1. 税率ごとの合計で丸める\n2. カートも同じ合計を表示する\n3. 買い物かご10個でテストする",
  ],
];

/** What the agents did with tools meanwhile. */
const used: Used[] = [
  [
    backend,
    1.5,
    "file_read",
    '{"path":"billing/rounding.go"}',
    "package billing\n\n// Round is half up.\nfunc Round(x float64) int { return int(x + .5) }",
  ],
  [
    tester,
    2.5,
    "shell",
    '{"command":"go test ./billing -run Rounding -count=1","timeout":60}',
    "--- FAIL: TestRounding (0.00s)\n    rounding_test.go:12: got 87, want 88",
    true,
  ],
];

/** The last use of a tool, open and in view. */
async function tool(app: App): Promise<void> {
  const line = app.page.locator("summary.tool").last(),
    body = app.page.locator(".tool-body").last();
  await until(
    "the tool to be drawn",
    async () => {
      const n = await line.count();
      if (!n)
        await app.page.getByRole("log").evaluate((e) => {
          e.scrollTop -= 200;
        });
      return n;
    },
    (n) => n > 0,
  );
  if (!(await body.isVisible())) await line.press("Enter");
  await body.waitFor();
  await body.scrollIntoViewIfNeeded();
}

/** Rooms, with people and agents of the shop's team. */
const rooms: Scene = {
  name: "rooms",
  seed: async (hub, ja) => {
    await seedShop(hub, ja);
    const at = Date.now() - 8 * 60_000,
      t = ja ? 1 : 0;
    const post = (room: string, [sender, minutes, en, jp, type]: Line) =>
      hub.ask("POST", "/api/message", {
        room,
        sender: sender[t],
        message: ja ? jp : en,
        type,
        timestamp: new Date(at + minutes * 60_000).toISOString(),
      });
    const tell = ([sender, minutes, tool, input, output, failed]: Used) => {
      const result = `\`\`\`\n${output}\n\`\`\``,
        agent = sender[t];
      return hub.ask("POST", "/api/message", {
        room: ja ? "会計" : "Checkout",
        sender: agent,
        type: "system",
        message: `${agent} used ${tool} ${input}\n\n${result}`,
        timestamp: new Date(at + minutes * 60_000).toISOString(),
        cause: {
          code: failed ? "tool_failed" : "tool_used",
          params: { agent, tool, arguments: input, own: String(result.length) },
        },
      });
    };
    for (const l of talk) {
      await post(ja ? "会計" : "Checkout", l);
      for (const u of used) if (Math.floor(u[1]) === l[1]) await tell(u);
    }
    await post(ja ? "朝会" : "Stand-up", [
      lead,
      -90,
      "Good morning. What is blocked?",
      "おはようございます。止まっている作業はありますか？",
    ]);
    await post(ja ? "朝会" : "Stand-up", [tester, -88, "Nothing is blocked.", "ありません。"]);
    await post(ja ? "リリース1.9" : "Release 1.9", [
      lead,
      -60 * 26,
      "On staging since yesterday.",
      "昨日からステージングにあります。",
    ]);
  },
  stops: [
    [
      "rooms",
      async (app, phone) => {
        await app.go("rooms");
        if (phone) {
          await app.page.locator("button.lrow").first().waitFor();
          return;
        }
        await app.page.locator("article.msg").last().waitFor();
        await app.page.locator(".hljs-number").first().waitFor();
      },
    ],
    [
      "rooms-mention",
      async (app, phone) => {
        if (phone)
          await app.page
            .locator("button.lrow")
            .filter({ hasText: /^(Checkout|会計)/ })
            .click();
        const field = app.page.locator(".composer textarea");
        await field.fill("");
        await app.page.keyboard.type(
          /ja/.test(await app.page.evaluate(() => document.documentElement.lang))
            ? "規則が決まったら、手引きに書いてください。@"
            : "Once the rule stands, please put it in the guide. @",
        );
        await app.page.getByRole("listbox").waitFor();
      },
    ],
    [
      "rooms-search",
      async (app) => {
        await app.page.keyboard.press("Escape");
        await app.button(/^(Search messages|メッセージを検索)$/).click();
        await app.page.getByRole("textbox", { name: /^(Search messages|メッセージを検索)$/ }).fill("1");
        await until(
          "hits",
          () => app.page.locator(".rooms-hit").count(),
          (n) => n > 0,
        );
      },
    ],
    [
      "rooms-tool",
      async (app) => {
        await app
          .button(/^(Close|閉じる)$/)
          .first()
          .click();
        await tool(app);
      },
      tool,
    ],
    [
      "rooms-here",
      async (app) => {
        if (!(await app.page.locator(".rooms-link").count()))
          await app
            .button(/^(Participants|参加者)$/)
            .first()
            .click();
        await app.page.locator(".rooms-link").waitFor();
      },
    ],
    [
      "rooms-new",
      async (app, phone) => {
        if (phone) {
          await app.button(/^(Hide the list|参加者を隠す)$/).click();
          await app.button(/^(Back to the rooms|ルームの一覧に戻る)$/).click();
        }
        await app
          .button(/^(New room|ルームを作成)$/)
          .first()
          .click();
        await app.page.getByRole("dialog").waitFor();
      },
    ],
  ],
};

/** Sessions with agents of the hub's own gateway: two that were answered, one that is begun. */
const sessions: Scene = {
  name: "sessions",
  seed: async (hub, ja) => {
    for (const [id, text] of [
      [
        "lead",
        ja
          ? "カートと請求書を一致させてください。金曜にリリースします。"
          : "Make cart and invoice agree, with tests. Release on Friday.",
      ],
      ["writer", ja ? "**手引き**の「税」の節を直してください。" : "Please mend the **tax** section of the guide."],
    ] as const) {
      const sessionKey = `agent:${id}:main`;
      await hub.ask("POST", "/api/gateway/chat/send", { sessionKey, message: text, idempotencyKey: `scene-${id}` });
      await until(
        "the answer",
        () => hub.ask<{ messages: unknown[] }>("POST", "/api/gateway/chat/history", { sessionKey }),
        (h) => h.messages.length === 2,
      );
    }
  },
  stops: [
    [
      "sessions",
      async (app) => {
        await app.go("sessions");
        await app.page.locator("button.lrow").first().waitFor();
      },
    ],
    [
      "sessions-open",
      async (app, phone) => {
        await app.page
          .locator("button.lrow")
          .filter({ hasText: /^(Lead|リーダー|リード)|Lead|リー/ })
          .first()
          .click();
        if (!phone) await app.page.locator(".sessions-list button.lrow").nth(1).click();
        await app.page.locator("article.msg").nth(1).waitFor();
      },
    ],
    [
      "calls",
      async (app) => {
        await settingsPart(app, "calls");
        await app.page.locator("[data-call] button").first().click();
        await app.page.locator("[data-call] [aria-expanded=true]").waitFor();
      },
    ],
  ],
};

/** The screens on which people talk. */
export const talkScenes: Scene[] = [rooms, sessions];
