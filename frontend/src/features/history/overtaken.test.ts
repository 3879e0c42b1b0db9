import { expect, it } from "vitest";
import type { Apply } from "@/topology";
import { overtaken } from "./overtaken";

const rollback = {
  id: "r",
  gateway: "local",
  kind: "rollback",
  state: "done",
  startedAt: "2026-11-26T17:00:00Z",
  endedAt: "2026-11-26T17:00:05Z",
} as Apply;
const calm = { applies: [rollback], savedAt: "2026-11-26T16:59:00Z", hashes: ["h1", "h2"] };

it("keeps the news of a rollback until something else changes", () => {
  expect(overtaken(rollback, calm)).toBe(false);
  expect(overtaken({ ...rollback, state: "running", endedAt: undefined }, { ...calm, hashes: ["a", "b", "c"] })).toBe(
    false,
  );
  expect(overtaken(rollback, { ...calm, savedAt: "" })).toBe(false);
  expect(overtaken(rollback, { ...calm, savedAt: "2026-11-26T17:01:00Z" })).toBe(true);
  expect(overtaken(rollback, { ...calm, hashes: ["h1", "h2", "h3"] })).toBe(true);
  const later = { ...rollback, id: "x", startedAt: "2026-11-26T17:01:00Z" };
  expect(overtaken(rollback, { ...calm, applies: [rollback, later] })).toBe(true);
  expect(overtaken(rollback, { ...calm, applies: [rollback, { ...later, gateway: "studio" }] })).toBe(false);
});
