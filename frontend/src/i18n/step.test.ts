import { createInstance } from "i18next";
import { expect, it } from "vitest";
import { AGENT_FIELDS } from "../api/constants";
import enField from "./en/field.json";
import en from "./en/step.json";
import jaField from "./ja/field.json";
import ja from "./ja/step.json";
import { stepText } from "./step";

const counted = [
  "deleteMany",
  "moveMany",
  "ungroupMany",
  "models",
  "lock",
  "unlock",
  "cut",
  "paste",
  "align",
  "distribute",
];

it("APP-5 a step uses the singular for one thing, and the plural for more", async () => {
  for (const [lng, step] of [
    ["en", en],
    ["ja", ja],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({ lng, resources: { [lng]: { translation: { step } } }, interpolation: { escapeValue: false } });
    const said = (label: string) => stepText(i18n.t, label);
    if (lng === "en")
      expect([said("edit.cut|1"), said("edit.cut|2"), said("edit.models|1"), said("edit.ungroupMany|3")]).toEqual([
        "Cut 1 item",
        "Cut 2 items",
        "Model of 1 agent",
        "Ungrouped 3 groups",
      ]);
    for (const key of counted)
      for (const n of [1, 2]) {
        expect(said(`edit.${key}|${n}`)).toContain(String(n));
        if (lng === "en")
          expect(said(`edit.${key}|${n}`), key).toMatch(
            n === 1 ? /1 (item|agent|group)$/ : /2 (items|agents|groups)\b/,
          );
      }
    expect(said("edit.deleteMany|")).not.toMatch(/NaN/);
  }
});

it("APP-5 a step about any field of an agent names the field and the agent", async () => {
  for (const [lng, step, field] of [
    ["en", en, enField],
    ["ja", ja, jaField],
  ] as const) {
    const i18n = createInstance();
    const translation = { step, field };
    await i18n.init({ lng, resources: { [lng]: { translation } }, interpolation: { escapeValue: false } });
    for (const name of Object.keys(AGENT_FIELDS)) {
      const said = stepText(i18n.t, `edit.${name}|Lead`);
      expect(said, name).toMatch(/.Lead|Lead./);
      expect(said, name).not.toContain("edit.");
    }
    expect(stepText(i18n.t, "edit.secretEnv|Lead")).toBe(
      lng === "en" ? "Secret variable of Lead" : "Leadのシークレットの環境変数",
    );
    expect(stepText(i18n.t, "edit.role|Lead")).toBe(lng === "en" ? "Role of Lead" : "Leadの役割");
  }
});
