import type { SessionMessage } from "../topology";
import { textOf, type Sent } from "./sessionSent";
import type { Chat } from "./sessionTypes";

/** What came of an answer before the connection to its gateway was lost. */
export type Broken = {
  runId: string;
  text: string;
  /** When the answer began. */ since: number;
  /** When the connection was back. */ at: string;
  /** The gateway is silent about it, and its history doesn't have it: nothing more is coming. */ sure?: true;
};

const most = 5,
  mostText = 10_000,
  /** A gateway's clock can be behind this computer's by so much. */ clocks = 60_000,
  begins = 40;

/** Adds an answer that broke off to the others, in the place of what was known of it. */
export const withBroken = (all: readonly Broken[], { runId, text, since, at, sure }: Broken): Broken[] =>
  [...all.filter((b) => b.runId !== runId), { runId, text: text.slice(0, mostText), since, at, sure }].slice(-most);

/** The same list where the run isn't in it. */
export const without = (all: readonly Broken[] | undefined, runId: string): readonly Broken[] | undefined =>
  all?.some((b) => b.runId === runId) ? all.filter((b) => b.runId !== runId) : all;

/** Whether the history has the answer, or as much of it as came. Of an answer without a word, any after it counts. */
function shows(messages: readonly SessionMessage[], { text, since }: Broken): boolean {
  const came = text.trim();
  return messages.some((m) => {
    const said = textOf(m).trim();
    return (
      m.role === "assistant" &&
      said.length >= Math.max(1, came.length * 0.9) &&
      said.startsWith(came.slice(0, begins)) &&
      Date.parse(m.timestamp ?? "") >= since - (came ? clocks : 0)
    );
  });
}

/** Those that the history doesn't show. */
export function stillBroken(
  all: readonly Broken[] | undefined,
  messages: readonly SessionMessage[],
): readonly Broken[] | undefined {
  return all?.some((b) => shows(messages, b)) ? all.filter((b) => !shows(messages, b)) : all;
}

/** An answer goes on, or is over: it didn't break off. Once it is over, its question is in the history. */
export function heardOf(c: Pick<Chat, "sent" | "broken">, runId: string, over: boolean) {
  const news = c.sent.some((o) => o.runId === runId && (o.unkept || over)),
    after = (o: Sent): Sent[] => (o.runId !== runId ? [o] : over ? [] : [{ ...o, unkept: undefined }]);
  return { broken: without(c.broken, runId), sent: news ? c.sent.flatMap(after) : c.sent };
}

/** A session's answers that broke off, with those that were kept from before. */
export const withKept = (c: Pick<Chat, "broken" | "messages" | "run">, kept: readonly Broken[]) =>
  stillBroken(
    [...kept.filter((b) => b.runId !== c.run?.runId), ...(c.broken ?? [])].reduce<Broken[]>(withBroken, []),
    c.messages,
  );

/** Marks what broke off by then: nothing more of it is coming. */
export const surely = (all: readonly Broken[] | undefined, by: string): readonly Broken[] | undefined =>
  all?.map((b) => (b.at <= by ? { ...b, sure: true } : b));
