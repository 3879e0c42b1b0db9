import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import words from "../../i18n/en/review.json";

it("the review and the command line say the same about running sessions", () => {
  const preview = readFileSync(
      new URL("../../../../backend/gateway/openclaw/preview.go", import.meta.url),
      "utf8",
    ).toLowerCase(),
    said = words.restartWhy.split(". ")[0]?.toLowerCase() ?? "";
  expect(preview).toContain(said);
});
