import type { App } from "./app.ts";
import type { Hub } from "./hub.ts";
import { ModelServer } from "./modelServer.ts";
import { redraw, seedShop, withLine } from "./seed.ts";
import { gate, row, submit } from "./team.ts";
import { until } from "./until.ts";

// The shop's team at work: agents that answer, one of them still writing, as the pictures of the README show them.

type Text = readonly [en: string, ja: string];
const prices = [
  ["anthropic/claude-opus-4-6", 5, 25],
  ["anthropic/claude-sonnet-4-6", 3, 15],
  ["openai/gpt-5-mini", 0.25, 2],
  ["ollama/*", 0, 0],
] as const;

/** A stretch of work to show: what is prepared, what every model says to what is asked, and the way to the picture. */
export type Show = {
  name: string;
  seed: (hub: Hub, ja: boolean) => Promise<void>;
  says: (ja: boolean, held: Promise<void>) => (question: string, model: string) => AsyncIterable<string>;
  go: (app: App) => Promise<void>;
};

/** Prepares a hub whose models answer as the show has it; the answers that are held go on when what it returns is called. */
export async function stage(hub: Hub, show: Show, ja: boolean): Promise<() => Promise<void>> {
  const held = gate(),
    server = await ModelServer.start({ script: show.says(ja, held.opened), tokens: [1840, 236] });
  for (const name of ["anthropic", "openai", "ollama"])
    await hub.ask("POST", "/api/providers", {
      name,
      kind: "openai",
      baseUrl: `${server.url}/v1`,
      default: name === "openai",
    });
  for (const [model, input, output] of prices) await hub.ask("PUT", "/api/prices", { model, input, output });
  const id = await seedShop(hub, ja);
  await redraw(hub, id, "edit.connect", withLine("lead", "command", "ops"));
  await hub.apply(id);
  await show.seed(hub, ja);
  return () => {
    held.open();
    return server.stop();
  };
}

const at = (text: Text, ja: boolean) => text[ja ? 1 : 0];
const mika: Text = ["Mika Tanaka", "田中 美香"];
const room: Text = ["Checkout", "会計"];

const asked: Text = [
  "Cart and invoice differ by 1 yen. @Lead, which rule do we follow?",
  "カートと請求書で1円ずれます。@リーダー、どの規則に従いますか？",
];
const decided: Text = [
  "Tester is right: once per invoice and tax rate. @Writer, please put that in the guide.",
  "テスターの言うとおり、1請求書につき税率ごとに1回です。@ライター、手引きに書いてください。",
];
const answers: Record<string, Text> = {
  "claude-opus-4-6": [
    "@Backend: what does the code do today? Agree with the tester on the rule **before** you write any.",
    "@バックエンド、今のコードはどうなっていますか。書く前に、テスターと**「端数処理の規則」**を決めてください。",
  ],
  "qwen3-coder:30b": [
    "Per line, half up, as [the tax office's guide](https://www.nta.example/guide) has it. @Tester, does that hold?",
    "[国税庁の手引き](https://www.nta.example/guide)のとおり、明細ごとに四捨五入です。@テスター、これで合っていますか？",
  ],
  "gpt-5-mini": [
    "No: an invoice rounds only once per tax rate. Three items at 8 %:\n\n```go\nper := round(29) * 3 // 87\nall := round(88.32)  // 88\n```",
    "いいえ。インボイスの端数処理は税率ごとに1回だけです。8%の商品が3点の例:\n\n```go\nper := round(29) * 3 // 87\nall := round(88.32)  // 88\n```",
  ],
  "qwen3:8b": [
    "For the guide, *Taxes*:\n\n1. Add up the prices of one tax rate.\n2. Round that sum once, half up.\n3. The cart shows the same",
    "手引きの「税」の節です。\n\n1. 税率ごとに金額を合計する。\n2. その合計を1回だけ四捨五入する。\n3. カートにも同じ",
  ],
};

const rooms: Show = {
  name: "rooms",
  says: (ja, held) =>
    async function* (_, model) {
      yield at(answers[model]!, ja);
      if (model === "qwen3:8b") await held;
    },
  seed: async (hub, ja) => {
    const [team] = await hub.teams(),
      name = at(room, ja),
      names = ja ? { backend: "バックエンド", qa: "テスター" } : { backend: "Backend", qa: "Tester" };
    const say = (to: string, sender: string, message: string, more: object = {}) =>
      hub.ask("POST", "/api/message", { room: to, sender, message, ...more });
    const heard = (words: string) =>
      until(
        words,
        () =>
          hub.ask<{ messages: { message: string }[] }>(
            "GET",
            `/api/messages?room=${encodeURIComponent(name)}&limit=50`,
          ),
        (r) => r.messages.some((m) => m.message.includes(words)),
      );
    const used = (agent: string, tool: string, args: string, output: string, failed = false) => {
      const result = `\`\`\`\n${output}\n\`\`\``;
      return say(name, agent, `${agent} used ${tool} ${args}\n\n${result}`, {
        type: "system",
        cause: {
          code: failed ? "tool_failed" : "tool_used",
          params: { agent, tool, arguments: args, own: String(result.length) },
        },
      });
    };
    const early = new Date(Date.now() - 60 * 60_000).toISOString();
    await say(
      ja ? "朝会" : "Stand-up",
      ja ? "リーダー" : "Lead",
      ja ? "おはようございます。止まっている作業はありますか？" : "Good morning. What is blocked?",
      { timestamp: early },
    );
    await say(
      ja ? "リリース1.9" : "Release 1.9",
      ja ? "運用" : "Ops",
      ja ? "昨日からステージングにあります。" : "On staging since yesterday.",
      { timestamp: early },
    );
    await hub.ask("POST", "/api/rooms", { name, team: team!.id, agents: ["lead", "backend", "qa", "docs"] });
    await hub.ask("PUT", `/api/rooms/${encodeURIComponent(name)}/policy`, {
      order: "round_robin",
      toPeople: "mentioned",
      toAgents: "mentioned",
      maxAgentTurns: 12,
      turnsPerMinute: 20,
      maxTokens: 400_000,
    });
    await say(name, at(mika, ja), at(asked, ja));
    await heard("round(29)");
    await used(
      names.qa,
      "shell",
      '{"command":"go test ./billing -run Rounding -count=1"}',
      "--- FAIL: TestRounding (0.00s)\n    rounding_test.go:12: got 87, want 88",
      true,
    );
    await say(name, at(mika, ja), at(decided, ja));
  },
  go: async (app) => {
    await app.go("rooms");
    await app.page
      .locator("button.lrow")
      .filter({ hasText: /^(Checkout|会計)/ })
      .click();
    await app.page.locator("article.msg[data-live] ol").waitFor();
    await app.page.locator(".hljs-number").first().waitFor();
  },
};

const lines: Record<string, readonly [agent: string, asked: Text, answer: Text][]> = {
  sessions: [
    [
      "docs",
      ["Please mend the **tax** section of the guide.", "手引きの**税**の節を直してください。"],
      [
        "Done. It says now:\n\n> Tax is rounded once per invoice and tax rate.\n\nTwo examples follow, one at 8 % and one with both rates.",
        "直しました。\n\n> 税は、請求書ごと、税率ごとに1回だけ丸めます。\n\n8%の例と、両方の税率の例を付けました。",
      ],
    ],
    [
      "docs",
      ["Shorter, please: people read it at the till.", "もっと短く。レジで読みます。"],
      ["> **Tax:** add up per rate, round once.", "> **税:** 税率ごとに合計し、1回だけ丸める。"],
    ],
    [
      "lead",
      [
        "Make cart and invoice agree, with tests. Release on Friday.",
        "カートと請求書を一致させてください。テストも。金曜にリリースします。",
      ],
      [
        "I split it in three:\n\n| who | what | done |\n| --- | --- | --- |\n| Backend | round once per rate | yes |\n| Frontend | show the same sum | today |\n| Tester | ten baskets | Thursday |",
        "3つに分けました。\n\n| 担当 | 内容 | 状態 |\n| --- | --- | --- |\n| バックエンド | 税率ごとに1回丸める | 済 |\n| フロントエンド | 同じ合計を表示 | 本日 |\n| テスター | 買い物かご10個 | 木曜 |",
      ],
    ],
    [
      "lead",
      ["What did Backend change?", "バックエンドは何を変えましたか？"],
      [
        "One place, `order/total.go`:\n\n```go\nfor rate, sum := range sums {\n\ttotal += round(sum * rate)\n}\n```\n\nThe tests of both rates pass; Frontend",
        "`order/total.go` の1か所です。\n\n```go\nfor rate, sum := range sums {\n\ttotal += round(sum * rate)\n}\n```\n\n両方の税率のテストは通りました。フロント",
      ],
    ],
  ],
};

const sessions: Show = {
  name: "sessions",
  says: (ja, held) =>
    async function* (question) {
      const line = lines.sessions!.find(([, q]) => question.includes(at(q, ja)))!;
      yield at(line[2], ja);
      if (line === lines.sessions!.at(-1)) await held;
    },
  seed: async (hub, ja) => {
    for (const [n, [agent, question]] of lines.sessions!.entries()) {
      const sessionKey = `agent:${agent}:main`;
      await hub.ask("POST", "/api/gateway/chat/send", {
        sessionKey,
        message: at(question, ja),
        idempotencyKey: `show-${n}`,
      });
      if (n < lines.sessions!.length - 1)
        await until(
          "the answer",
          () => hub.ask<{ messages: unknown[] }>("POST", "/api/gateway/chat/history", { sessionKey }),
          (h) => h.messages.length === 2 * (1 + lines.sessions!.slice(0, n).filter(([who]) => who === agent).length),
        );
    }
  },
  go: async (app) => {
    await app.go("sessions");
    await app.page
      .locator("button.lrow")
      .filter({ hasText: /Lead|リーダー/ })
      .first()
      .click();
    await app.page
      .locator(".sessions-list button.lrow")
      .filter({ hasText: /Writer|ライター/ })
      .first()
      .click();
    await app.page.locator("article.msg pre").first().waitFor();
  },
};

const work = {
  guide: ["Rewrite the guide's section on taxes, with two examples", "手引きの税の節を、例を2つ添えて書き直す"],
  sources: ["Find out how other shops round, with sources", "他の店舗の丸め方を出典つきで調べる"],
  round: ["Decide how sums are rounded, and name every place to change", "合計の丸め方を決め、変更箇所をすべて挙げる"],
  old: ["Look up the invoices of last year that were 1 yen off", "1円ずれた昨年の請求書を洗い出す"],
  run: ["go test ./order/...", "go test ./order/..."],
} as const satisfies Record<string, Text>;
const ids = {} as Record<keyof typeof work, string>;
let tries = 0;

const tasks: Show = {
  name: "tasks",
  says: (ja, held) =>
    async function* (question) {
      if (question.includes(at(work.old, ja))) throw new Error("cut");
      if (!question.includes(at(work.round, ja))) {
        yield ja ? "完了しました。" : "Done, with sources at the end.";
        return;
      }
      if (tries++ === 0) {
        yield ja ? "まず、合計を" : "First I look for every";
        throw new Error("cut");
      }
      yield ja
        ? "## 丸めるのは1か所\n\n税率ごとに合計し、**請求書ごとに1回**丸めます。変更箇所は次の3つです。\n\n| ファイル | 今 | これから |\n| --- | --- | --- |\n| `order/total.go` | 明細ごと | 税率ごと |\n| `order/invoice.go` | 明細ごと | `total.go` を使う |\n| `web/cart.ts` | 丸めない | APIの合計を表示 |\n\n```go\nfor rate, sum := range sums {\n\ttotal += round(sum * rate)\n}\n```\n\n次に、境界の値を"
        : "## One place rounds\n\nAdd up per tax rate and round **once per invoice**. Three places change:\n\n| file | today | then |\n| --- | --- | --- |\n| `order/total.go` | per line | per rate |\n| `order/invoice.go` | per line | uses `total.go` |\n| `web/cart.ts` | not at all | shows the API's sum |\n\n```go\nfor rate, sum := range sums {\n\ttotal += round(sum * rate)\n}\n```\n\nNext I check the values at the";
      await held;
    },
  seed: async (hub, ja) => {
    tries = 0;
    const give = async (name: keyof typeof work, context: object, type?: string) => {
      ids[name] = (await submit(hub, at(work[name], ja), context, type)).taskId;
    };
    const ended = (name: keyof typeof work) =>
      until(
        `${name} to end`,
        () => hub.ask<{ status: string }>("GET", `/tasks/${ids[name]}/status`),
        (s) => /completed|failed/.test(s.status),
      );
    await give("guide", { agent: "docs" });
    await ended("guide");
    await give("old", { agent: "research" });
    await ended("old");
    await give("sources", { agent: "research" });
    await ended("sources");
    await give("run", {}, "command_execution");
    await give("round", { agent: "arch" });
  },
  go: async (app) => {
    await app.go("tasks");
    await row(app, ids.round).click();
    await app.page
      .getByRole("log")
      .getByText(/^total \+=|total \+=/)
      .first()
      .waitFor();
  },
};

export const shows: readonly Show[] = [rooms, sessions, tasks];
