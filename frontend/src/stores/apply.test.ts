import { describe, expect, it } from "vitest";
import type { Apply, TeamSummary, Notify, PlanSummary, Question } from "../topology";
import { applyNotify, emptyPicture } from "./apply";

const team = (id: string, updatedAt: string, head = "v1"): TeamSummary => ({
  id,
  name: id,
  gateway: "local",
  head,
  updatedAt,
  agents: 0,
  connections: 0,
  models: [],
  changes: 0,
  errors: 0,
  warnings: 0,
});
const apply = (id: string, state: Apply["state"]): Apply => ({
  id,
  gateway: "local",
  kind: "apply",
  state,
  steps: [],
  startedAt: "",
  sent: 0,
  cancellable: false,
});

describe("the one reducer", () => {
  const whole = applyNotify(emptyPicture, {
    seq: 1,
    reset: true,
    teams: [team("a", "2026-01-01"), team("b", "2026-01-02")],
    gateways: [],
    applies: [apply("x", "running")],
  });
  it("takes the whole picture, newest team first", () => {
    expect(whole.known).toBe(true);
    expect(whole.teams.map((d) => d.id)).toEqual(["b", "a"]);
  });
  it("leaves alone what a frame does not speak of", () => {
    const next = applyNotify(whole, { seq: 2, teams: [team("a", "2026-01-03", "v2")] });
    expect(next.gateways).toBe(whole.gateways);
    expect(next.applies).toBe(whole.applies);
    expect(next.teams.map((d) => `${d.id}${d.head}`)).toEqual(["av2", "bv1"]);
    expect(whole.teams.map((d) => d.head)).toEqual(["v1", "v1"]);
  });
  it("forgets what is gone", () => {
    expect(applyNotify(whole, { seq: 2, gone: ["a"] }).teams.map((d) => d.id)).toEqual(["b"]);
  });
  it("adds applies to those it knows; a reset replaces them", () => {
    const more = applyNotify(whole, { seq: 2, applies: [apply("y", "done"), apply("x", "done")] });
    expect(
      Object.values(more.applies)
        .map((a) => `${a.id} ${a.state}`)
        .sort(),
    ).toEqual(["x done", "y done"]);
    expect(applyNotify(more, { seq: 9, reset: true, teams: [], applies: [] })).toMatchObject({
      teams: [],
      applies: {},
    });
  });
  it("a reset clears the fields it doesn't contain, and raises the counters so that readers read again", () => {
    const full = applyNotify(whole, {
      seq: 2,
      settings: { ...emptyPicture.settings, theme: "dark" },
      work: { running: 1, waiting: 1, agents: [] },
      plans: [{ id: "p", updatedAt: "2026-01-01" } as PlanSummary],
      inbox: { waiting: [{ id: "q" } as Question] },
      templates: true,
      trust: true,
    });
    expect(full).toMatchObject({ plans: [{ id: "p" }], inbox: [{ id: "q" }], templates: 2, trust: 2 });
    expect(applyNotify(full, { seq: 3, reset: true })).toEqual({
      ...emptyPicture,
      known: true,
      settings: full.settings,
      templates: 3,
      trust: 3,
    });
  });
  it("what another store keeps leaves the picture as it is", () => {
    const told: Partial<Notify> = { rooms: [], roomsGone: ["r"], desk: {}, tasks: [], tasksMany: true, given: 1 };
    expect(applyNotify(whole, { seq: 2, ...told })).toEqual(whole);
  });
});
