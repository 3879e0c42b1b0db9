import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import enFirst from "./en";
import enRest from "./en-rest";
import jaFirst from "./ja";
import jaRest from "./ja-rest";

const enWords = { ...enFirst, ...enRest },
  jaWords = { ...jaFirst, ...jaRest };

function flat(tree: object, at = ""): Map<string, string> {
  return new Map(
    Object.entries(tree as Record<string, string | object>).flatMap(([k, v]) =>
      typeof v === "string" ? [[at + k, v] as const] : [...flat(v, `${at}${k}.`)],
    ),
  );
}
const en = flat(enWords),
  ja = flat(jaWords);
/** English has one and other, Japanese only other. */
const stem = (k: string) => k.replace(/_(one|other)$/, "");
const params = (s: string) =>
  [...s.matchAll(/{{\s*(\w+)/g)]
    .map((m) => m[1])
    .sort()
    .join();

describe("languages", () => {
  it("have words at all", () => expect(en.size).toBeGreaterThan(100));
  it("have the same keys", () =>
    expect([...new Set([...ja.keys()].map(stem))].sort()).toEqual([...new Set([...en.keys()].map(stem))].sort()));
  it("have their English files in the types of the keys", () => {
    const typed = readFileSync(new URL("textKeys.ts", import.meta.url), "utf8").matchAll(/import\("\.\/en\/(.+)"\)/g);
    expect([...typed].map(([, file]) => file)).toEqual(readdirSync(new URL("en", import.meta.url)).sort());
  });
  it("have no empty words", () => expect([...en, ...ja].filter(([, v]) => !v.trim())).toEqual([]));
  it("fill in the same values", () => {
    const wrong = [...ja].filter(([k, v]) => params(v) !== params(en.get(k) ?? ""));
    expect(wrong.map(([k]) => k)).toEqual([]);
  });
  it("has both forms wherever English counts", () => {
    expect([...en.keys()].filter((k) => k.endsWith("_one") && !en.has(k.replace("_one", "_other")))).toEqual([]);
  });
  it("keeps the wording rules of buttons and sentences", () => {
    expect([...ja].filter(([, v]) => /してください$/.test(v)).map(([k]) => k)).toEqual([]);
    expect([...en].filter(([, v]) => /!|\bplease\b|successfully/i.test(v)).map(([k]) => k)).toEqual([]);
    expect([...ja].filter(([, v]) => /[ぁ-んァ-ヶ一-龠][,!?]|[()][ぁ-んァ-ヶ一-龠]/.test(v)).map(([k]) => k)).toEqual(
      [],
    );
  });
});
