import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, it } from "vitest";
import en from "@/i18n/en/work.json";
import type { AgentWork } from "@/topology";
import { WorkFoot, workTone } from "./work";

const work = (state: AgentWork["state"]): AgentWork => ({
  agent: "dev",
  state,
  task: "t",
  title: "Write it down",
  since: "2026-01-01T00:00:00Z",
  why: "canceled by a person",
});

it("APP-4 a task that a person canceled is gray on the canvas, not red", async () => {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: "en", resources: { en: { translation: { work: en } } } });
  expect([workTone(work("canceled")), workTone(work("failed"))]).toEqual(["idle", "failed"]);
  const foot = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <WorkFoot work={work("canceled")} />
    </I18nextProvider>,
  );
  expect(foot).toContain('title="Canceled: Write it down"');
  expect(foot).not.toContain("by a person");
});
