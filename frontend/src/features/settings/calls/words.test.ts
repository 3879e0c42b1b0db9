import { createInstance } from "i18next";
import { expect, test } from "vitest";
import en from "@/i18n/en/calls.json";
import { stopped, tokens } from "./words";

test("CH-11 tokens that a provider doesn't report are unknown, not 0", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { calls: en } } } });
  expect(tokens(i18n.t, { tokensIn: 0, tokensOut: 0 })).toBe("–");
  expect(tokens(i18n.t, { tokensIn: 1200, tokensOut: 0 })).toBe("1,200 / 0");
});

test("a call that somebody stopped isn't a failed one", () => {
  const of = (reason: string) => stopped({ error: { code: "UNAVAILABLE", message: "x", details: { reason } } });
  expect([of("stopped"), of("no_answer"), stopped({})]).toEqual([true, false, false]);
});
