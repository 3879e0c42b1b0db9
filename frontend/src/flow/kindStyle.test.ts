import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { drawnKinds, kindStyle, kindToken } from "./kindStyle";

describe("the look of a kind of connection", () => {
  it("differs from that of each other kind, also without its color", () => {
    const looks = drawnKinds.map((kind) => JSON.stringify([kindStyle[kind].dash, kindStyle[kind].end]));
    expect(new Set(looks).size).toBe(drawnKinds.length);
  });

  it("has a color in the light and in the dark theme", () => {
    const tokens = readFileSync(path.join(import.meta.dirname, "../tokens.css"), "utf8");
    const colors = drawnKinds.map((kind) => [kind, tokens.split(`  ${kindToken(kind)}: #`).length - 1]);
    expect(colors).toEqual(drawnKinds.map((kind) => [kind, 2]));
  });
});
