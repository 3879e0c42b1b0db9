import { describe, expect, it } from "vitest";
import type { FileSnapshot, Snapshot } from "@/topology";
import { beforeItem, itemsOf, linesOf } from "./timeline";

const at = (minute: number) => new Date(Date.UTC(2026, 1, 3, 9, minute)).toISOString();
const config = (id: string, minute: number, hash = id): Snapshot => ({
  id,
  hash,
  at: at(minute),
  gateway: "g",
  cause: "read",
  agents: 1,
});
const file = (id: string, minute: number, more: Partial<FileSnapshot> = {}): FileSnapshot => ({
  id,
  at: at(minute),
  gateway: "g",
  agent: "a",
  name: "SOUL.md",
  cause: "elsewhere",
  size: 1,
  tokens: 1,
  hasText: true,
  ...more,
});
const said = (all: ReturnType<typeof itemsOf>) =>
  linesOf(all).map((l) => (l.kind === "config" ? l.key : l.files.map((f) => f.id).join("+")));

describe("OC-4 the timeline of a gateway", () => {
  it("has configs and files by time, newest first, or one kind alone", () => {
    const configs = [config("c2", 20), config("c1", 5)],
      files = [file("f2", 30), file("f1", 10)];
    expect(said(itemsOf(configs, files, "all"))).toEqual(["f2", "c2", "f1", "c1"]);
    expect(said(itemsOf(configs, files, "config"))).toEqual(["c2", "c1"]);
    expect(said(itemsOf(configs, files, "files"))).toEqual(["f2", "f1"]);
  });

  it("folds at least four files that changed together for one reason", () => {
    const files = [
      file("g", 30),
      file("f", 20, { cause: "after_apply", teamId: "t" }),
      ...["e", "d", "c"].map((id) => file(id, 19, { cause: "after_apply", teamId: "t" })),
      ...["b", "a", "0"].map((id) => file(id, 10)),
    ];
    expect(said(itemsOf([], files, "all"))).toEqual(["g", "f+e+d+c", "b", "a", "0"]);
  });

  it("keeps equal configs one line, with a file that changed in between", () => {
    const all = itemsOf([config("c2", 20, "same"), config("c1", 5, "same")], [file("f", 10)], "all");
    expect(said(all)).toEqual(["c2", "f"]);
  });

  it("compares a config with the one before, and a file with the same file before", () => {
    const all = itemsOf(
      [config("c2", 20), config("c1", 5)],
      [file("f2", 30, { before: { id: "f0", size: 1, tokens: 1 } }), file("f1", 10)],
      "all",
    );
    expect(all.map((x) => [x.id, beforeItem(all, x)])).toEqual([
      ["f2", "f0"],
      ["c2", "c1"],
      ["f1", undefined],
      ["c1", undefined],
    ]);
  });
});
