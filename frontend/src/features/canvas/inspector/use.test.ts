import { expect, test } from "vitest";
import type { Change } from "@/topology";
import { agentNotes } from "./use";

test("the badge counts what an apply sends, as the bar does", () => {
  const changes: Change[] = [
    { id: "", op: "changed", subject: "agent", agent: "a", field: "name", before: "A", after: "B" },
    { id: "", op: "changed", subject: "agent", agent: "a", field: "role", before: "x", after: "y" },
    { id: "", op: "changed", subject: "agent", agent: "b", field: "name", before: "C", after: "D" },
  ];
  const notes = agentNotes("a", { changes, staying: [1], problems: [], base: undefined });
  expect(notes.changes).toBe(1);
  expect(notes.was).toEqual({ name: "A", role: "x" });
});
