import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/rooms.json";
import ja from "@/i18n/ja/rooms.json";
import { CastField } from "./CastField";

vi.mock("./standing", () => ({ useUnanswerable: () => [] }));

const agents = ["Lead", "Researcher", "Writer", "Tester"].map((name) => ({ id: name.toLowerCase(), name }));
const nothing = () => undefined;

async function shown(lng: "en" | "ja", cast: readonly string[], offered = agents) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng,
    resources: { en: { translation: { rooms: en } }, ja: { translation: { rooms: ja } } },
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
