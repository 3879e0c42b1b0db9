import { createInstance } from "i18next";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test } from "vitest";
import chat from "@/i18n/en/chat.json";
import tasks from "@/i18n/en/tasks.json";
import { Result } from "./Result";

test("what a command printed keeps its lines, and the exit code has a name", async () => {
  const i18n = createInstance();
  await i18n
    .use(initReactI18next)
    .init({ lng: "en", resources: { en: { translation: { tasks, chat } } }, interpolation: { escapeValue: false } });
  const value = {
    command: "x",
    text: "exit code 2\nstdout:\nline 1\nline 2\n",
    exitCode: 2,
    stdout: "line 1\n  line 2\n",
    stderr: "",
  };
  const html = renderToStaticMarkup(createElement(I18nextProvider, { i18n }, createElement(Result, { value })));
  expect(html).toContain("<p>Exit code 2</p>");
  expect(html).toMatch(/<pre[^>]*aria-label="Standard output"[^>]*>line 1\n {2}line 2<\/pre>/);
  expect(html).not.toContain("Standard error");
});
