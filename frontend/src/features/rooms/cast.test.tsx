import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import common from "@/i18n/en/common.json";
import en from "@/i18n/en/rooms.json";
import ja from "@/i18n/ja/rooms.json";
import { CastField } from "./CastField";

const mute = vi.hoisted((): { of: string[] } => ({ of: [] }));
vi.mock("./standing", () => ({
  useUnanswerable: (agents: { id: string }[]) => agents.filter((a) => mute.of.includes(a.id)),
}));

const agents = ["Lead", "Researcher", "Writer", "Tester"].map((name) => ({ id: name.toLowerCase(), name }));
const nothing = () => undefined;

async function shown(lng: "en" | "ja", cast: readonly string[], offered = agents) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng,
    resources: { en: { translation: { rooms: en, common } }, ja: { translation: { rooms: ja } } },
    interpolation: { escapeValue: false },
  });
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <CastField team="T" agents={agents} offered={offered} cast={cast} onCast={nothing} onLeave={nothing} />
    </I18nextProvider>,
  );
}

test("CH-12 APP-4 the agents already selected come first", async () => {
  const html = await shown("en", ["tester", "researcher"]);
  expect([...html.matchAll(/<bdi>(\w+)<\/bdi>/g)].map((m) => m[1])).toEqual(["Researcher", "Tester", "Lead", "Writer"]);
});

test("CH-12 APP-4 the legend says how many agents of the team are selected", async () => {
  const legend = async (...of: Parameters<typeof shown>) =>
    /<legend.*?<\/legend>/.exec(await shown(...of))?.[0].replace(/<.*?>/g, "");
  expect(await legend("en", ["tester", "lead", "gone"])).toBe("Participating agents from “T” · 2 of 4 selected");
  expect(await legend("ja", ["tester"], agents.slice(3))).toBe("参加する「T」のエージェント · 4体中1体を選択中");
});

test("an agent without a model isn't said to need a provider", async () => {
  mute.of = ["lead", "writer"];
  const team = [
    { id: "lead", name: "Lead", url: "https://far.example" },
    { id: "writer", name: "Writer", model: "far/m" },
  ];
  const far = (await shown("en", ["lead"], team)).replace(/<.*?>/g, " ");
  expect(far).toContain("AgentFlow runs agents of other gateways too, but no model is set");
  expect(far).not.toContain("Open Models");
  const both = (await shown("en", ["lead", "writer"], team)).replace(/<.*?>/g, " ");
  expect(both).toContain("answer until AgentFlow has a provider");
  expect(both).not.toMatch(/Lead[^.]*until/);
  mute.of = [];
});
