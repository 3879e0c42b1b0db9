import { describe, expect, it } from "vitest";
import { share } from "./share";

const copy = <T>(x: T): T => JSON.parse(JSON.stringify(x)) as T;
const team = {
  agents: [
    { id: "a", name: "A", connections: [{ targetId: "b", type: "command" }] },
    { id: "b", name: "B" },
    { id: "c", model: "m" },
  ],
  layout: { a: { x: 0, y: 0 }, b: { x: 1, y: 1 } },
};

describe("what two readings share", () => {
  it("is all of it where nothing changed", () => {
    expect(share(team, copy(team))).toBe(team);
  });
  it("is everything beside what changed", () => {
    const next = copy(team);
    next.agents[1]!.name = "Bee";
    const made = share(team, next);
    expect(made).toEqual(next);
    expect(made.agents.map((a, i) => a === team.agents[i])).toEqual([true, false, true]);
    expect(made.layout).toBe(team.layout);
  });
  it("is what stayed, also where something before it was taken away or came in", () => {
    const fewer = copy(team);
    fewer.agents.splice(0, 1);
    const made = share(team, fewer);
    expect(made).toEqual(fewer);
    expect(made.agents).toHaveLength(2);
    expect([made.agents[0] === team.agents[1], made.agents[1] === team.agents[2]]).toEqual([true, true]);
    const back = share(made, copy(team));
    expect(back).toEqual(team);
    expect([back.agents[1], back.agents[2]].every((a, i) => a === made.agents[i])).toBe(true);
  });
  it("forgets what is no longer said, and takes a part of another kind as it is", () => {
    expect(share({ a: 1, b: [1] }, { a: 1 })).toEqual({ a: 1 });
    expect(share({ a: undefined, b: 1 }, { b: 1, c: undefined })).toEqual({ b: 1, c: undefined });
    expect(share({ a: [1, 2] }, { a: { x: 1 } })).toEqual({ a: { x: 1 } });
    expect(share([1, 2, 3], [1, 2])).toEqual([1, 2]);
    expect(share(null, { a: 1 })).toEqual({ a: 1 });
  });
});
