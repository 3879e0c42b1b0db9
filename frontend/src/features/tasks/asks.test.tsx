import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import chat from "@/i18n/en/chat.json";
import en from "@/i18n/en/tasks.json";
import work from "@/i18n/en/work.json";
import jaWork from "@/i18n/ja/work.json";
import ja from "@/i18n/ja/tasks.json";
import { noOutput } from "@/stores/taskOutput";
import type { TaskDetail, TaskSummary } from "@/topology";
import { Facts } from "./Facts";
import { TaskRow } from "./TaskRow";
import { TaskView } from "./TaskView";

const live = vi.hoisted((): { detail: unknown; asked: string } => ({ detail: undefined, asked: "" }));
vi.mock("./useNow", () => ({ useNow: (fine: boolean) => (fine ? Date.parse("2026-01-01T00:00:07Z") : 0) }));
vi.mock("@/ui/useMedia", () => ({ useMedia: () => false, useTextScale: () => 1 }));
vi.mock("@/stores/hub", async (real) => ({
  ...(await real<object>()),
  useHub: (of: (s: object) => unknown) =>
    of({ inbox: [{ id: "q", task: live.asked, agent: "lead", tool: "shell_exec" }] }),
}));
vi.mock("@/stores/useLiveTask", async () => {
  const { noOutput: output } = await import("@/stores/taskOutput");
  return { useLiveTask: () => ({ detail: live.detail, output, link: "live", retry: () => undefined }) };
});

async function shown(lng: "en" | "ja", asked: string) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng,
    resources: {
      en: { translation: { tasks: en, chat, work } },
      ja: { translation: { tasks: ja, chat, work: jaWork } },
    },
    interpolation: { escapeValue: false },
  });
  const at = "2026-01-01T00:00:00Z",
    detail = {
      taskId: "a",
      taskType: "chat",
      status: "in_progress",
      userPrompt: "make",
      createdAt: at,
      updatedAt: at,
      attempts: [{ agent: "lead", startedAt: at }],
    } as unknown as TaskDetail;
  live.detail = detail;
  live.asked = asked;
  const drawn = (of: React.ReactNode) => renderToStaticMarkup(<I18nextProvider i18n={i18n}>{of}</I18nextProvider>);
  const head = drawn(<TaskView id="a" onConnect={() => undefined} />).match(/<header.*?<\/header>/)?.[0] ?? "";
  const summary = { ...detail, title: "make", attempts: 1, progress: 0, startedAt: at } as unknown as TaskSummary;
  const row = drawn(<TaskRow level={0} task={summary} current={false} reachable position={1} />);
  return [head, row, drawn(<Facts detail={detail} output={noOutput} />)];
}

test("TR-2 a task whose agent asks the person isn't shown as running", async () => {
  for (const [lng, word, running] of [
    ["en", "Asking you", "Running"],
    ["ja", "回答待ち", "実行中"],
  ] as const) {
    expect((lng === "en" ? work : jaWork).asks).toBe(word); // as on the canvas
    for (const html of await shown(lng, "a")) {
      expect(html).toContain(word);
      expect(html).toContain("s-waiting");
      expect(html).not.toContain("spin");
      expect(html).not.toContain(running);
      expect(html).not.toContain("0:07"); // no clock ticks
    }
    for (const html of await shown(lng, "another")) {
      expect(html).toContain(running);
      expect(html).toContain("spin");
      expect(html).not.toContain(word);
    }
  }
});
