import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import chat from "@/i18n/en/chat.json";
import en from "@/i18n/en/tasks.json";
import ja from "@/i18n/ja/tasks.json";
import { noOutput } from "@/stores/taskOutput";
import type { TaskDetail, TaskSummary } from "@/topology";
import { Facts } from "./Facts";
import { TaskRow } from "./TaskRow";
import { TaskView } from "./TaskView";

const live = vi.hoisted((): { detail: unknown } => ({ detail: undefined }));
vi.mock("./useNow", () => ({ useNow: () => 0 }));
vi.mock("@/ui/useMedia", () => ({ useMedia: () => false, useTextScale: () => 1 }));
vi.mock("@/stores/useLiveTask", async () => {
  const { noOutput: output } = await import("@/stores/taskOutput");
  return { useLiveTask: () => ({ detail: live.detail, output, link: "live", retry: () => undefined }) };
});

async function shown(lng: "en" | "ja", result: object) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng,
    resources: { en: { translation: { tasks: en, chat } }, ja: { translation: { tasks: ja, chat } } },
    interpolation: { escapeValue: false },
  });
  const at = "2026-01-01T00:00:00Z",
    detail = {
      taskId: "a",
      taskType: "command_execution",
      status: "completed",
      userPrompt: "make",
      createdAt: at,
      updatedAt: at,
      attempts: [{ agent: "lead", startedAt: at, endedAt: at }],
      result: { command: "make", text: "", ...result },
    } as unknown as TaskDetail;
  live.detail = detail;
  const drawn = (of: React.ReactNode) => renderToStaticMarkup(<I18nextProvider i18n={i18n}>{of}</I18nextProvider>);
  const head = drawn(<TaskView id="a" onConnect={() => undefined} />).match(/<header.*?<\/header>/)?.[0];
  const summary = {
    ...detail,
    title: "make",
    attempts: 1,
    progress: 100,
    agent: "",
    ...result,
  } as unknown as TaskSummary;
  const row = drawn(<TaskRow level={0} task={summary} current={false} reachable position={1} />);
  return { head, row, facts: drawn(<Facts detail={detail} output={noOutput} />) };
}

const failed = (text: string) => new RegExp(`<span class="badge s-failed"><svg.*?</svg>${text}</span>`, "g");

test("CO-4 a command that failed isn't shown as done", async () => {
  for (const [lng, result, text] of [
    ["en", { exitCode: 3 }, "Exit code 3"],
    ["ja", { exitCode: 3 }, "終了コード：3"],
    ["en", { exitCode: -1, timedOut: true }, "Timed out"],
    ["ja", { exitCode: -1, timedOut: true }, "時間切れ"],
  ] as const) {
    const { head, facts, row } = await shown(lng, result);
    expect(row).toContain(`${lng === "en" ? "Failed" : "失敗"} · ${text}`);
    expect(row).toContain("s-failed");
    expect(row).not.toContain("s-done");
    expect(head).toMatch(failed(text));
    expect(head).toContain(`role="status">${text}<`);
    expect(head).not.toContain("s-done");
    expect(facts.match(failed(text))).toHaveLength(2); // the task and its attempt
    expect(facts).not.toContain("s-done");
  }
});

test("CO-4 a command with the exit code 0 is done", async () => {
  const { head, facts, row } = await shown("en", { exitCode: 0 });
  expect(row).toMatch(/s-done.*>Done</);
  expect(head).toMatch(/s-done.*role="status">Done</);
  expect(head).not.toContain("badge");
  expect(facts).not.toContain("s-failed");
});
