import { createInstance } from "i18next";
import { expect, it } from "vitest";
import enError from "@/i18n/en/error.json";
import enPlan from "@/i18n/en/plan.json";
import jaError from "@/i18n/ja/error.json";
import jaPlan from "@/i18n/ja/plan.json";
import { whyFailed } from "./words";

it("ME-9 a request of which nothing came says once that nothing was changed, and what to do", async () => {
  for (const [lng, error, plan, once] of [
    ["en", enError, enPlan, /(didn't change|Nothing was changed)/g],
    ["ja", jaError, jaPlan, /(元のまま|何も変更していません)/g],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({
      lng,
      interpolation: { escapeValue: false },
      resources: { [lng]: { translation: { error, plan } } },
    });
    const told = (code: string, reason?: string) =>
      whyFailed(i18n.getFixedT(lng), { failure: { code, message: "No.", details: reason ? { reason } : undefined } });
    for (const text of [
      told("UNAVAILABLE", "unparsable"),
      told("VALIDATION_ERROR", "no_model"),
      told("RATE_LIMITED"),
      told("INTERNAL_ERROR"),
    ])
      expect(text.match(once)).toHaveLength(1);
    expect(told("UNAVAILABLE", "unparsable")).toBe(error.UNAVAILABLE_unparsable);
  }
});
