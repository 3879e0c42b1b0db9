import { createInstance } from "i18next";
import { expect, it } from "vitest";
import en from "./en/common.json";
import ja from "./ja/common.json";
import { gapsText, sandboxText } from "./sandbox";

it("TR-3 what a command runs in is named, and so is that it runs in nothing", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "en",
    resources: { en: { translation: { common: en } } },
    interpolation: { escapeValue: false },
  });
  const said = (s: Partial<Parameters<typeof sandboxText>[1]>) =>
    sandboxText(i18n.t, { active: false, mode: "auto", name: "", gaps: [], ...s });
  expect(said({ active: true, name: "landlock" })).toMatch(/^Landlock\. /);
  const problem = { code: "no_landlock", text: "this kernel has no Landlock" };
  expect(said({ problem })).toBe(
    "No sandbox on this system: this kernel has no Landlock. Commands can reach everything you can.",
  );
  expect(said({ mode: "required", problem })).toMatch(/so nothing runs\.$/);
  expect(said({ mode: "off", name: "landlock" })).toMatch(/^Turned off in the settings file\./);
});

it("TR-3 a Japanese page gives the reason and gaps in Japanese, and unknown ones in the hub's words", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "ja",
    resources: { ja: { translation: { common: ja, list: { comma: "、" } } } },
    interpolation: { escapeValue: false },
  });
  const s = {
    active: false,
    mode: "auto" as const,
    name: "",
    gaps: [
      { code: "signals", text: "signals to other programs of this user" },
      { code: "new", text: "something new" },
    ],
  };
  const english = /[a-z]{3,} [a-z]{2,}/i;
  for (const code of Object.keys(en.sandbox.why))
    expect(
      sandboxText(i18n.t, {
        ...s,
        problem: { code, params: { abi: "1", system: "windows" }, text: "this is an English sentence" },
      }),
    ).not.toMatch(english);
  expect(sandboxText(i18n.t, { ...s, problem: { code: "new", text: "something new" } })).toContain("something new");
  expect(gapsText(i18n.t, s)).toBe("ほかのプログラムへのシグナル、something new");
});
