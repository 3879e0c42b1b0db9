import type { ChatFrame, SessionMessage } from "../topology";
import type { ApiError } from "./faults";
import type { Chat } from "./sessionTypes";

/** What the person sent and the history does not show yet. */
export type Sent = {
  key: string;
  text: string;
  at: string;
  /** When the last message before it came, by the gateway's clock. */ after?: string;
  /** Messages of the same words that were there before. */ had: readonly string[];
  /** The gateway has taken it. */ runId?: string;
  /** Its run was stopped. The gateway's history can still come to have it. */ stopped?: true;
  /** Its run is over, and the gateway's history doesn't have it. */ unkept?: true;
  error?: ApiError;
};

export const textOf = (m: Pick<SessionMessage, "content">) =>
  m.content
    .filter((p) => p.type === "text")
    .map((p) => p.text ?? "")
    .join("");

/** A gateway's clock can be behind this computer's by so much. */
const clocks = 60_000,
  looksBack = 20;

/** The user's latest messages with a text, each with a sign that stays the same when the history is read again. */
export function saidAs(text: string, messages: readonly SessionMessage[]): { sign: string; at?: string }[] {
  const times = new Map<string, number>();
  return messages
    .filter((m) => m.role === "user")
    .slice(-looksBack)
    .filter((m) => textOf(m).trim() === text.trim())
    .map((m) => {
      const at = m.timestamp ?? "",
        n = times.get(at) ?? 0;
      times.set(at, n + 1);
      return { sign: `${at}#${n}`, at: m.timestamp };
    });
}

/**
 * What the history shows by now is no longer on its way. Each of its messages stands for one that was sent, the first first: the same
 * words said twice are two. What the gateway has not taken yet stays, whatever the history says.
 */
export function stillSent(sent: readonly Sent[], messages: readonly SessionMessage[]): Sent[] {
  const taken = new Map<string, string[]>(),
    textOfSent = (o: Sent) => o.text.trim();
  const left = sent.filter((o) => {
    if (o.unkept || o.stopped) return !has(messages, o); // a gateway that was stopped can show it once it is back
    if (o.error !== undefined || o.runId === undefined) return true;
    const gone = taken.get(textOfSent(o)) ?? [],
      had = [...o.had, ...gone];
    const m = saidAs(o.text, messages).find(
      (x) => !had.includes(x.sign) && (!x.at || Date.parse(x.at) >= Date.parse(o.at) - clocks),
    );
    if (m) taken.set(textOfSent(o), [...gone, m.sign]);
    return !m;
  });
  return left.map((o) => {
    const more = taken.get(textOfSent(o));
    return more ? { ...o, had: [...o.had, ...more] } : o;
  });
}

/** Whether the history has a message of the person that was not there before. Gateways add the time and more to its words. */
export const has = (messages: readonly SessionMessage[], o: Sent) =>
  messages
    .filter((m) => m.role === "user")
    .slice(-looksBack)
    .some((m) => textOf(m).includes(o.text.trim()) && Date.parse(m.timestamp ?? "") >= Date.parse(o.at) - clocks / 10);

/** The gateway has taken it, and the history has not shown it yet. */
export const isOpen = (o: Sent) => o.runId !== undefined && o.error === undefined && !o.unkept;

/** Whether the gateway has yet to tell what became of a message, or of an answer. */
export const waits = ({ sent, broken }: { sent: readonly Sent[]; broken?: readonly { sure?: true }[] }) =>
  sent.some(isOpen) || !!broken?.some((b) => !b.sure);

/** Marks what was sent by then and isn't in the history: the gateway doesn't have it. */
export const lost = (sent: readonly Sent[], messages: readonly SessionMessage[], by: string): Sent[] =>
  sent.flatMap((o) => (!isOpen(o) || o.at > by ? [o] : has(messages, o) ? [] : [{ ...o, unkept: true as const }]));

/**
 * A message whose run has ended. A gateway that was stopped before it answered can lack even the question. A run that
 * ends without a word can mean that the gateway has queued the message, and answers it in another run.
 */
function ended(o: Sent, state: ChatFrame["state"], came: string, messages: readonly SessionMessage[]): Sent[] {
  if (has(messages, o)) return [];
  if (state === "final") return came.trim() ? [] : [o];
  return [{ ...o, [state === "aborted" ? "stopped" : "unkept"]: true }];
}

/** What is left of an answer that was stopped. */
export type Part = "none" | "kept" | "lost";

/** What the history has of an answer that was stopped. */
function partOf(messages: readonly SessionMessage[], came: string): Part {
  const last = messages.at(-1);
  if (!came.trim()) return "none";
  return last?.role === "assistant" && textOf(last).trim().startsWith(came.trim().slice(0, 40)) ? "kept" : "lost";
}

/** What is left of a session's run once it has ended and the history is read. Its text is all that came of it. */
export const afterRun = (c: Chat, { runId, state, text = "" }: ChatFrame): Partial<Chat> => ({
  ...(c.run?.runId === runId
    ? { run: undefined, sent: c.sent.flatMap((o) => (o.runId === runId ? ended(o, state, text, c.messages) : [o])) }
    : {}),
  ...(c.ended?.state === "aborted" && state === "aborted"
    ? { ended: { ...c.ended, part: partOf(c.messages, text) } }
    : {}),
});
