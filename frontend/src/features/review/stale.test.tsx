// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import type { Change, Preview } from "@/topology";
import { takenIn } from "./conflicts";
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

it("APP-3 what was decided for the gateway counts as imported", () => {
  const conflict = { subject: "agent", agent: "a", field: "name", base: "A", mine: "B", theirs: "C" };
  const decided = [
    { ...conflict, id: "t", choice: "theirs" },
    { ...conflict, id: "m", choice: "mine" },
    { id: "w", subject: "agent", agent: "b", choice: "theirs", theirs: { id: "b" } },
  ];
  expect(shown([], decided)).toContain("2 changes from the gateway will be imported.");
  const p = { merge: { fromTheirs: [], conflicts: decided } } as unknown as Preview;
  expect(takenIn(p).map(({ id, op, before, after }) => [id, op, before, after])).toEqual([
    ["t", "changed", "B", "C"],
    ["w", "added", undefined, { id: "b" }],
  ]);
});

it("APP-3 decisions that were made stay within reach, without a count of nothing", () => {
  const html = shown([], [{ id: "c", choice: "mine" }]);
  expect(html).toContain("<button");
  expect(html).not.toContain("0 changes");
});
