import i18next from "i18next";
import { initReactI18next } from "react-i18next";

export type Language = "en" | "ja";

/** A language's words are fetched when it is first shown. */
const words: Record<Language, () => Promise<{ default: Record<string, object> }>> = { en: () => import("./en"), ja: () => import("./ja") };

/** The language the computer asks for. */
export function systemLanguage(): Language {
  return navigator.languages.find((l) => /^(ja|en)\b/i.test(l))?.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export async function loadLanguage(lng: Language): Promise<void> {
  if (!i18next.hasResourceBundle(lng, "translation")) i18next.addResourceBundle(lng, "translation", (await words[lng]()).default);
}

let wanted: Language = systemLanguage();

export function setLanguage(setting: "auto" | Language): void {
  const lng = setting === "auto" ? systemLanguage() : setting;
  wanted = lng;
  document.documentElement.lang = lng;
  if (i18next.language !== lng) void loadLanguage(lng).then(() => (wanted === lng ? i18next.changeLanguage(lng) : undefined));
}

/** Resolves when the words of the computer's language are here; before that nothing can be shown. */
export async function startLanguage(): Promise<void> {
  const lng = wanted;
  await i18next.use(initReactI18next).init({ resources: { [lng]: { translation: (await words[lng]()).default } }, lng, fallbackLng: false, interpolation: { escapeValue: false }, returnNull: false });
  document.documentElement.lang = i18next.language;
}

export { i18next };
