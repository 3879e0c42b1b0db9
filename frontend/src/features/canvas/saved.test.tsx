import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/status.json";
import { formatTime } from "@/i18n/format";
import { SavedState } from "./SavedState";

const mine = "2026-11-29T21:19:00Z",
  theirs = "2026-11-29T21:21:00Z";
vi.mock("@/stores/team", () => ({
  useTeam: (of: (s: object) => unknown) =>
    of({ save: { state: "saved", at: Date.parse("2026-11-29T21:19:00Z") }, updatedAt: "2026-11-29T21:21:00Z" }),
}));

test("the team's time of saving is that of its last change, also of one that this window didn't make", async () => {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: "en", resources: { en: { translation: { status: en } } } });
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <SavedState />
    </I18nextProvider>,
  );
  expect(html).toContain(`Saved ${formatTime(Date.parse(theirs))}`);
  expect(html).not.toContain(formatTime(Date.parse(mine)));
});
