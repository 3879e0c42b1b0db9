import { describe, expect, it } from "vitest";
import { aboutTokens, asWritten, FILE_BYTES, fileFault, fileOf, promptChars, withFile } from "./files";

describe("OC-2 a workspace file in the draft", () => {
  const there = { missing: false, content: "old", hash: "h0" };

  it("remembers the text that its edit began from", () => {
    const first = withFile(undefined, "SOUL.md", "o", there);
    expect(first).toEqual({ "SOUL.md": { content: "o", basedOn: "h0", base: "old" } });
    const moved = { missing: false, content: "theirs", hash: "h1" };
    for (const there of [moved, undefined])
      expect(withFile(first, "SOUL.md", "on", there)["SOUL.md"]).toEqual({ content: "on", basedOn: "h0", base: "old" });
  });

  it("is no edit once it is the gateway's text again", () => {
    const first = withFile({ "USER.md": { content: "u" } }, "SOUL.md", "o", there);
    expect(withFile(first, "SOUL.md", "old", there)).toEqual({ "USER.md": { content: "u" } });
    expect(withFile(undefined, "SOUL.md", "", { missing: true })).toEqual({});
  });

  it("stays in the team that was applied with it", () => {
    const base = { "SOUL.md": { content: "old", basedOn: "h0" } };
    expect(withFile(base, "SOUL.md", "old", there, base)["SOUL.md"]).toMatchObject(base["SOUL.md"]);
    const next = withFile(base, "SOUL.md", "new", there, base);
    expect(next["SOUL.md"]).toEqual({ content: "new", basedOn: "h0", base: "old" });
  });

  it("is limited as the hub limits it", () => {
    expect(fileFault("x".repeat(FILE_BYTES))).toBeUndefined();
    expect(fileFault("語".repeat(FILE_BYTES / 3 + 1))).toBe("long");
    expect(fileFault("a\0b")).toBe("binary");
  });

  it("keeps its line ends", () => {
    expect(asWritten("a\nb\n", "a\r\n")).toBe("a\r\nb\r\n");
    expect(asWritten("a\nb\n", "a\n")).toBe("a\nb\n");
  });

  it("names itself in a change, and counts its tokens roughly", () => {
    expect([fileOf("files.SOUL.md"), fileOf("persona"), fileOf(undefined)]).toEqual(["SOUL.md", undefined, undefined]);
    expect(aboutTokens("four letters make one")).toBe(6);
    expect(aboutTokens("日本語")).toBe(3);
  });
});

it("OC-2 what an agent gets of a file is limited by its own setting, then everyone's, then OpenClaw's default", () => {
  expect(promptChars(undefined)).toBe(20_000);
  expect(promptChars({}, { bootstrapMaxChars: 16_000 })).toBe(16_000);
  expect(promptChars({ bootstrapMaxChars: 9_000 }, { bootstrapMaxChars: 16_000 })).toBe(9_000);
  for (const wrong of ["9000", 0, -1, null]) expect(promptChars({ bootstrapMaxChars: wrong })).toBe(20_000);
});
