import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/firstrun.json";
import ja from "@/i18n/ja/firstrun.json";
import { StartHere } from "./StartHere";

vi.mock("@/ui/useMedia", () => ({ useMedia: () => false, useTextScale: () => 1 }));

test("B20 the guide of an empty team claims neither a model nor a connection", async () => {
  for (const [lng, firstrun] of [
    ["en", en],
    ["ja", ja],
  ] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { firstrun } } } });
    const nothing = () => undefined;
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <StartHere onImport={nothing} onOpenFile={nothing} onGateway={nothing} onModels={nothing} />
      </I18nextProvider>,
    );
    expect(html).toContain(firstrun.modelsEmpty);
    expect(html).toContain(firstrun.heading);
    expect(html).toContain(firstrun.drawAny);
    const { modelsNone, modelsReal, modelsWhy, headingDone, leadDone } = firstrun;
    for (const claim of [modelsNone, modelsReal, modelsWhy, headingDone, leadDone]) expect(html).not.toContain(claim);
  }
});
