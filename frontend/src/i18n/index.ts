import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { collect } from "./collect";

const resources = { en: { translation: collect("en") }, ja: { translation: collect("ja") } };

export type Language = "en" | "ja";

/** The language the computer asks for. */
export function systemLanguage(): Language {
  return navigator.languages.find((l) => /^(ja|en)\b/i.test(l))?.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function setLanguage(setting: "auto" | Language): void {
  const lng = setting === "auto" ? systemLanguage() : setting;
  document.documentElement.lang = lng;
  if (i18next.language !== lng) void i18next.changeLanguage(lng);
}

void i18next.use(initReactI18next).init({ resources, lng: systemLanguage(), fallbackLng: "en", interpolation: { escapeValue: false }, returnNull: false });
document.documentElement.lang = i18next.language;

export { i18next };
