import { expect, it } from "vitest";
import { pasteClip, readClip, type Topology } from ".";
import { FIELD_BYTES, LIMITS } from "../api/constants";
import { faultOf } from "./limits";

const pasted = (part: object, layout: object = {}) => {
  const clip = readClip(
    JSON.stringify({ agentflow: "clip", version: 1, agents: [{ id: "bad9", name: "Bad9", ...part }], layout }),
  );
  if (typeof clip === "string") throw new Error(clip);
  const t: Topology = { agents: [{ id: "lead" }], layout: { lead: { x: 0, y: 0 } } };
  return faultOf(pasteClip(t, clip, { x: 0, y: 0 }).topology, t);
};
const x = (n: number) => "x".repeat(n);

it.each<[string, string, object, object?]>([
  ["layout", "number", {}, { bad9: { x: 20_000_000, y: 0 } }],
  ["layout", "number", {}, { bad9: { x: 1e300, y: 0 } }],
  ["name", "long", { name: x(100_000) }],
  ["persona", "long", { persona: x(3_000_000) }],
  ["persona", "long", { persona: "あ".repeat(FIELD_BYTES.persona / 3 + 1) }],
  ["files.SOUL.md", "type", { files: { "SOUL.md": "text" } }],
  ["files.x.md", "file", { files: { "x.md": { content: "" } } }],
  ["files.SOUL.md", "long", { files: { "SOUL.md": { content: x(LIMITS.file + 1) } } }],
  ["files.SOUL.md", "binary", { files: { "SOUL.md": { content: "\0" } } }],
  ["fallbacks", "long", { fallbacks: [x(LIMITS.text + 1)] }],
  ["tools", "many", { tools: { allow: Array(LIMITS.listed + 1).fill("x") } }],
  ["temperature", "number", { temperature: -1e8 }],
  ["maxTokens", "type", { maxTokens: 1e300 }],
  ["extra", "many", { extra: Object.fromEntries(Array.from({ length: LIMITS.extra + 1 }, (_, i) => [`k${i}`, 1])) }],
  ["extra.k", "long", { extra: { k: x(LIMITS.persona) } }],
  ["label", "long", { connections: [{ targetId: "bad9", type: "command", label: x(LIMITS.text + 1) }] }],
])("finds what the hub would refuse in %s: %s", (field, why, part, layout) => {
  expect(pasted(part, layout)).toMatchObject({ field, why, agent: { id: "bad9" } });
});

it("lets pass what the hub takes", () => {
  expect(
    pasted(
      {
        name: x(FIELD_BYTES.name),
        persona: x(FIELD_BYTES.persona),
        files: { "SOUL.md": { content: x(LIMITS.file) } },
        maxTokens: 1e9,
      },
      { bad9: { x: LIMITS.number, y: -LIMITS.number } },
    ),
  ).toBeUndefined();
});

it("looks only at what is new, and at groups as a whole", () => {
  const had: Topology = { agents: [{ id: "a", name: x(100_000) }], layout: { a: { x: 1e9, y: 0 } } };
  expect(faultOf({ ...had, agents: [...had.agents, { id: "b" }] }, had)).toBeUndefined();
  const g = { id: "g", members: ["a"] };
  expect(faultOf({ ...had, groups: [g, { ...g, id: "h" }] }, had)).toMatchObject({ why: "twice", group: { id: "h" } });
  const nested = [{ id: "1" }, { id: "2", parent: "1" }, { id: "3", parent: "2" }];
  expect(faultOf({ ...had, groups: nested }, had)).toMatchObject({ why: "nested", group: { id: "3" } });
  const note = { id: "n", text: "", x: 1e8, y: 0 };
  expect(faultOf({ ...had, notes: [note] }, had)).toMatchObject({ field: "x", why: "number", note: { id: "n" } });
});

it("counts all texts together", () => {
  const persona = x(FIELD_BYTES.persona),
    many = (n: number): Topology => ({ agents: Array.from({ length: n }, (_, i) => ({ id: `a${i}`, persona })) });
  expect(faultOf(many(100))).toBeUndefined();
  expect(faultOf(many(LIMITS.total / FIELD_BYTES.persona))).toMatchObject({ why: "total" });
});
