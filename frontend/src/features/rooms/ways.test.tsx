import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import enRooms from "@/i18n/en/rooms.json";
import enSecurity from "@/i18n/en/security.json";
import jaRooms from "@/i18n/ja/rooms.json";
import jaSecurity from "@/i18n/ja/security.json";
import { Ways } from "./HerePanel";

vi.mock("@/ui/chat", () => ({ CopyText: () => null }));

const texts = {
  en: { rooms: enRooms, security: enSecurity },
  ja: { rooms: jaRooms, security: jaSecurity },
};

test("AG-6 agents elsewhere join with a token for rooms, and a link says how long it lasts", async () => {
  for (const lng of ["en", "ja"] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({
      lng,
      resources: { [lng]: { translation: texts[lng] } },
      interpolation: { escapeValue: false },
    });
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <Ways room="dev" at="https://hub.example:18800" />
      </I18nextProvider>,
    );
    expect(html).toContain(texts[lng].security.role.rooms);
    expect(html).toContain('href="#/settings/security"');
    expect(texts[lng].rooms.linkOnce).toMatch(lng === "en" ? /30 days/ : /30日間/);
  }
});
