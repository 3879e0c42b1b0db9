import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import en from "@/i18n/en/settings.json";
import ja from "@/i18n/ja/settings.json";
import { ALIGNMENTS, KINDS } from "@/topology";
import { chordsOf, shortcutIds, shortcuts, type Scope } from "@/ui";

const src = path.join(import.meta.dirname, "..");
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((f) => /\.tsx?$/.test(f) && !/\.(test|d)\.tsx?$/.test(f) && f !== path.join("ui", "shortcuts.ts"))
  .map((f) => ({ file: f.replaceAll(path.sep, "/"), text: readFileSync(path.join(src, f), "utf8") }));
/** Where a pattern occurs: "file: first group". */
const found = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, what]) => `${file}: ${what}`));

const scoped = shortcutIds.flatMap((id) => {
  const row = shortcuts[id];
  return "as" in row ? [] : [{ ...row, id, scope: row.scope as Scope }];
});
const scopes = [...new Set(scoped.map((row) => row.scope))];

/** Scopes that listen at the same time as another one. Those of all screens are added to each. */
const beside: Partial<Record<Scope, Scope[]>> = {
  canvas: ["search"],
  review: ["reviewHead"],
  merge: ["reviewHead"],
  inbox: ["answer"],
  library: ["cards", "card"],
  planTree: ["plan"],
  planBoard: ["plan"],
  planGraph: ["plan"],
};
/** Rows of a widget, of the browser or of the pointer, which no handler acts on. */
const onlyTold: Scope[] = ["widget", "browser", "pointer", "searchBar", "answer", "card", "splitter"];

describe("APP-1 the table of shortcuts", () => {
  it("has no chord twice in one scope, or in two that listen together", () => {
    const twice = scopes.flatMap((scope) => {
      const together = new Set<Scope>([scope, ...(beside[scope] ?? []), "everywhere", "browser"]);
      const chords = scoped
        .filter((row) => together.has(row.scope))
        .flatMap((row) => [...row.chords, ...(row.also ?? [])]);
      return chords.filter((c, i) => chords.indexOf(c) < i).map((c) => `${scope}: ${c}`);
    });
    expect(twice).toEqual([]);
  });

  it("has a chord in each row", () => expect(shortcutIds.filter((id) => !chordsOf(id)[0])).toEqual([]));

  it("has a text for each row and each group in both languages, and none that is left over", () => {
    for (const { keys } of [en, ja]) {
      const { title, what, find, nothing, group, ...rows } = keys;
      expect([title, what, find, nothing].every(Boolean)).toBe(true);
      expect(Object.keys(rows).sort()).toEqual([...shortcutIds].sort());
      expect(Object.keys(group).sort()).toEqual([...new Set(shortcutIds.map((id) => shortcuts[id].group))].sort());
    }
  });

  it("has one place of handlers for each scope but those of widgets, of the browser and of the pointer", () => {
    const places = found(/\b(?:use|take)Shortcuts?\(\s*"(\w+)"/g).map((place) => place.split(": ")[1]);
    expect(places.sort()).toEqual(scopes.filter((scope) => !onlyTold.includes(scope)).sort());
  });

  it("has a chord for each kind of connection and each alignment", () => {
    expect([chordsOf("kind").length, chordsOf("connectAs").length]).toEqual([KINDS.length, KINDS.length]);
    expect(chordsOf("alignSides").length + chordsOf("alignLevels").length).toBe(ALIGNMENTS.length);
  });

  it("is the only place where the chord of a shortcut is written", () => {
    const written = [
      ...found(/\bkeys(?:=|: ?|=\{)"([^"]*)"/g),
      ...found(/\bkeyLabel\("([^"]*)"/g),
      ...found(/keyshortcuts="([^"]*)"/g),
      ...found(/"((?:Mod|Alt|Shift|Ctrl|Control)\+[^"]*)"/g).filter((place) => !place.startsWith("ui/")),
    ];
    expect(written.sort()).toEqual([
      // What the keys do in the list of the palette, while it has the focus.
      "features/palette/CommandPalette.tsx: >",
      "features/palette/CommandPalette.tsx: Enter",
      "features/palette/CommandPalette.tsx: Escape",
      "features/palette/CommandPalette.tsx: Tab",
      "features/palette/CommandPalette.tsx: ↑",
      "features/palette/CommandPalette.tsx: ↓",
      // The separator between panels.
      "ui/SplitHandle.tsx: Home End Enter",
      // The field in which a message is written.
      "ui/chat/Composer.tsx: Enter",
      "ui/chat/Composer.tsx: Shift+Enter",
    ]);
  });

  it("is the only way to a key of the whole page, but for text that is typed ahead", () => {
    expect(found(/addEventListener\("(key\w+)"/g).sort()).toEqual([
      "features/canvas/useTypedAhead.ts: keydown",
      "ui/KeysAhead.tsx: keydown",
      "ui/fieldGone.ts: keydown", // only looks
      "ui/useShortcuts.ts: keydown",
    ]);
  });
});
