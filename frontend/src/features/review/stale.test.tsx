// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import type { Change, Preview } from "@/topology";
import { StaleBanner } from "./ReviewWork";

beforeAll(() => startLanguage().then(() => loadLanguage("en")));

const shown = (fromTheirs: Partial<Change>[], conflicts: unknown[] = []) =>
  renderToStaticMarkup(
    <StaleBanner preview={{ stale: true, merge: { first: true, fromTheirs, conflicts } } as unknown as Preview} />,
  );

it("APP-3 a gateway from which nothing is imported gets no banner", () => {
  expect(shown([])).toBe("");
  expect(shown([{ id: "l", subject: "layout", op: "moved", agent: "a" }])).toBe("");
  expect(shown([{ id: "a", subject: "agent", op: "added", agent: "a" }])).toContain("1 change from the gateway");
});

it("APP-3 decisions that were made stay within reach, without a count of nothing", () => {
  const html = shown([], [{ id: "c", choice: "mine" }]);
  expect(html).toContain("<button");
  expect(html).not.toContain("0 changes");
});
