import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { formatDateTime, formatTime } from "./format";

describe("times", () => {
  for (const lng of ["en", "ja"]) {
    it(`five past midnight is 00:05 in ${lng}`, async () => {
      await i18next.init({ lng, resources: {} });
      const at = new Date(2024, 0, 1, 0, 5);
      expect(formatTime(at)).toBe("00:05");
      expect(formatDateTime(at)).toMatch(/\b0?0:05$/);
    });
  }
});
