import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { causeText } from "@/i18n/cause";
import { errorMeaning } from "@/i18n/problem";
import type { Broken } from "@/stores/sessionBroken";
import type { Run } from "@/stores/sessions";
import type { Sent } from "@/stores/sessionSent";
import type { SessionMessage, SessionPart } from "@/topology";
import { ErrorState, OwnWords } from "@/ui";
import { Message, ToolCall, type Who } from "@/ui/chat";
import { commandEnd } from "@/i18n/commandEnd";
import { uncut, unfailed, type Failure } from "./rows";

const you = (name: string): Who => ({ name, initials: [...name][0]?.toUpperCase() ?? "?", color: 0 });

/** What was said, with what was done for it folded between. */
export function Said({
  m,
  who,
  stopped,
  failed,
}: {
  m: SessionMessage;
  who: Who;
  stopped?: boolean;
  failed?: boolean;
}) {
  const { t } = useTranslation();
  const mine = m.role === "user",
    gateway: Who = { name: t("sessions.system"), initials: "⚙", color: 0 },
    speaker = mine ? you(t("common.you")) : m.role === "system" ? gateway : who;
  const came = m.cause && unfailed(m);
  const { text, cutOff } = uncut(
    came?.text ??
      m.content
        .filter((p) => p.type === "text")
        .map((p) => p.text ?? "")
        .join("\n\n"),
  );
  const tools = m.content.filter((p) => p.type === "tool"),
    other = m.content.filter((p) => !["text", "tool", "thinking"].includes(p.type));
  if (!text && !tools.length && !other.length && !failed) return null;
  return (
    <Message
      who={speaker}
      at={m.timestamp}
      text={text}
      mine={mine}
      before={tools.length ? tools.map((p, i) => <Tool key={i} part={p} />) : undefined}
    >
      {cutOff && <span className="cap">{t("sessions.cutOff")}</span>}
      {stopped && <span className="cap">{t("sessions.stopped.kept")}</span>}
      {failed && (
        <span className="cap">
          {t("common.sentences", { a: t("sessions.answerFailed"), b: causeText(t, m.cause, came?.own ?? "") })}
        </span>
      )}
      {other.length > 0 && (
        <span className="cap">
          {t("sessions.notShown", { what: [...new Set(other.map((p) => p.type))].join(", ") })}
        </span>
      )}
    </Message>
  );
}

function Tool({ part: { name, input, output, failed } }: { part: SessionPart }) {
  const { t } = useTranslation();
  const why = commandEnd(t, name, output);
  return (
    <ToolCall
      name={name || t("sessions.tool")}
      input={input}
      output={output}
      state={failed || why ? "failed" : output ? "ok" : undefined}
      why={why}
    />
  );
}

export function Leaving({ sent, onRetry, onDiscard }: { sent: Sent; onRetry: () => void; onDiscard: () => void }) {
  const { t } = useTranslation();
  return (
    <Message who={you(t("common.you"))} at={sent.at} text={sent.text} mine>
      {sent.error ? (
        <span className="msg-state text-failed" role="alert">
          {t("common.sentences", { a: t("chat.notSent"), b: errorMeaning(t, sent.error) })}
          <button type="button" className="link" onClick={onRetry}>
            {t("chat.sendAgain")}
          </button>
          <button type="button" className="link" onClick={onDiscard}>
            {t("chat.discard")}
          </button>
        </span>
      ) : sent.unkept ? (
        <span className="msg-state">
          {t("sessions.unkept")}
          <button type="button" className="link" onClick={onRetry}>
            {t("chat.sendAgain")}
          </button>
          <button type="button" className="link" onClick={onDiscard}>
            {t("chat.discard")}
          </button>
        </span>
      ) : (
        !sent.runId && (
          <span className="msg-state" role="status">
            {t("chat.sending")}
          </span>
        )
      )}
    </Message>
  );
}

/** What came of an answer before the connection to the gateway was lost. */
export function BrokenOff({
  broken: { text, at, sure },
  who,
  onAgain,
  onDiscard,
}: {
  broken: Broken;
  who: Who;
  onAgain?: () => void;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Message who={who} at={at} text={text}>
      {!sure && <span className="msg-state">{t("sessions.broken.waits")}</span>}
      {sure && (
        <span className="msg-state">
          {t(text ? "sessions.broken.part" : "sessions.broken.none")}
          {onAgain && (
            <button type="button" className="link" onClick={onAgain}>
              {t("sessions.tryAgain")}
            </button>
          )}
          <button type="button" className="link" onClick={onDiscard}>
            {t("chat.discard")}
          </button>
        </span>
      )}
    </Message>
  );
}

/** Why there is no answer, and the gateway's own words below it. */
export function NoAnswer({ failure: { cause, own }, again }: { failure: Failure; again: ReactNode }) {
  const { t } = useTranslation();
  const told = causeText(t, cause, own);
  return (
    <div className="px-3 pb-2">
      <ErrorState title={t("sessions.answerFailed")} actions={again}>
        {told}
        {own && told !== own && <OwnWords summary={t("models.details")} text={own} />}
      </ErrorState>
    </div>
  );
}

/** The answer while it comes. While its gateway is away, nothing of it can. */
export function Coming({ run, who, away }: { run: Run; who: Who; away: boolean }) {
  const { t } = useTranslation();
  return (
    <Message
      who={who}
      text={run.text}
      live={!away}
      note={
        run.text || away ? undefined : (
          <span className="cap" role="status">
            {t("sessions.thinks")}
          </span>
        )
      }
    />
  );
}
