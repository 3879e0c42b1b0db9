import type { TFunction } from "i18next";
import { expect, test, vi } from "vitest";
import type { Trial } from "@/topology";
import { actsOn, triedOf } from "./trials";

const held = vi.hoisted(() => ({ answer: (_: Trial): void => undefined }));
vi.mock("@/stores/providers", () => ({
  providerActions: { test: () => new Promise<Trial>((done) => (held.answer = done)) },
}));
vi.mock("@/i18n/trial", () => ({ trialVerdict: () => ({ good: true, title: "ok" }) }));
vi.mock("@/i18n/problem", () => ({}));

test("a test that ends after another URL was entered says nothing about that URL", async () => {
  const tried = actsOn(""),
    t = ((key: string) => key) as unknown as TFunction,
    edit = { name: "custom", kind: "openai" as const };
  const look = () => {
    const { url, busy, good, verdict } = triedOf("");
    return [url, busy, !!good, !!verdict];
  };
  tried.enter({ url: "http://one" });
  const first = tried.test(t, edit);
  tried.enter({ url: "http://two" });
  held.answer({} as Trial);
  await first;
  expect(look()).toEqual(["http://two", undefined, false, false]);
  const second = tried.test(t, edit);
  held.answer({} as Trial);
  await second;
  expect(look()).toEqual(["http://two", undefined, true, true]);
});
