import { readFileSync } from "node:fs";
import { createInstance } from "i18next";
import { expect, it } from "vitest";
import words from "../../i18n/en/review.json";
import { recreatedText, restartText } from "./words";

it("the review and the command line say the same about running sessions", () => {
  const preview = readFileSync(
      new URL("../../../../backend/gateway/openclaw/preview.go", import.meta.url),
      "utf8",
    ).toLowerCase(),
    said = words.restartWhy.split(". ")[0]?.toLowerCase() ?? "";
  expect(preview).toContain(said);
});

it("an agent with the ID of a deleted one might make the gateway restart", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { review: words } } } });
  const { t } = i18n,
    back = { needed: false, recreated: ["agent-1"] };
  expect(restartText(t, { needed: false })).toBe("No restart");
  expect(restartText(t, back)).toBe("Possibly a restart");
  expect(recreatedText(t, back)).toBe("The ID of a deleted agent is used again: agent-1");
  expect(recreatedText(t, { needed: false })).toBe("");
});
