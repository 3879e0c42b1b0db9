import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/tasks.json";
import work from "@/i18n/en/work.json";
import type { Candidate, TaskSummary } from "@/topology";
import { AgentChoice } from "./AgentChoice";
import { TaskRow } from "./TaskRow";

vi.mock("./useNow", () => ({ useNow: () => 0 }));

async function drawn(of: React.ReactNode) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: "en", resources: { en: { translation: { tasks: en, work } } } });
  return renderToStaticMarkup(<I18nextProvider i18n={i18n}>{of}</I18nextProvider>);
}

test("CO-2 an agent is named with its ID where another one has its name", async () => {
  const agents = [
    { id: "dev-1", name: "Dev" },
    { id: "dev-2", name: "Dev" },
    { id: "qa", name: "QA" },
  ].map((a) => ({ ...a, may: true, can: ["chat"] }) as unknown as Candidate);
  const choice = (value: string) =>
    drawn(<AgentChoice agents={agents} receiver={{ hint: "" }} value={value} type="chat" onValue={() => undefined} />);
  expect(await choice("dev-2")).toContain("Dev (dev-2)");
  expect(await choice("qa")).not.toContain("(qa)");
});

test("CO-3 a rejection in review isn't told as an attempt", async () => {
  const row = (more: Partial<TaskSummary>) => {
    const at = "2026-01-01T00:00:00Z";
    const task = { taskId: "a", title: "make", taskType: "chat", status: "completed", progress: 100, createdAt: at };
    return drawn(
      <TaskRow
        level={0}
        task={{ ...task, updatedAt: at, attempts: 1, ...more } as TaskSummary}
        current={false}
        reachable
        position={1}
      />,
    );
  };
  expect(await row({ rejections: 1 })).toMatch(/Done · rejected once in review/);
  expect(await row({ attempts: 2, rejections: 2 })).toContain("2 attempts · rejected 2 times in review");
  expect(await row({})).not.toMatch(/attempt|rejected/);
});
