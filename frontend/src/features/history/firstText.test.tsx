import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/compare.json";
import ja from "@/i18n/ja/compare.json";
import type { Version } from "@/topology";
import type { Chosen } from "./useChosen";
import { VersionView } from "./VersionView";

vi.mock("@/i18n", () => ({ i18next: {} })); // it asks the browser for its language
// The hub compares a first version with itself, so both texts are the same.
vi.mock("./useComparison", () => ({
  useComparison: () => ({
    shown: { key: "", b: { agents: [] }, changes: [], before: "agents: []\n", after: "agents: []\n" },
    current: true,
    retry: () => undefined,
  }),
}));

const version = { id: "v1", at: "2026-11-01T09:00:00Z", cause: "import", label: "import|local" } as Version;
const nothing = () => undefined;
const chosen = (a?: string): Chosen => ({
  b: version,
  a,
  pinned: false,
  opened: true,
  show: nothing,
  compareFrom: nothing,
  unpin: nothing,
  swap: nothing,
  close: nothing,
});

test("B28 the text of a first version isn't said to be the same as another one's", async () => {
  for (const [lng, compare] of [
    ["en", en],
    ["ja", ja],
  ] as const) {
    const i18n = createInstance();
    await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { compare } } } });
    const drawn = (a?: string) =>
      renderToStaticMarkup(
        <I18nextProvider i18n={i18n}>
          <VersionView chosen={chosen(a)} onNamed={nothing} phone={false} text />
        </I18nextProvider>,
      );
    expect(drawn()).toContain(compare.firstText);
    expect(drawn()).not.toContain(compare.sameText);
    expect(drawn("v0")).toContain(compare.sameText);
  }
});
