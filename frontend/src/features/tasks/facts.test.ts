import { createInstance } from "i18next";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/tasks.json";
import ja from "@/i18n/ja/tasks.json";
import { noOutput } from "@/stores/taskOutput";
import type { TaskDetail } from "@/topology";
import { Facts } from "./Facts";
import { logWords, stepWords } from "./words";

vi.mock("./useNow", () => ({ useNow: () => 0 }));

async function words(lng: "en" | "ja") {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng,
    resources: { en: { translation: { tasks: en } }, ja: { translation: { tasks: ja } } },
    interpolation: { escapeValue: false },
  });
  return i18n;
}

test("a task and its retry link to each other", async () => {
  const i18n = await words("en");
  const detail = {
    taskId: "b",
    taskType: "chat",
    status: "failed",
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    retryOf: "a",
    retriedAs: ["c", "d"],
  } as unknown as TaskDetail;
  const html = renderToStaticMarkup(
    createElement(I18nextProvider, { i18n }, createElement(Facts, { detail, output: noOutput })),
  );
  expect(html).toMatch(/Retry of<\/dt><dd><button[^>]*title="a"[^>]*>Show earlier task</);
  expect(html).toMatch(/Retried as<\/dt>.*title="c"[^>]*>Retry 1<.*title="d"[^>]*>Retry 2</);
});

test("TR-1 an attempt whose permission was revoked stays in the list, and is no failure", async () => {
  for (const [lng, word, why] of [
    ["en", "Withdrawn", "The agent&#x27;s permission was revoked."],
    ["ja", "取り下げ", "エージェントの許可が取り消されました。"],
  ] as const) {
    const i18n = await words(lng),
      at = "2026-01-01T00:00:00Z",
      cause = { code: "waits_for_trust", params: { agent: "bob" } };
    for (const status of ["in_progress", "canceled"]) {
      const attempts = [{ agent: "bob", startedAt: at, endedAt: at, error: "no longer allowed", cause }];
      const detail = { taskId: "b", taskType: "chat", status, createdAt: at, updatedAt: at, attempts };
      const html = renderToStaticMarkup(
        createElement(
          I18nextProvider,
          { i18n },
          createElement(Facts, { detail: detail as unknown as TaskDetail, output: noOutput }),
        ),
      );
      expect(html).toMatch(new RegExp(`badge s-idle.*>${word}<`));
      expect(html).toContain(why);
      expect(html).not.toContain("s-failed");
      expect(html).not.toContain(i18n.t("tasks.fact.took")); // no attempt has counted yet
    }
  }
});

test("the use of a tool is said in the person's language", async () => {
  const { t } = await words("ja");
  expect(logWords(t, "uses shell_exec")).toBe("shell_execを使用");
  expect(logWords(t, 'uses file_read {"path":"a.txt"}')).toBe('file_readを使用 {"path":"a.txt"}');
  expect(logWords(t, "it uses another line")).toBe("it uses another line");
  const nameOf = (id: string) => ({ dev: "開発", qa: "品質" })[id] ?? id;
  for (const [line, said] of [
    ['uses delegate {"agent":"dev","task":"Build it"}', "開発に委任：Build it"],
    [
      'uses delegate {"agent":"dev","task":"Build it","skill":"go"}',
      'delegateを使用 {"agent":"dev","task":"Build it","skill":"go"}',
    ],
    ['uses delegate {"agent":"dev","task":"Bui…', 'delegateを使用 {"agent":"dev","task":"Bui…'],
    ["qa did not accept it", "qa did not accept it"],
  ] as const)
    expect(logWords(t, line, nameOf)).toBe(said);
});

test("a line about a delegation or a review is worded by its cause", async () => {
  const { t } = await words("ja");
  const nameOf = (id: string) => ({ dev: "開発", qa: "品質" })[id] ?? id;
  for (const [code, params, said] of [
    ["gave_task", { agent: "dev" }, "開発のタスクを作成しました"],
    ["accepted_work", { agent: "qa", from: "dev" }, "品質が開発の結果を承認しました"],
    ["rejected_work", { agent: "qa", from: "gone", said: "No\ntests" }, "品質がgoneの結果を差し戻しました：No\ntests"],
    ["rejected_work", { agent: "qa", from: "dev", said: "" }, "品質が開発の結果を差し戻しました"],
  ] as const) {
    expect(stepWords(t, { code, params }, nameOf)).toBe(said);
  }
  expect(stepWords(t, { code: "reviewed" }, nameOf)).toBeUndefined();
});
