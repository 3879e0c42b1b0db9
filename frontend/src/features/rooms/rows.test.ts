import { describe, expect, it } from "vitest";
import type { RoomMessage } from "@/topology";
import { rowsOf } from "./rows";

const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString();
const message = (id: number, day = 21, sender = "Mika"): RoomMessage => ({
  id,
  room: "r",
  sender,
  message: `m${id}`,
  timestamp: at(day),
  type: "chat",
});
const rows = (messages: RoomMessage[], more: Partial<Parameters<typeof rowsOf>[0]> = {}) =>
  rowsOf({ messages, outbox: [], whole: true, read: 0, me: "Me", ...more });

describe("APP-4 the lines of a room", () => {
  it("names each day once, and the first only where nothing is before it", () => {
    const list = [message(1, 20), message(2, 20), message(3, 21)];
    expect(rows(list).map((r) => r.day !== undefined)).toEqual([true, false, true]);
    expect(rows(list, { whole: false }).map((r) => r.day !== undefined)).toEqual([false, false, true]);
    expect(rows(list)[0]?.start).toBe(true);
  });
  it("draws one line before the first that was not read, never before one's own", () => {
    const list = [message(1), message(2, 21, "Me"), message(3), message(4)];
    expect(
      rows(list, { read: 1 })
        .filter((r) => r.fresh)
        .map((r) => r.key),
    ).toEqual(["3"]);
    expect(rows(list, { read: 4 }).some((r) => r.fresh)).toBe(false);
  });
  it("CH-12 draws no line before what one's own stop has left, and one before what another person's has", () => {
    const stop = (id: number, by: string): RoomMessage[] => [
      { ...message(id, 21, "Dev"), cause: { code: "answer_stopped", params: { by } } },
      { ...message(id + 1, 21, "AgentFlow"), type: "system", cause: { code: "stopped", params: { by } } },
    ];
    const fresh = (by: string) =>
      rows([message(1), message(2, 21, "Me"), ...stop(3, by), message(5)], { read: 1 }).find((r) => r.fresh)?.key;
    expect([fresh("Me"), fresh("Mika")]).toEqual(["5", "3"]);
  });
  it("shows what is on its way last, with a key that no message has", () => {
    const out = { clientId: "5", sender: "Me", text: "x", at: at(21) };
    expect(rows([message(5)], { outbox: [out] }).map((r) => r.key)).toEqual(["5", "out:5"]);
  });
  it("shows an answer that grows until the message is there that it became", () => {
    const growing = [
      { turnId: "t1", agent: "Dev", text: "He" },
      { turnId: "t2", agent: "QA", text: "" },
    ];
    expect(rows([message(5)], { growing }).map((r) => r.key)).toEqual(["5", "turn:t1 Dev"]);
    expect(rows([{ ...message(5, 21, "Dev"), clientMessageId: "t1" }], { growing }).map((r) => r.key)).toEqual(["5"]);
  });
  it("CH-12 shows each of the answers that are written in the same turn, until its own message is there", () => {
    const growing = ["Dev", "QA", "Ops"].map((agent) => ({ turnId: "turn-7", agent, text: `I am ${agent}` }));
    expect(rows([message(7)], { growing }).map((r) => r.grows?.text ?? r.key)).toEqual([
      "7",
      "I am Dev",
      "I am QA",
      "I am Ops",
    ]);
    expect(
      rows([message(7), { ...message(8, 21, "QA"), clientMessageId: "turn-7" }], { growing }).map(
        (r) => r.grows?.agent ?? r.key,
      ),
    ).toEqual(["7", "8", "Dev", "Ops"]);
  });
});
