import { createInstance } from "i18next";
import { expect, test } from "vitest";
import models from "./en/models.json";
import { providerTrouble } from "./trial";

test("an answer that was cut off isn't the URL's fault", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { models } } } });
  const title = (details: Record<string, unknown>) =>
    providerTrouble(i18n.t, { code: "UNAVAILABLE", message: "x", details }).title;
  expect(title({ reason: "no_answer", cause: "ended_early" })).toBe("The answer was cut off.");
  expect(title({ reason: "no_answer" })).toBe("The response isn't a valid answer.");
  expect(title({ reason: "no_answer", cause: "a new one" })).toBe("The response isn't a valid answer.");
  expect(title({ reason: "a new one" })).toBe("Something went wrong.");
});
