import { expect, it } from "vitest";
import { assignFaces, emojiOf, faceOf, facesAfter, heartbeatOf, noFaces, type Agent } from ".";

const agent = (id: string, extra?: Record<string, unknown>): Agent => ({ id, name: id, extra });

it("OC-1 an agent's emoji is its face, and letters are where it has none that is a single one", () => {
  const before = [agent("writer"), agent("editor")],
    after = [agent("writer", { identity: { emoji: " 👩🏽‍🚀 " } }), agent("editor")];
  const faces = assignFaces(noFaces, before),
    then = facesAfter(faces, before, after);
  expect([faceOf(faces, "writer").initials, faceOf(then, "writer").initials]).toEqual(["WR", "👩🏽‍🚀"]);
  expect(faceOf(facesAfter(then, after, before), "writer").initials).toBe("WR");
  const odd = ["", "AB", "🐙🐙", 7, {}, "x".repeat(99), "🐙\u202e"];
  expect(odd.map((emoji) => emojiOf(agent("a", { identity: { emoji } })))).toEqual(odd.map(() => undefined));
  expect([emojiOf(agent("a", { identity: "🐙" })), emojiOf(agent("a", { identity: { emoji: "🇯🇵" } }))]).toEqual([
    undefined,
    "🇯🇵",
  ]);
});

it("OC-1 a clock shows an agent's own heartbeat unless it is off", () => {
  const of = (heartbeat: unknown) => heartbeatOf(agent("a", { heartbeat }));
  expect([of({ every: "30m" }), of({ every: "0m" }), of({}), of("30m"), of({ every: 30 })]).toEqual([
    "30m",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
