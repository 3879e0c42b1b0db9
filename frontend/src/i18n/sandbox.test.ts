import { createInstance } from "i18next";
import { expect, it } from "vitest";
import en from "./en/common.json";
import { sandboxText } from "./sandbox";

it("TR-3 what a command runs in is named, and so is that it runs in nothing", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { common: en } } }, interpolation: { escapeValue: false } });
  const said = (s: Partial<Parameters<typeof sandboxText>[1]>) => sandboxText(i18n.t, { active: false, mode: "auto", name: "", ...s });
  expect(said({ active: true, name: "landlock" })).toMatch(/^Landlock\. /);
  expect(said({ problem: "this kernel has no Landlock" })).toBe("No sandbox on this system: this kernel has no Landlock. Commands can reach everything you can.");
  expect(said({ mode: "required", problem: "this kernel has no Landlock" })).toMatch(/so nothing runs\.$/);
  expect(said({ mode: "off", name: "landlock" })).toMatch(/^Turned off in the settings file\./);
});
