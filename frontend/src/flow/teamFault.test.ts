import { createInstance } from "i18next";
import { expect, it } from "vitest";
import clip from "../i18n/ja/clip.json";
import field from "../i18n/ja/field.json";
import hub from "../i18n/ja/hub.json";
import type { Topology } from "../topology";
import { refusedWhy } from "./teamFault";

it("APP-4 why the hub refused an edit is said in Japanese", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "ja",
    resources: { ja: { translation: { clip, field, hub } } },
    interpolation: { escapeValue: false },
  });
  const of = (t: Topology, message: string) => refusedWhy(i18n.t, { code: "VALIDATION_ERROR", message }, t);
  const far: Topology = { agents: [{ id: "dev", name: "開発" }], layout: { dev: { x: 2e7, y: 0 } } };
  expect(of(far, "layout.dev is 2e+07")).toMatch(/^開発の位置：数値が-.*の範囲にありません。$/);
  const long: Topology = { agents: [{ id: "dev", name: "開発", persona: "x".repeat(300_000) }] };
  expect(of(long, "agents[0].persona has 300000 bytes")).toMatch(/^開発の.*：文字が.*を超えています。$/);
  expect(of({ agents: [] }, "agents[0].id is missing")).toBe(
    "AgentFlowが受け付けない値があります（agents[0].id is missing）。",
  );
});
