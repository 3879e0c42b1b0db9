import { describe, expect, it } from "vitest";
import type { Problem, Setting } from "@/topology";
import everyone from "./recorded-everyone.json";
import { rawLint, type LintOptions } from "./rawLint";
import recorded from "./recorded.json";

const settings = recorded as unknown as Setting[];
/** The marks of a text, with the part that each is on. */
const said = (text: string, o: Partial<LintOptions> = {}) =>
  rawLint(text, { settings, ...o }).map((m) => [m.severity, m.what, text.slice(m.from, m.to), m.line]);
const problem = (key: string, field = key.split(".")[0]!): Problem => ({
  id: key,
  code: "refused_value",
  severity: "warning",
  message: "",
  remedy: "",
  field: `extra.${field}`,
  params: { key },
});

describe("lint of the settings' JSON", () => {
  it("OC-1 a value of a wrong kind, choice or bound is marked, and nothing that the gateway takes", () => {
    expect(
      said(
        '{\n"sandbox": {\n"mode": "sometimes",\n"docker": {"pidsLimit": 1.5, "readOnlyRoot": "yes", "binds": [1]}}}',
      ),
    ).toEqual([
      ["warning", "choice", '"sometimes"', 3],
      ["warning", "integer", "1.5", 4],
      ["warning", "kind", '"yes"', 4],
      ["warning", "kind", "1", 4],
    ]);
    expect(said('{"sandbox":{"mode":"all","docker":{"memory":512,"env":{"A":"b"}}},"fastModeDefault":true}')).toEqual(
      [],
    );
    expect(
      said('{"sandbox":{"mode":"${MODE}"},"memory":{"search":{"remote":{"apiKey":"__OPENCLAW_REDACTED__"}}}}'),
    ).toEqual([]);
    expect(said('{"sandbox": 1}')).toEqual([["warning", "kind", "1", 1]]);
    const n = (key: string, bounds: Setting["bounds"]): Setting => ({ key, kinds: ["integer"], bounds });
    expect(said('{"a": 1, "b": 1}', { settings: [n("a", { minimum: 2 }), n("b", { maximum: 1 })] })).toEqual([
      ["warning", "minimum", "1", 1],
    ]);
  });

  it("OC-1 a key that the gateway doesn't know is marked, unless any key can be there or the list is cut", () => {
    const text = '{"newKey": {"below": 1}, "sandbox": {"odd": 1, "docker": {"env": {"ANY": "x"}}}, "mcpServers": []}';
    expect(said(text)).toEqual([
      ["info", "unknown", '"newKey"', 1],
      ["info", "unknown", '"odd"', 1],
    ]);
    expect(said(text, { truncated: true })).toEqual([]);
    expect(said(text, { settings: [] })).toEqual([]);
    expect(said('{"sandbox":{"mode":"x"}}', { settings: everyone as unknown as Setting[], whole: true })).toEqual([
      ["warning", "choice", '"x"', 1],
    ]);
  });

  it("OC-1 what another field edits is an error in an agent's JSON, not in everyone's", () => {
    const text = '{"name": "x",\n "tools": {"deny": []}, "maxTokens": 1, "model": {"primary": "m"}}';
    expect(said(text)).toEqual([
      ["error", "own", '"name"', 1],
      ["error", "own", '"deny"', 2],
      ["error", "own", '"maxTokens"', 2],
      ["error", "own", '"primary"', 2],
    ]);
    expect(said(text, { settings: [] }).length).toBe(4);
    expect(said(text, { whole: true, settings: [] })).toEqual([]);
  });

  it("OC-1 a text that isn't JSON is marked where it stops being it, and what is before it is still checked", () => {
    expect(said('{\n  "sandbox" {}\n}')).toEqual([["error", "json", "{", 2]]);
    expect(said('{"sandbox": {"mode": "x", "odd": tru}}')).toEqual([
      ["warning", "choice", '"x"', 1],
      ["info", "unknown", '"odd"', 1],
      ["error", "json", "t", 1],
    ]);
    expect(said('{"a": 1')).toContainEqual(["error", "json", "1", 1]);
    expect([said(""), said("null"), said("[1]"), said("7")]).toEqual([
      [],
      [],
      [["error", "object", "[1]", 1]],
      [["error", "object", "7", 1]],
    ]);
  });

  it("OC-1 what the hub says is placed at its key, and isn't said a second way", () => {
    const text = '{"sandbox": {"mode": "x", "odd": 1}, "a.b": {"c": 1}, "newKey": 2}';
    const problems = [
      problem("sandbox.mode"),
      problem("newKey"),
      problem("a.b.c", "a.b"),
      problem("gone"),
      { ...problem("name"), field: "name" },
    ];
    expect(said(text, { problems })).toEqual([
      ["warning", "problem", '"mode"', 1],
      ["info", "unknown", '"odd"', 1],
      ["info", "unknown", '"a.b"', 1],
      ["warning", "problem", '"c"', 1],
      ["warning", "problem", '"newKey"', 1],
    ]);
  });

  it("OC-1 much text, deep text and an odd schema stop nothing", () => {
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key-number-${i}`, i])),
      null,
      2,
    );
    expect(many.length).toBeGreaterThan(1_000_000);
    expect(rawLint(many, { settings }).length).toBe(100);
    expect(rawLint(`{"a": ${"[".repeat(200_000)}`, { settings }).at(-1)?.what).toBe("json");
    expect(() => rawLint(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, { settings })).not.toThrow();
    const odd = [
      { key: "a", kinds: ["quantum"] },
      { key: "b", kinds: [] },
    ] as Setting[];
    expect(said('{"a": 1, "b": {}}', { settings: odd })).toEqual([]);
  });
});
