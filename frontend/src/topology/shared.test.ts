import { describe, expect, it } from "vitest";
import table from "../../../backend/team/teamblock/testdata/shared.json";
import {
  addShared,
  changedShared,
  findShared,
  goodName,
  hasMark,
  removeShared,
  replaceShared,
  sharedOf,
  withSharedText,
} from "./shared";
import type { Agent } from "./types";

describe("OC-2 blocks that several files share", () => {
  it.each(table)("are found as the hub finds them: $what", ({ file, blocks }) => {
    expect(findShared(file).map(({ name, text }) => ({ name, text }))).toEqual(blocks);
  });

  it.each(["", "a\n", "a", "a\r\nb\r\n"])("leave %j as it was once they are taken out", (file) => {
    const on = addShared(file, "rules", "one\ntwo");
    expect(findShared(on)).toMatchObject([{ name: "rules", text: "one\ntwo\n" }]);
    expect(on.startsWith(file)).toBe(true);
    if (file.includes("\r\n")) expect(on.replaceAll("\r\n", "")).not.toContain("\n");
    const off = removeShared(on, "rules");
    expect(off).toBe(file === "a" ? "a\n" : file);
  });

  it("get another text or name, and nothing else of the file changes", () => {
    const file = `top\n${addShared("", "a", "1")}${addShared("", "b", "2")}end`;
    const other = replaceShared(file, "a", "one");
    expect(findShared(other).map((b) => b.name + b.text)).toEqual(["aone\n", "b2\n"]);
    expect(replaceShared(other, "a", "1\n")).toBe(file);
    expect(findShared(replaceShared(file, "a", "", "c")).map((b) => b.name + b.text)).toEqual(["c", "b2\n"]);
    expect(replaceShared(file, "none", "x")).toBe(file);
  });

  it("change everywhere by one edit, and not if an edit leaves two texts", () => {
    const one = addShared("mine\n", "rules", "old"),
      two = replaceShared(one, "rules", "new");
    expect(changedShared(one, two)).toEqual([{ name: "rules", text: "new\n" }]);
    expect(changedShared(one, `more\n${one}`)).toEqual([]);
    expect(changedShared(one, "")).toEqual([]);
    expect(changedShared("", one)).toEqual([]);
    expect(changedShared(one + one, two + replaceShared(one, "rules", "newer"))).toEqual([]);
    const agent: Agent = { id: "b", files: { "SOUL.md": { content: one, basedOn: "h" }, "USER.md": { content: "u" } } };
    const next = withSharedText(agent, "rules", "new\n");
    expect(next.files).toEqual({
      "SOUL.md": { content: two, basedOn: "h", base: undefined },
      "USER.md": { content: "u" },
    });
    expect(withSharedText(agent, "none", "x")).toBe(agent);
    expect(sharedOf({ agents: [agent, next] }).get("rules")).toEqual([
      { agent: "b", file: "SOUL.md", text: "old\n" },
      { agent: "b", file: "SOUL.md", text: "new\n" },
    ]);
  });

  it("can't have marks in their text", () => {
    expect(hasMark("one\n<!-- agentflow:shared end: x -->\ntwo")).toBe(true);
    expect(hasMark("see <!-- agentflow:shared end: x --> there")).toBe(false);
  });

  it("have names that fit into their marks", () => {
    expect(["rules", "社内の規則", "a b"].every(goodName)).toBe(true);
    expect(["", "a--b", "a>b", "-a", "x\ny", "x".repeat(61)].some(goodName)).toBe(false);
  });
});
