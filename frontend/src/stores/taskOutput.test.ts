import { describe, expect, it } from "vitest";
import type { TaskEvent } from "../topology";
import { addEvents, noOutput, outputText, type Output } from "./taskOutput";

/** Says a text piece by piece. */
function say(text: string, size: number, had: Output = noOutput): Output {
  let out = had;
  for (let i = 0; i < text.length; i += size)
    out = addEvents(out, [{ taskId: "t", seq: out.seq + 1, type: "delta", text: text.slice(i, i + size) }]);
  return out;
}
const texts = (o: Output) => o.blocks.map((b) => (b.kind === "text" ? b.text : b.kind));

const paragraph = `${"Words of a paragraph. ".repeat(20)}\n\n`,
  table = `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(300)}\n`;
const code = `\`\`\`go\n${"x := 1\n\n".repeat(400)}\`\`\`\n\n`;

describe("what a task says", () => {
  it.each([1, 7, 64, 1000])("is cut between paragraphs, never within a table or code, in pieces of %d", (size) => {
    const whole = `${paragraph.repeat(9)}${table}${paragraph.repeat(8)}${code}${paragraph.repeat(30)}The end`;
    const out = say(whole, size),
      blocks = texts(out);
    expect(blocks.join("")).toBe(whole);
    expect(blocks.length).toBeGreaterThan(3);
    for (const b of blocks.slice(0, -1)) {
      expect(b.endsWith("\n\n")).toBe(true);
      expect((b.match(/```/g) ?? []).length % 2).toBe(0);
    }
    expect(outputText(out)).toBe(whole);
  });

  it("of a terminal is cut at the end of a line once it is too long", () => {
    const whole = "ok  a test that has run\n".repeat(3000),
      blocks = texts(say(whole, 240));
    expect(blocks.join("\n")).toBe(whole);
    expect(Math.max(...blocks.map((b) => b.length))).toBeLessThan(17_000);
    for (const b of blocks.slice(1)) expect(b === "" || b.startsWith("ok  a test")).toBe(true);
  });

  it("takes each event once, and starts a new block after a log line of the hub", () => {
    const delta = (seq: number, text: string) => ({ taskId: "t", seq, type: "delta", text }) as TaskEvent;
    const out = addEvents(addEvents(noOutput, [delta(1, "one "), delta(2, "two")]), [
      delta(2, "two"),
      { taskId: "t", seq: 3, type: "log", text: "a line" },
      delta(4, "three"),
    ]);
    expect(texts(out)).toEqual(["one two", "log", "three"]);
    expect(outputText(out)).toBe("one two\na line\nthree");
  });

  it("counts attempts as the task does, and those of an earlier program by their order", () => {
    const begins = (seq: number, attempt?: number) =>
      ({ taskId: "t", seq, type: "status", agent: "dev", attempt }) as TaskEvent;
    const numbers = (...events: TaskEvent[]) =>
      addEvents(noOutput, events).blocks.map((b) => (b.kind === "attempt" ? b.n : 0));
    expect(numbers(begins(1, 1), begins(2, 1), begins(3, 2))).toEqual([1, 1, 2]);
    expect(numbers(begins(1), begins(2))).toEqual([1, 2]);
  });
});
