import { describe, expect, it } from "vitest";
import { hits, rank, score, type Rankable } from "./rank";

const item = (kind: string, title: string, words = ""): Rankable => ({ id: `${kind}:${title}`, kind, title, words });
const order = ["agent", "team", "command"];
const titles = (groups: { items: Rankable[] }[]) => groups.map((g) => g.items.map((i) => i.title));

describe("ranking", () => {
  it("prefers the title's start to a word's start to its middle to other words", () => {
    const at = (title: string, words = "") => score(item("agent", title, words), "rev");
    expect(at("rev")).toBeGreaterThan(at("Reviewer"));
    expect(at("Reviewer")).toBeGreaterThan(at("The reviewer"));
    expect(at("The reviewer")).toBeGreaterThan(at("Prerevision"));
    expect(at("Prerevision")).toBeGreaterThan(at("Lead", "review"));
    expect(at("Lead", "review")).toBeGreaterThan(at("Lead", "prereview"));
    expect(at("Writer")).toBe(0);
  });
  it("wants every word", () => {
    expect(score(item("connection", "Reviewer → Backend"), "rev back")).toBeGreaterThan(0);
    expect(score(item("connection", "Reviewer → Backend"), "rev front")).toBe(0);
  });
  it("sees both kana, both widths and both cases as the same", () => {
    expect(score(item("agent", "レビュアー"), "れびゅ")).toBeGreaterThan(0);
    expect(score(item("agent", "れびゅあー"), "レビュ")).toBeGreaterThan(0);
    expect(score(item("agent", "ＧＰＴ担当"), "gpt")).toBeGreaterThan(0);
  });
  it("puts the kind with the best fit first, and keeps the usual order while nothing is typed", () => {
    const all = [item("agent", "Prereview"), item("team", "Shop"), item("command", "Review changes")];
    expect(rank(all, "rev", { order }).map((g) => g.kind)).toEqual(["command", "agent"]);
    expect(rank([...all].reverse(), "", { order }).map((g) => g.kind)).toEqual(["agent", "team", "command"]);
  });
  it("puts what was used lately before its equals, not before a better fit", () => {
    const all = [item("agent", "Review A"), item("agent", "Review B"), item("agent", "Re")];
    expect(titles(rank(all, "re", { order, recent: ["agent:Review B"] }))).toEqual([["Re", "Review B", "Review A"]]);
  });
  it("keeps to the limit and drops kinds without a fit", () => {
    const all = Array.from({ length: 20 }, (_, i) => item("agent", `Agent ${i}`));
    expect(rank(all, "agent", { order, limit: 8 })[0]?.items).toHaveLength(8);
    expect(rank(all, "zzz", { order })).toEqual([]);
  });
});

describe("letters here and there", () => {
  it("find what begins like that, after everything that holds the word itself", () => {
    const at = (title: string, query: string) => score(item("agent", title), query);
    expect(at("Shop reviewer", "sr")).toBeGreaterThan(0);
    expect(at("Shop reviewer", "shrev")).toBeGreaterThan(at("Reviewer", "rvwr"));
    expect(at("Reviewer", "rvwr")).toBeGreaterThan(0);
    expect(at("Reviewer", "rvwr")).toBeLessThan(score(item("agent", "Lead", "a rvwr"), "rvwr"));
    expect(at("Reviewer", "vwr")).toBe(0);
    expect(at("Reviewer", "rz")).toBe(0);
  });
  it("does not take 5,000 agents long", () => {
    const many = Array.from({ length: 5000 }, (_, i) =>
      item("agent", `エージェント ${i}`, `agent-${i} openai/gpt-5-mini`),
    );
    const found = rank(many, "えーじぇんと 49", { order, limit: 8 })[0];
    expect([found?.items.length, found?.total]).toEqual([8, many.filter((m) => m.title.includes("49")).length]);
  });
});

describe("hits", () => {
  it("names what fits, in order and without overlap", () => {
    expect(hits("Reviewer → Backend", "back rev")).toEqual([
      [0, 3],
      [11, 15],
    ]);
    expect(hits("Reviewer", "rev re")).toEqual([[0, 3]]);
    expect(hits("レビュアー", "れび")).toEqual([[0, 2]]);
    expect(hits("Lead", "x")).toEqual([]);
  });
});
