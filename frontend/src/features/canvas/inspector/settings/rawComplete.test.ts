import { describe, expect, it } from "vitest";
import type { Setting } from "@/topology";
import everyone from "./recorded-everyone.json";
import { placeAt, rawOffers, write } from "./rawComplete";
import recorded from "./recorded.json";

const settings = recorded as unknown as Setting[];
/** A text whose | is the cursor. */
const cut = (marked: string) => ({ text: marked.replace("|", ""), pos: marked.indexOf("|") });
const names = (marked: string, of = settings, whole = false) => {
  const { text, pos } = cut(marked);
  return rawOffers(text, pos, of, whole)?.offers.map((o) => o.name) ?? [];
};
/** The text after an offer was chosen, with | as the cursor. */
function chosen(marked: string, name: string, of = settings): string {
  const { text, pos } = cut(marked);
  const offer = rawOffers(text, pos, of)?.offers.find((o) => o.name === name);
  const w = offer && write(text, pos, offer);
  if (!w) return "no such offer";
  let out = text;
  for (const c of w.changes.toReversed()) out = out.slice(0, c.from) + c.insert + out.slice(c.to);
  return `${out.slice(0, w.cursor)}|${out.slice(w.cursor)}`;
}

describe("completion of the settings' JSON", () => {
  it("OC-1 keys that are valid at a place are offered, but none that it has or that another field edits", () => {
    const top = names("{|}");
    expect(top).toContain("sandbox");
    expect(top).toContain("tools");
    for (const own of ["name", "id", "model", "workspace", "*"]) expect(top).not.toContain(own);
    expect(names("{|}", everyone as unknown as Setting[], true)).toContain("model");
    expect(names('{"sandbox": {"mo|"}}')).toContain("mode");
    expect(names('{"sandbox": {"mode": "all", | "scope": "agent"}}')).not.toContain("mode");
    expect(names('{"sandbox": {"mode": "all", | "scope": {"a": 1}}}')).not.toContain("scope");
    expect(names('{"sandbox": {"mode": "all", | "scope": {"workspaceRoot": 1}}}')).toContain("workspaceRoot");
    expect(names('{"tools": {|')).not.toContain("deny");
    expect(names('{"tools": {|')).toContain("exec");
    expect([
      names("|"),
      names("[|]"),
      names('{"nothing": {|}}'),
      names('{"sandbox" |}'),
      names('{"a": [{|}]}'),
    ]).toEqual([[], [], [], [], []]);
  });

  it("OC-1 the values of a choice, true and false, and the items of a list are offered", () => {
    expect(names('{"sandbox": {"mode": |}}')).toEqual(["off", "non-main", "all"]);
    expect(names('{"sandbox": {"mode": "o|"}}')).toEqual(["off", "non-main", "all"]);
    expect(names('{"sandbox": {"docker": {"readOnlyRoot": t|}}}')).toEqual(["true", "false"]);
    expect(names('{"fastModeDefault": |')).toEqual(["auto", "true", "false"]);
    const list: Setting[] = [{ key: "l", kinds: ["list"], items: { kinds: ["choice"], choices: ["x", "y"] } }];
    expect([names('{"l": [|]}', list), names('{"l": ["x", "|"]}', list)]).toEqual([
      ["x", "y"],
      ["x", "y"],
    ]);
    const standard: Setting[] = [
      { key: "d", kinds: ["integer"], default: 7 },
      { key: "s", kinds: ["text"], sensitive: true, default: "x" },
    ];
    expect([names('{"d": |}', standard), names('{"s": |}', standard)]).toEqual([["7"], []]);
  });

  it("OC-1 what is chosen takes the place of the whole word, with the marks around it", () => {
    expect(chosen("{|}", "sandbox")).toBe('{"sandbox": {|}}');
    expect(chosen('{"sa|"}', "sandbox")).toBe('{"sandbox": {|}}');
    expect(chosen('{"sandbox": {mo|}}', "mode")).toBe('{"sandbox": {"mode": |}}');
    expect(chosen('{"sandbox": {"mo|"}}', "mode")).toBe('{"sandbox": {"mode": |}}');
    expect(chosen('{"sandbox": {"mo|ve": "all"}}', "mode")).toBe('{"sandbox": {"mode"|: "all"}}');
    expect(chosen('{"sandbox": {"mode": "s|ometimes"}}', "all")).toBe('{"sandbox": {"mode": "all"|}}');
    expect(chosen('{"sandbox": {"mode": |}}', "all")).toBe('{"sandbox": {"mode": "all"|}}');
    expect(chosen('{"sandbox": {\n  "mode": "all"\n  |\n}}', "scope")).toBe(
      '{"sandbox": {\n  "mode": "all",\n  "scope": |\n}}',
    );
    expect(chosen('{|"x": 1}', "skills")).toBe('{"skills": [|],"x": 1}');
  });

  it("OC-1 a key that is on its way through strange text has its place", () => {
    expect(placeAt('{"a\\"b": {"c": {"|', '{"a\\"b": {"c": {"|'.length - 1)?.path).toEqual(['a"b', "c"]);
    expect(placeAt('{"a": "no end\n "b": {|', 21)?.at).toBeDefined();
    expect(placeAt(`{"a": ${"[".repeat(100_000)}`, 100_006)?.at).toBe("item");
    const big = `{${Array.from({ length: 50_000 }, (_, i) => `"key-number-${i}": ${i}`).join(",\n")}, "sandbox": {"`;
    expect(rawOffers(big, big.length, settings)?.offers.map((o) => o.name)).toContain("mode");
  });
});
