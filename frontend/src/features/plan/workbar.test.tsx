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

it("ME-8 a plan that wasn't run, or whose run was canceled, has no bar", () => {
  expect(shown({ done: 2, tasks: 2 })).toBe("");
  expect(shown({ done: 1, tasks: 2, work: { state: "canceled", tokens: 1200, usd: 0.5 } })).toBe("");
});
