import { describe, expect, it } from "vitest";
import type { SessionMessage } from "../topology";
import { withEnd, withOlder } from "./sessionHistory";

const said = (n: number, text = String(n)): SessionMessage => ({
  role: n % 2 ? "assistant" : "user",
  timestamp: `2026-11-21T09:00:${String(n).padStart(2, "0")}Z`,
  content: [{ type: "text", text }],
});
const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => said(from + i));

describe("GW-5 a session in parts", () => {
  it("keeps the messages before an end that is read again", () => {
    expect(withEnd(run(0, 10), run(6, 14))).toEqual(run(0, 14));
    expect(withEnd(run(0, 10), run(0, 10))).toEqual(run(0, 10));
    expect(withEnd(run(0, 10), run(9, 12))).toEqual(run(0, 12));
    expect(withEnd([], run(3, 5))).toEqual(run(3, 5));
  });
  it("finds its place where the first line is the rest of another, and where the same was said before", () => {
    const rest: SessionMessage = { role: "assistant", content: [{ type: "tool", name: "exec" }] };
    expect(withEnd(run(0, 10), [rest, ...run(7, 12)])).toEqual(run(0, 12));
    const hello = { role: "user", content: [{ type: "text", text: "hello" }] };
    expect(withEnd([hello, said(1), hello, said(3)], [hello, said(3), said(5)])).toEqual([
      hello,
      said(1),
      hello,
      said(3),
      said(5),
    ]);
  });
  it("returns undefined for a gap, as after a session was reset", () => {
    expect(withEnd(run(0, 10), run(12, 20))).toBeUndefined();
    expect(withEnd(run(0, 10), [])).toEqual([]);
  });
  it("takes an older part before it, and nothing twice", () => {
    expect(withOlder(run(0, 5), run(5, 9))).toEqual(run(0, 9));
    expect(withOlder(run(0, 7), run(5, 9))).toEqual(run(0, 9));
    expect(withOlder(run(5, 9), run(5, 9))).toEqual(run(5, 9));
    expect(withOlder(run(6, 8), run(5, 9))).toEqual(run(5, 9));
    expect(withOlder([], run(5, 9))).toEqual(run(5, 9));
  });
});
