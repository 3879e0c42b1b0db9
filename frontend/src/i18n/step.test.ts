import { createInstance } from "i18next";
import { expect, it } from "vitest";
import en from "./en/step.json";
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

it("APP-5 a step about one thing says so in the singular, and one about more in the plural", async () => {
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
