import { describe, expect, it, vi } from "vitest";
import { anywhere, onCanvas } from "@/features/canvas/keys";
import { keyGroups } from "@/features/settings/keys";

// What the key list says and what the canvas does are two tables; this holds them together.

// The words are chosen by what the browser asks for, at once.
vi.hoisted(() => {
  vi.stubGlobal("navigator", { languages: ["en"], userAgent: "" });
});

const arrows: Record<string, string> = { "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight" };
const chord = (c: string) =>
  c
    .split("+")
    .map((k) => arrows[k] ?? k)
    .join("+") || c;
const shown = new Set(
  keyGroups
    .filter((g) => g.id !== "panels" && g.id !== "inbox")
    .flatMap((g) => g.keys.flatMap((k) => k.chords.map((c) => (c === "+" ? c : chord(c))))),
);
/** Taken by the page, a menu, the browser or a drag rather than by the canvas's table. */
const elsewhere = [
  "Mod+K",
  "Mod+S",
  "Mod+Shift+S",
  "?",
  "Tab",
  "Shift+Tab",
  "Mod+C",
  "Mod+X",
  "Mod+V",
  "Alt",
  "Mod",
  "Shift+F10",
];
/** Other ways to do what is listed already. */
const sameAs = /^(Backspace|=|Shift\+Arrow(Down|Left|Right))$/;

describe("APP-1 the list of keys", () => {
  it("names no key that does nothing", () =>
    expect([...shown].filter((c) => !(c in anywhere) && !(c in onCanvas) && !elsewhere.includes(c))).toEqual([]));
  it("leaves out no key that acts", () =>
    expect(
      [...Object.keys(anywhere), ...Object.keys(onCanvas)].filter((c) => !shown.has(c) && !sameAs.test(c)),
    ).toEqual([]));
});
