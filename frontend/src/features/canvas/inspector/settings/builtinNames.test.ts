import { createInstance } from "i18next";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import en from "@/i18n/en/field.json";
import ja from "@/i18n/ja/field.json";
import { ownField } from "./own";

type Schema = { properties?: Record<string, Schema> };

const source = readFileSync(new URL("../../../../../../backend/gateway/builtin/settings.go", import.meta.url), "utf8"),
  schema = JSON.parse(/const agentSchema = `([^`]+)`/.exec(source)![1]!) as Schema;

/** The paths of all settings, those of groups, too. */
const pathsOf = ({ properties = {} }: Schema, path: string[] = []): string[][] =>
  Object.entries(properties).flatMap(([key, s]) => [[...path, key], ...pathsOf(s, [...path, key])]);

test("every setting of the built-in gateway has our name in both languages", async () => {
  for (const [lng, field] of [
    ["en", en],
    ["ja", ja],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({ lng, resources: { [lng]: { translation: { field } } } });
    const unnamed = pathsOf(schema)
      .filter((path) => !ownField(path))
      .map((path) => path.join("."))
      .filter((path) => !i18n.t(`field.${path}`, { defaultValue: "" }));
    expect([lng, unnamed]).toEqual([lng, []]);
  }
});
