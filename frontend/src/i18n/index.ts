import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { plainName } from "@/topology/plainName";

export type Language = "en" | "ja";

type Words = Promise<{ default: Record<string, object> }>;

/** A language's words are fetched when it is first shown: first those of the canvas, then the rest. */
const words: Record<Language, { first: () => Words; rest: () => Words }> = {
  en: { first: () => import("./en"), rest: () => import("./en-rest") },
  ja: { first: () => import("./ja"), rest: () => import("./ja-rest") },
};

/** The language the computer asks for. */
export function systemLanguage(): Language {
  return navigator.languages
    .find((l) => /^(ja|en)\b/i.test(l))
    ?.toLowerCase()
    .startsWith("ja")
    ? "ja"
    : "en";
}

const whole = new Map<Language, Promise<void>>();

/** Resolves when all words of a language are here. */
export function loadLanguage(lng: Language): Promise<void> {
  let all = whole.get(lng);
  if (!all) {
    all = Promise.all([words[lng].first(), words[lng].rest()]).then(([first, rest]) => {
      // Only words of the language that is shown redraw the page.
      const silent = i18next.language !== lng;
      i18next.addResourceBundle(lng, "translation", { ...first.default, ...rest.default }, false, false, { silent });
    });
    whole.set(lng, all);
    all.catch(() => whole.delete(lng));
  }
  return all;
}

/** Resolves when the texts of every screen are loaded in the language that is shown. */
export const allWords = () => loadLanguage(wanted);

const languageOf = (setting: "auto" | Language): Language => (setting === "auto" ? systemLanguage() : setting);

let wanted: Language = systemLanguage();

export function setLanguage(setting: "auto" | Language): void {
  const lng = languageOf(setting);
  wanted = lng;
  if (i18next.language !== lng)
    void loadLanguage(lng).then(
      () => (wanted === lng ? i18next.changeLanguage(lng) : undefined),
      () => undefined,
    );
}

/** Resolves when the texts in the given language are loaded. Nothing can be shown before that. */
export async function startLanguage(setting: "auto" | Language = "auto"): Promise<void> {
  const lng = languageOf(setting);
  wanted = lng;
  await i18next.use(initReactI18next).init({
    resources: { [lng]: { translation: (await words[lng].first()).default } },
    lng,
    fallbackLng: false,
    // A name in a sentence can't turn the direction in which the sentence is read.
    interpolation: { escapeValue: true, escape: plainName },
    returnNull: false,
    react: { bindI18nStore: "added" },
  });
  rememberTexts();
  const declare = () => (document.documentElement.lang = i18next.language);
  i18next.on("languageChanged", declare);
  declare();
}

/**
 * Remembers the texts that say the same every time. i18next looks up every text on each render, which was a
 * fifteenth of the work of the page's scripts.
 */
function rememberTexts(): void {
  const known = new Map<string, Map<string, string>>(),
    lookUp = i18next.getFixedT.bind(i18next);
  i18next.store.on("added", () => known.clear());
  i18next.getFixedT = ((...of: Parameters<typeof lookUp>) => {
    const t = lookUp(...of),
      language = String(of[0] ?? i18next.language);
    const remembered = (...said: [unknown, ...unknown[]]): string => {
      const [key] = said;
      if (said.length > 1 || typeof key !== "string") return (t as (...said: unknown[]) => string)(...said);
      let texts = known.get(language);
      if (!texts) known.set(language, (texts = new Map<string, string>()));
      let text = texts.get(key);
      if (text === undefined) texts.set(key, (text = (t as (key: string) => string)(key)));
      return text;
    };
    return Object.assign(remembered, t);
  }) as typeof i18next.getFixedT;
}

/** The language that is shown. */
export const shownLanguage = (): Language => (i18next.language === "ja" ? "ja" : "en");

export { i18next };
