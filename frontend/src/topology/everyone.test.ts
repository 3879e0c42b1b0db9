import { describe, expect, it } from "vitest";
import {
  bounds,
  chosenOf,
  countSet,
  EVERYONE_BOX,
  everyoneBox,
  everyoneChanged,
  everyoneSets,
  framesOf,
  marksOf,
  noMarks,
  placed,
  sameMarks,
  type Box,
  type Change,
  type Topology,
} from ".";

const team = (more: Partial<Topology> = {}): Topology => ({
  agents: [{ id: "a" }, { id: "b" }],
  layout: { a: { x: 100, y: 40 }, b: { x: 500, y: 200 } },
  ...more,
});
const apart = (a: Box, b: Box) => a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
const change = (subject: Change["subject"], op: Change["op"], more: Partial<Change> = {}): Change => ({
  id: `${subject}:${op}`,
  subject,
  op,
  ...more,
});

describe("what every agent inherits, on the canvas", () => {
  it("OC-1 is summed up by its model, its thinking level and the number of values", () => {
    expect(everyoneSets({})).toEqual({ model: undefined, thinking: undefined, count: 0 });
    expect(everyoneSets({ defaults: {}, messages: {} }).count).toBe(0);
    const defaults = {
      model: { primary: "a/b", fallbacks: ["c/d"] },
      thinkingDefault: " high ",
      sandbox: { mode: "all", docker: {} },
    };
    expect(everyoneSets({ defaults, messages: { enabled: true } })).toEqual({
      model: "a/b",
      thinking: "high",
      count: 6,
    });
    expect(everyoneSets({ defaults: { model: "a/b", thinkingDefault: 3 } })).toEqual({
      model: "a/b",
      thinking: undefined,
      count: 2,
    });
    expect(countSet(undefined)).toBe(0);
  });

  it("OC-1 stands above the middle of agents, notes and frames, and covers none of them", () => {
    const grouped = team({
      notes: [{ id: "n", text: "", x: -400, y: -90 }],
      groups: [{ id: "g", name: "G", members: ["a"] }],
    });
    for (const t of [team(), grouped, { agents: [{ id: "a" }] }, team({ layout: { b: { x: 900, y: 400 } } })]) {
      const box = everyoneBox(t),
        taken = [...placed(t, () => 36), ...framesOf(t).values()];
      expect([box.w, box.h]).toEqual([EVERYONE_BOX.w, EVERYONE_BOX.h]);
      expect(taken.every((b) => apart(box, b))).toBe(true);
      expect(taken.every((b) => box.y + box.h + EVERYONE_BOX.apart <= b.y)).toBe(true);
    }
    const all = bounds(placed(team(), () => 36)),
      box = everyoneBox(team());
    expect(box.x + box.w / 2).toBe(all.x + all.w / 2);
    // An agent without a place is drawn from the corner of the canvas on.
    expect(everyoneBox(team({ layout: { b: { x: 900, y: 400 } } })).y).toBeLessThan(-EVERYONE_BOX.apart);
  });

  it("OC-1 is marked as changed whatever happened to a setting of it, and no agent is", () => {
    for (const op of ["added", "changed", "removed"] as const)
      for (const subject of ["defaults", "messages"] as const) {
        const marks = marksOf([change(subject, op, { field: "model" })]);
        expect(marks).toEqual({ ...noMarks, everyone: "chg" });
        expect(sameMarks(marks, noMarks)).toBe(false);
      }
    expect(everyoneChanged([change("agent", "changed", { agent: "a", field: "model" })])).toBe(false);
    expect(marksOf([change("binding", "added")]).everyone).toBeUndefined();
  });

  it("OC-1 is chosen alone: what is chosen beside it takes its place", () => {
    expect(chosenOf({ everyone: true }).everyone).toBe(true);
    expect(chosenOf({ everyone: true, agents: ["a"] })).toEqual({
      agents: ["a"],
      connections: [],
      notes: [],
      groups: [],
    });
  });
});
