import { asks, askingEnv, elsewhereAgent, npm } from "../asking.ts";
import { seedShop } from "../seed.ts";
import { some, type Scene } from "./scene.ts";

const rows = ".rows .lrow";

/** What waits for the person. */
export const inboxScenes: Scene[] = [
  {
    name: "inbox",
    options: { env: askingEnv },
    seed: async (hub, ja) => {
      await seedShop(hub, ja);
      await elsewhereAgent(hub, "docs");
      await asks(hub, npm());
      await asks(hub, {
        key: "write",
        tool: "file_write",
        from: "files",
        arguments: {
          path: "docs/guide.md",
          content: ja ? "# 税率\n\n税率ごとの合計を表示します。" : "# Tax rates\n\nThe cart shows a sum per rate.",
        },
        said: ja ? "ガイドに1節加えます。" : "I add a section to the guide.",
      });
      await asks(hub, {
        key: "friday",
        text: ja ? "リリースは20日と27日のどちらですか？" : "Which Friday: 20 or 27 November?",
      });
      await asks(hub, {
        key: "search",
        tool: "search_web",
        from: "brave",
        arguments: { query: "tax rates 2026", count: 5 },
      });
    },
    stops: [
      [
        "inbox",
        async (app) => {
          await app.go("inbox");
          await some("the questions", app.page.locator(rows), 4);
        },
      ],
      [
        "inbox-question",
        async (app) => {
          await app.page.locator(rows).nth(1).click();
          await app.page.locator(".inbox-code").waitFor();
        },
      ],
      [
        "inbox-words",
        async (app, phone) => {
          if (phone) await app.button(/^(Back to the list|一覧に戻る)$/).click();
          await app.page.locator(rows).nth(2).click();
          await app.page.locator(".inbox-view textarea").waitFor();
        },
      ],
    ],
  },
];
