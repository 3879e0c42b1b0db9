// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import type { PlanWhole } from "@/topology";
import { WorkBar } from "./WorkBar";

beforeAll(() => startLanguage().then(() => loadLanguage("en")));

const shown = (whole: object) =>
  renderToStaticMarkup(
    <WorkBar whole={{ id: "p", ...whole } as PlanWhole} model={{ items: new Map(), top: [], root: "" }} />,
  );

it("ME-8 a plan that is complete still shows what it used, and how it was run", () => {
  const html = shown({ done: 2, tasks: 2, work: { state: "ended", tokens: 1200, usd: 0.5 } });
  for (const text of ["The plan is complete.", "1.2K", "$0.50", "Run settings"]) expect(html).toContain(text);
  expect(html).not.toContain("Pause");
});

it("ME-8 a plan that wasn't run has no bar", () => {
  expect(shown({ done: 2, tasks: 2 })).toBe("");
});

it("ME-8 a canceled run still shows what it used, and where unfinished work is", () => {
  const html = shown({ done: 1, tasks: 2, work: { state: "canceled", tokens: 1200, usd: 0.5 } });
  for (const text of ["The run was canceled.", "agentflow/plan-…", "1.2K", "$0.50", "Run settings"])
    expect(html).toContain(text);
  expect(html).not.toContain("Pause");
});

it("ME-8 failed tasks that end a run are tried again together", () => {
  const task = (id: string, standing: string) => ({ id, standing, children: [], task: { title: id } });
  const model = { items: new Map(["a", "b", "c"].map((id) => [id, task(id, id === "c" ? "todo" : "failed")])) };
  const html = renderToStaticMarkup(
    <WorkBar
      whole={{ id: "p", done: 0, tasks: 3, work: { state: "ended", tokens: 0, usd: 0 } } as PlanWhole}
      model={model as never}
    />,
  );
  expect(html).toContain("Try 2 failed tasks again");
});
