import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const src = import.meta.dirname;
const modules = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((f) => /\.tsx?$/.test(f) && !/\.(test|d)\.tsx?$/.test(f))
  .map((f) => path.join(src, f));
const known = new Set(modules);

/** The module that an import names, or undefined where it is a package or a style. */
function resolved(from: string, name: string): string | undefined {
  const base = name.startsWith("@/") ? path.join(src, name.slice(2)) : path.resolve(path.dirname(from), name);
  return ["", ".ts", ".tsx", "/index.ts"].map((end) => base + end).find((f) => known.has(f));
}

/** True for `{ type A, type B }`. */
const onlyTypes = (names: string) =>
  /^{[^]*}\s*$/.test(names) &&
  [...names.matchAll(/[^{},]+/g)].every(([name]) => !name.trim() || name.trim().startsWith("type "));

/** The modules that are loaded before this one. Types and import() need no order. */
const needs = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type\b)(?:([^;"]*?) ?from )?"([^"]+)";/gm)].flatMap(
    ([, names = "", name = ""]) => (onlyTypes(names) ? [] : (resolved(file, name) ?? [])),
  );

it("no module imports itself through others", () => {
  const done = new Set<string>(),
    circles: string[] = [];
  let imports = 0;
  const walk = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].map((f) => path.relative(src, f)).join(" → "));
    if (done.has(file)) return;
    done.add(file);
    for (const next of needs(file)) {
      imports++;
      walk(next, [...way, file]);
    }
  };
  for (const file of modules) walk(file, []);
  expect(imports).toBeGreaterThan(2_000);
  expect(circles).toEqual([]);
});
