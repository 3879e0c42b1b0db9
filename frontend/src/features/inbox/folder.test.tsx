import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/inbox.json";
import ja from "@/i18n/ja/inbox.json";
import type { Question } from "@/topology";
import { QuestionView } from "./QuestionView";
import { folderOf } from "./words";

vi.mock("@/i18n", () => ({ i18next: {} })); // it asks the browser for its language
vi.mock("@/ui/useMedia", () => ({ useMedia: () => false, useTextScale: () => 1 }));

const asked = (more: Partial<Question>): Question => ({
  id: "q",
  agent: "dev",
  state: "waiting",
  askedAt: "2026-01-01T00:00:00Z",
  tool: "shell_exec",
  from: "shell",
  arguments: { command: "npm ci", dir: "web" },
  workspace: "/home/mia/shop",
  ...more,
});

test("CH-5 a question about a write says whether it replaces a file", async () => {
  for (const [lng, inbox, created, replaced] of [
    ["en", en, "Creates notes.txt", "Replaces notes.txt (36B)"],
    ["ja", ja, "notes.txtを新しく作成します", "既存のnotes.txt（36B）を置き換えます"],
  ] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { inbox } } } });
    const shown = (effect: Question["effect"]) =>
      renderToStaticMarkup(
        <I18nextProvider i18n={i18n}>
          <QuestionView
            question={asked({
              tool: "file_write",
              from: "files",
              arguments: { path: "notes.txt", content: "new" },
              effect,
            })}
          />
        </I18nextProvider>,
      );
    expect(shown({ op: "creates" })).toContain(`<dd>${created}</dd>`);
    expect(shown({ op: "replaces", size: 36 })).toContain(`<dd>${replaced}</dd>`);
    expect(shown(undefined)).not.toContain("notes.txt (");
  }
});

test("ME-8 a question about a merge names the target branch, the test command and its result", async () => {
  for (const [lng, inbox, names] of [
    ["en", en, ["Target branch", "Test command", "Test result", "Passed"]],
    ["ja", ja, ["マージ先のブランチ", "テストコマンド", "テスト結果", "成功"]],
  ] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { inbox } } } });
    const about = { plan: "Shop", task: "Cart", branch: "agentflow/cart", into: "main", test: "make test", tested: 0 };
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <QuestionView question={asked({ tool: "merge", from: undefined, arguments: about })} />
      </I18nextProvider>,
    );
    expect(html).toMatch(new RegExp(`<dt>${names[0]}</dt><dd class="mono" translate="no">.*?main`));
    expect(html).toMatch(new RegExp(`<dt>${names[1]}</dt><dd class="mono" translate="no">.*?make test`));
    expect(html).toContain(`<dt>${names[2]}</dt><dd><bdi>${names[3]}</bdi></dd>`);
  }
});

test("ME-8 a question about a merge says that nothing was tested", async () => {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: "en", resources: { en: { translation: { inbox: en } } } });
  const about = { plan: "Shop", task: "Cart", branch: "agentflow/cart", into: "main", test: "", tested: "none" };
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <QuestionView question={asked({ tool: "merge", from: undefined, arguments: about })} />
    </I18nextProvider>,
  );
  expect(html).toContain("<dt>Test result</dt><dd><bdi>Nothing was tested.</bdi></dd>");
});

test("TR-2 a question about a command or a file names the folder in which it would be done", async () => {
  for (const [lng, inbox, name, unknown] of [
    ["en", en, "Workspace", "Unknown."],
    ["ja", ja, "作業フォルダー", "不明です。"],
  ] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { inbox } } } });
    const shown = (more: Partial<Question>) =>
      renderToStaticMarkup(
        <I18nextProvider i18n={i18n}>
          <QuestionView question={asked(more)} />
        </I18nextProvider>,
      );
    expect(shown({ workspace: undefined, elsewhere: true })).toContain(`<dt>${name}</dt><dd>${unknown}`);
    expect(shown({ workspace: undefined, tool: "search", from: "web" })).not.toContain(`<dt>${name}</dt>`);
    const html = shown({});
    expect(html).toMatch(new RegExp(`<dt>${name}</dt><dd class="mono" translate="no">.*?/home/mia/shop`));
  }
  expect(folderOf(asked({ tool: "file_write", from: "files" }))).toBe("/home/mia/shop");
  expect(folderOf(asked({ workspace: undefined }))).toBe("");
  expect(folderOf(asked({ tool: "search", from: "web" }))).toBe("");
  expect(folderOf(asked({ tool: "worker tool", from: undefined, arguments: { plan: "Shop", task: "Cart" } }))).toBe("");
});
