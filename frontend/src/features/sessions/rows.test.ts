import { describe, expect, it } from "vitest";
import type { Chat } from "@/stores/sessions";
import type { Session, SessionMessage } from "@/topology";
import { failureOf, lastSaid, rowsOf, saysError, stoppedPart, uncut, unfailed } from "./rows";

const said = (role: string, at: string | undefined, text: string): SessionMessage => ({
  role,
  timestamp: at,
  content: [{ type: "text", text }],
});
const chat = (messages: SessionMessage[], more: Partial<Chat> = {}): Chat => ({
  status: "ready",
  messages,
  older: false,
  busy: false,
  sent: [],
  ...more,
});
const at = (h: number) => new Date(2026, 10, 21, h).toISOString();

describe("APP-4 the lines of a session", () => {
  it("tell an answer that was cut off at the token limit, and an error once", () => {
    expect(uncut("half\n\n⚠ The answer reached the token limit and is cut off.")).toEqual({
      text: "half",
      cutOff: true,
    });
    expect(uncut("whole")).toEqual({ text: "whole", cutOff: false });
    const c = chat([said("user", at(9), "a"), said("assistant", at(10), "half\n\n⚠ The provider failed.")]);
    expect(saysError(c, "⚠ The provider failed.")).toBe(true);
    expect(saysError(chat([]), "⚠ The provider failed.")).toBe(false);
  });
  it("tell why there is no answer, also after a reload, and show a question that was sent again once", () => {
    const cause = { code: "bad_key" },
      none = { ...said("assistant", at(10), "half ⚠\n\n⚠ The key was refused."), cause },
      c = chat([said("user", at(9), "a"), none]);
    expect(failureOf(c)).toEqual({ cause, own: "The key was refused." });
    expect(unfailed(none).text).toBe("half ⚠");
    expect(failureOf(chat([], { ended: { state: "error", error: "⚠ It failed.", cause } }))).toEqual({
      cause,
      own: "It failed.",
    });
    const shown = (x: Chat) => rowsOf(x, undefined).map((r) => r.message?.content[0]?.text ?? r.sent?.text);
    const sent = (text: string) => [{ key: "k", text, at: at(11), had: [] }];
    expect(shown({ ...c, sent: sent("a") })).toEqual(["a"]);
    expect(failureOf({ ...c, sent: sent("a") })).toBeUndefined();
    const again = chat([...c.messages, said("user", at(11), "a"), { ...none, timestamp: at(12) }]);
    expect(shown(again)).toEqual(["a", none.content[0]!.text]);
    expect(shown({ ...again, sent: sent("a") })).toEqual(["a"]);
    const other = chat([...c.messages, said("user", at(11), "b"), said("assistant", at(12), "c")]);
    expect(rowsOf(other, undefined).map((r) => !!r.failed)).toEqual([false, true, false, false]);
  });
  it("tell an answer that was stopped, also after a reload", () => {
    const half = { ...said("assistant", at(10), "half"), stopped: true },
      c = chat([said("user", at(9), "a"), half]);
    const marks = (x: Chat) => rowsOf(x, undefined).map((r) => !!r.stopped);
    expect([stoppedPart(c), marks(c)]).toEqual(["kept", [false, false]]);
    // The note below the session is about the last answer; one before it is marked itself.
    const on = chat([...c.messages, said("user", at(11), "b"), said("assistant", at(12), "c")]);
    expect([stoppedPart(on), marks(on)]).toEqual([undefined, [false, true, false, false]]);
    const asked = chat([...c.messages], { sent: [{ key: "k", text: "b", at: at(11), had: [] }] });
    expect([stoppedPart(asked), marks(asked)]).toEqual([undefined, [false, true, false]]);
    expect(stoppedPart({ ...c, ended: { state: "aborted", part: "lost" } })).toBe("lost");
  });
  it("have keys that stay when older ones come before them", () => {
    const late = [said("user", at(10), "a"), said("assistant", at(11), "b")];
    const keys = rowsOf(chat(late), undefined).map((r) => r.key);
    expect(
      rowsOf(chat([said("user", at(9), "z"), ...late]), undefined)
        .map((r) => r.key)
        .slice(1),
    ).toEqual(keys);
    expect(
      new Set(rowsOf(chat([said("user", undefined, "a"), said("user", undefined, "a")]), undefined).map((r) => r.key))
        .size,
    ).toBe(2);
  });
  it("begin by saying so where the gateway keeps what came before to itself", () => {
    const rows = rowsOf(chat([said("user", at(9), "a")], { cut: true }), undefined);
    expect(rows.map((r) => [!!r.cut, !!r.message])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
  it("mark the first answer that was not read, and end with what is on its way and what is coming", () => {
    const rows = rowsOf(
      chat(
        [
          said("assistant", at(9), "a"),
          said("user", at(10), "b"),
          said("assistant", at(11), "c"),
          said("assistant", at(12), "d"),
        ],
        { sent: [{ key: "k", text: "x", at: at(13), had: [] }], run: { runId: "r", text: "", since: 0 } },
      ),
      at(9),
    );
    expect(rows.map((r) => !!r.fresh)).toEqual([false, false, true, false, false, false]);
    expect(rows.slice(-2).map((r) => r.key)).toEqual(["sent:k", "run:r"]);
    expect(rowsOf(chat([said("assistant", at(9), "a")]), undefined).some((r) => r.fresh)).toBe(false);
  });
  it("mark nothing that came while the person looked", () => {
    const c = chat([said("assistant", at(9), "a"), said("user", at(11), "b"), said("assistant", at(12), "c")]);
    expect(rowsOf(c, at(9), at(10)).some((r) => r.fresh)).toBe(false);
    expect(rowsOf(c, at(8), at(10)).map((r) => !!r.fresh)).toEqual([true, false, false]);
  });
  it("keep what the gateway did not save where it was said", () => {
    const c = chat([said("user", at(9), "a"), said("user", at(12), "c")], {
      sent: [{ key: "k", text: "b", at: at(10), had: [], runId: "r", unkept: true }],
    });
    expect(rowsOf(c, undefined).map((r) => r.sent?.text ?? r.message?.content[0]?.text)).toEqual(["a", "b", "c"]);
  });
  it("keep an answer that broke off below its question, and later messages below both", () => {
    const sent = [{ key: "k", text: "long", at: at(10), had: [], runId: "r" }],
      broken = [{ runId: "r", text: "half", since: Date.parse(at(10)), at: at(11), sure: true as const }];
    const words = (c: Chat) =>
      rowsOf(c, undefined).map((r) => r.sent?.text ?? r.broken?.text ?? r.message?.content[0]?.text);
    const messages = [said("user", at(9), "a"), said("user", at(12), "b"), said("assistant", at(13), "c")];
    expect(words(chat(messages, { sent, broken }))).toEqual(["a", "long", "half", "b", "c"]);
    const unkept = sent.map((o) => ({ ...o, unkept: true as const }));
    expect(words(chat(messages, { sent: unkept, broken }))).toEqual(["a", "long", "half", "b", "c"]);
    // A message that waits behind an answer stays behind it, and a gateway's clock can be ahead.
    const waiting = { sent: [{ ...sent[0]!, after: at(12) }] };
    expect(words(chat(messages, waiting))).toEqual(["a", "b", "c", "long"]);
  });
  it("offer to ask again below a last answer that broke off, where the gateway has the question", () => {
    const broken = [{ runId: "r", text: "", since: 0, at: at(11), sure: true as const }],
      asked = [said("user", at(10), "why?")];
    expect(rowsOf(chat(asked, { broken }), undefined).map((r) => r.again)).toEqual([undefined, "why?"]);
    expect(rowsOf(chat([...asked, said("user", at(12), "b")], { broken }), undefined).some((r) => r.again)).toBe(false);
    // A question that the gateway doesn't have is sent again itself, and says enough where no answer came.
    const sent = [{ key: "k", text: "why?", at: at(10), had: [], runId: "r", unkept: true as const }];
    expect(rowsOf(chat([], { broken, sent }), undefined).map((r) => r.key)).toEqual(["sent:k"]);
  });
});

describe("APP-4 the last message in the list of sessions", () => {
  const row = (text?: string): Session => ({
    sessionKey: "agent:lead:main",
    agentId: "lead",
    kind: "main",
    lastMessages: text ? [said("assistant", at(9), text)] : [],
  });
  const sent = { key: "k", text: "asked", at: at(10), had: [], runId: "r" };
  it("is what was just asked, though the gateway doesn't list it yet", () => {
    expect(lastSaid(row(), chat([], { sent: [sent] }), undefined)).toBe("asked");
    expect(lastSaid(row("before"), chat([said("assistant", at(9), "before")], { sent: [sent] }), undefined)).toBe(
      "asked",
    );
    expect(lastSaid(row(), undefined, sent)).toBe("asked");
  });
  it("is what was said later", () => {
    const unkept = { ...sent, unkept: true as const },
      later = [said("user", at(11), "b"), said("assistant", at(12), "c")];
    expect(lastSaid(row("c"), chat(later, { sent: [unkept] }), undefined)).toBe("c");
    expect(lastSaid(row("c"), undefined, sent)).toBe("c");
    expect(lastSaid(row("c"), chat(later), sent)).toBe("c");
    expect(lastSaid(row(), chat(later), undefined)).toBe("c");
    expect(lastSaid(row(), undefined, undefined)).toBe("");
  });
});
