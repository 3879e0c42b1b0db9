import { describe, expect, it } from "vitest";
import { tooDeep } from "./depth";

const lists = (mark: string, n: number) =>
  Array.from({ length: n }, (_, i) => `${" ".repeat(mark.length * i)}${mark}x`).join("\n");

describe("CH-7 a text that is nested too deep to be laid out", () => {
  it("is known by its lists, numbers, quotes and mixtures of them", () => {
    const deep = [
      "- ".repeat(1500),
      "1. ".repeat(1500),
      "> ".repeat(1500),
      ">".repeat(60_000),
      "- > ".repeat(750),
      "* 1) > + ".repeat(400),
    ];
    for (const text of deep) expect(tooDeep(`Hello\n\n${text}x\n\nand more`), text.slice(0, 8)).toBe(true);
    for (const mark of ["- ", "1. ", "+   "]) expect(tooDeep(lists(mark, 200)), mark).toBe(true);
  });
  it("is known by its emphasis and brackets", () => {
    for (const text of [
      `${"*".repeat(8000)}a${"*".repeat(8000)}`,
      `${"*a **b ".repeat(500)}c${"** d*".repeat(500)}`,
      `${"~~a ".repeat(300)}${"b~~ ".repeat(300)}`,
      `${"![".repeat(3000)}a${"](b)".repeat(3000)}`,
    ])
      expect(tooDeep(text), text.slice(0, 8)).toBe(true);
  });
  it("is not what only looks like it", () => {
    const flat = [
      lists("- ", 12),
      `${"> ".repeat(10)}quoted`,
      "-".repeat(5000),
      "*".repeat(5000),
      "=".repeat(100),
      "- a\n".repeat(5000),
      "> a\n".repeat(5000),
      `${" ".repeat(400)}far right`,
      `\`\`\`\n${">".repeat(500)}\n${"- ".repeat(300)}\n\`\`\``,
      "**bold** and *slanted* words, ".repeat(500),
      "a [link](https://a.example) ".repeat(500),
      "snake_case_names and 2 * 3 * 4, ".repeat(500),
      "**「強調」**です。".repeat(500),
      "[INFO] it ran\n".repeat(500),
      `| ${"a | ".repeat(300)}\n|${"---|".repeat(301)}`,
      "1. one\n\n   more\n".repeat(400),
      "* * *\n".repeat(300),
    ];
    for (const text of flat) expect(tooDeep(text), text.slice(0, 12)).toBe(false);
  });
  it("is found at once, however long the text is", () => {
    const began = performance.now();
    for (const text of [
      "[".repeat(65_000),
      "- ".repeat(32_000),
      "*a ".repeat(20_000),
      "> a\n".repeat(16_000),
      " ".repeat(65_000),
    ])
      tooDeep(text);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
