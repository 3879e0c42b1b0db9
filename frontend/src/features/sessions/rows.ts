import type { Chat, Run } from "@/stores/sessions";
import type { Part } from "@/stores/sessionSent";
import type { Sent } from "@/stores/sessionSent";
import type { SessionMessage } from "@/topology";

/** One line of what is shown of a session. */
export type Row = {
  key: string;
  /** The gateway has more before it, and does not give it. */ cut?: boolean;
  day?: string;
  fresh?: boolean;
  message?: SessionMessage;
  /** The message was stopped, and the note below the session is about a later one. */
  stopped?: boolean;
  sent?: Sent;
  run?: Run;
};

/** How the built-in gateway ends an answer that reached the token limit. */
const cutOff = "⚠ The answer reached the token limit and is cut off.";

/** The text of an answer, and whether it was cut off at the token limit. */
export function uncut(text: string): { text: string; cutOff: boolean } {
  return text.endsWith(cutOff)
    ? { text: text.slice(0, -cutOff.length).trimEnd(), cutOff: true }
    : { text, cutOff: false };
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

/** What is shown of a session, in order. New is what came between what was read and when the person looked. Gateways give messages no ids, so a key is who said it when, and the how-manieth of those. */
export function rowsOf(c: Chat, read: string | undefined, until = "9"): Row[] {
  const times = new Map<string, number>();
  let day = "",
    marked = false;
  const rows: Row[] = c.cut ? [{ key: "cut", cut: true }] : [];
  rows.push(
    ...c.messages.map((message, i): Row => {
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
        stopped: (message.stopped && (i < c.messages.length - 1 || goesOn(c))) || undefined,
      };
    }),
  );
  for (const sent of c.sent) {
    const row = { key: `sent:${sent.key}`, sent },
      next = sent.unkept ? rows.findIndex((r) => (r.message?.timestamp ?? "") > sent.at) : -1;
    if (next < 0) rows.push(row);
    else rows.splice(next, 0, row);
  }
  if (c.run) rows.push({ key: `run:${c.run.runId}`, run: c.run });
  return rows;
}
