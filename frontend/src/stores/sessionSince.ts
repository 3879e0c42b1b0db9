import type { Session } from "../topology";
import type { Chat, Run } from "./sessionTypes";

/**
 * When the answer that is coming was asked for, in ms. A page that is loaded meanwhile has heard of it only later: then
 * the message of the person tells, or the gateway, as far as they are known.
 */
export function askedSince(
  run: Run,
  { sent, messages }: Pick<Chat, "sent" | "messages">,
  info: Pick<Session, "running" | "startedAt"> | undefined,
): number {
  const last = messages.at(-1),
    known =
      sent.find((o) => o.runId === run.runId)?.at ??
      (last?.role === "user" ? last.timestamp : undefined) ??
      (info?.running ? info.startedAt : undefined),
    at = Date.parse(known ?? "");
  return at < run.since ? at : run.since; // a gateway's clock can be ahead
}
