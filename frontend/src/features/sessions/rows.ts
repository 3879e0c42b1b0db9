import type { Chat, Run } from "@/stores/sessions";
import type { Broken } from "@/stores/sessionBroken";
import { isOpen, textOf, type Part, type Sent } from "@/stores/sessionSent";
import type { Session, SessionMessage } from "@/topology";

/** One line of what is shown of a session. */
export type Row = {
  key: string;
  /** The gateway has more before it, and does not give it. */ cut?: boolean;
  day?: string;
  fresh?: boolean;
  message?: SessionMessage;
  /** The message is about an answer that failed, and the note below the session is about a later one. */
  failed?: boolean;
  /** The message was stopped, and the note below the session is about a later one. */
  stopped?: boolean;
  sent?: Sent;
  run?: Run;
  broken?: Broken;
  /** The question of a last answer that broke off, where the gateway has it. */ again?: string;
};

/** How the built-in gateway ends an answer that reached the token limit. */
const cutOff = "⚠ The answer reached the token limit and is cut off.";

/** The text of an answer, and whether it was cut off at the token limit. */
export function uncut(text: string): { text: string; cutOff: boolean } {
  return text.endsWith(cutOff)
    ? { text: text.slice(0, -cutOff.length).trimEnd(), cutOff: true }
    : { text, cutOff: false };
}

/** How the built-in gateway begins the reason why there is no answer, after what had come of one. */
const reason = "⚠ ";

/** What had come of an answer that failed, and the gateway's own words about why. */
export function unfailed(m: SessionMessage): { text: string; own: string } {
  const text = textOf(m),
    at = m.cause ? text.lastIndexOf(reason) : -1;
  return at < 0 ? { text, own: "" } : { text: text.slice(0, at).trimEnd(), own: text.slice(at + reason.length) };
}

export type Failure = { cause?: SessionMessage["cause"]; own: string };

/** Why the last question has no answer, also after a reload. */
export function failureOf(c: Chat): Failure | undefined {
  const last = goesOn(c) ? undefined : c.messages.at(-1);
  if (last?.cause) return { cause: last.cause, own: unfailed(last).own };
  const { state, cause, error = "" } = c.ended ?? {};
  return state === "error" ? { cause, own: saysError(c, error) ? "" : error.replace(reason, "") } : undefined;
}

/** The messages without the questions that were sent again because their answers had failed. */
function withoutRetried({ messages, sent }: Chat): SessionMessage[] {
  const asks = messages.flatMap((m, i) => (m.role === "user" ? [{ i, text: textOf(m).trim() }] : [])),
    again = new Set<number>();
  for (const [n, { i, text }] of asks.entries()) {
    const next = asks[n + 1];
    if (!messages[i + 1]?.cause || (next && next.i !== i + 2)) continue;
    if (next ? next.text === text : i + 2 === messages.length && sent.some((o) => o.text.trim() === text))
      again.add(i).add(i + 1);
  }
  return messages.filter((_, i) => !again.has(i));
}

/** What the note below a session says of a last answer that was stopped, also after a reload. */
export const stoppedPart = (c: Chat): Part | undefined =>
  c.ended?.part ?? (goesOn(c) || !c.messages.at(-1)?.stopped ? undefined : "kept");
const goesOn = (c: Chat) => c.run !== undefined || c.sent.length > 0;

/** Whether the last message says the error already. */
export const saysError = (c: Chat, error: string | undefined) =>
  !!error && !!c.messages.at(-1)?.content.some((p) => p.text?.includes(error));

const dayOf = (at: string) => {
  const d = new Date(at);
  return `${d.getFullYear()}-${d.getMonth()}-${d.getDate()}`;
};

const timeOf = (r: Row) => Date.parse(r.message?.timestamp ?? r.sent?.at ?? r.broken?.at ?? "");

/**
 * The last message for the list of sessions. A gateway's list can lack what was just sent. Kept is what the hub knows
 * of, where the session was not opened.
 */
export function lastSaid(
  s: Session,
  c: Chat | undefined,
  kept: Sent | undefined,
  say: (m: SessionMessage) => string = textOf,
): string {
  const said = c?.messages.at(-1), // of a fork the gateway's list has none
    sent = c?.sent.at(-1) ?? (c?.status === "ready" ? undefined : kept);
  if (sent && c?.status === "ready" && (isOpen(sent) || !said || sent.at > (said.timestamp ?? ""))) return sent.text;
  const listed = s.lastMessages.at(-1);
  return (listed && say(listed)) || (said && say(said)) || sent?.text || "";
}

/** What is shown of a session, in order. New is what came between what was read and when the person looked. Gateways give messages no ids, so a key is who said it when, and the how-manieth of those. */
export function rowsOf(c: Chat, read: string | undefined, until = "9"): Row[] {
  const times = new Map<string, number>();
  let day = "",
    marked = false;
  const rows: Row[] = c.cut ? [{ key: "cut", cut: true }] : [],
    messages = withoutRetried(c);
  rows.push(
    ...messages.map((message, i): Row => {
      const who = `${message.role}:${message.timestamp ?? ""}`,
        n = times.get(who) ?? 0;
      times.set(who, n + 1);
      const at = message.timestamp,
        before = day;
      if (at) day = dayOf(at);
      const fresh = !marked && read !== undefined && !!at && at > read && at <= until && message.role !== "user";
      marked ||= fresh;
      return {
        key: `${who}:${n}`,
        message,
        day: at && day !== before ? at : undefined,
        fresh: fresh || undefined,
        stopped: (message.stopped && (i < messages.length - 1 || goesOn(c))) || undefined,
        failed: (message.cause && (i < messages.length - 1 || goesOn(c))) || undefined,
      };
    }),
  );
  const place = (row: Row, later: (r: Row) => boolean) => {
    const next = rows.findIndex(later);
    if (next < 0) rows.push(row);
    else rows.splice(next, 0, row);
  };
  for (const sent of c.sent) {
    const since = Math.max(Date.parse(sent.at), Date.parse(sent.after ?? sent.at)),
      onItsWay = !sent.unkept && !sent.stopped && !sent.error;
    // What waits behind an answer comes after it, and before what was said later.
    place({ key: `sent:${sent.key}`, sent }, (r) => (!onItsWay || r.message?.role === "user") && timeOf(r) > since);
  }
  for (const broken of c.broken ?? []) {
    const { runId } = broken,
      asked = c.sent.some((o) => (o.runId ?? o.key) === runId);
    if (broken.text || (broken.sure && !asked))
      place({ key: `broken:${runId}`, broken }, (r) => timeOf(r) > Date.parse(broken.at));
  }
  const last = rows.at(-1),
    own = rows.findLast((r) => r.sent || r.message?.role === "user");
  if (last?.broken?.sure && own?.message && !c.run) last.again = textOf(own.message);
  if (c.run) rows.push({ key: `run:${c.run.runId}`, run: c.run });
  return rows;
}
