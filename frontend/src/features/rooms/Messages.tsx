import { useCallback, useEffect, useMemo, useRef, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatDayHeading } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { HUB_NAME, isStopped, type Outgoing, type RoomView } from "@/stores/conversation";
import type { RoomMessage } from "@/topology";
import { Badge, OwnWords, usePageVisible } from "@/ui";
import { Divider, Message, MessageList, Passing, ToolCall, type ListHandle } from "@/ui/chat";
import type { People } from "./faces";
import { rowsOf, type Row } from "./rows";
import { told } from "./told";

type Props = {
  ref?: Ref<ListHandle>;
  room: string;
  me: string;
  view: RoomView;
  people: People;
  mentions: readonly string[];
  read: number;
  found?: string;
  onSeen: (id: number) => void;
};

/** What was said, from where it is loaded to the newest. */
export function Messages({ ref, room, me, view, people, mentions, read, found, onSeen }: Props) {
  const { t } = useTranslation();
  const { messages, outbox, growing, older, newer, busy, unloaded, link } = view.use();
  const rows = useMemo(
    () => rowsOf({ messages, outbox, growing: newer ? [] : growing, whole: !older, read, me }),
    [messages, outbox, growing, newer, older, read, me],
  );
  const [atEnd, setAtEnd] = useState(false),
    seen = usePageVisible();
  const last = newer ? undefined : messages.at(-1)?.id;
  const see = useRef(onSeen);
  useEffect(() => {
    see.current = onSeen;
  }, [onSeen]);

  // What is at the end of an open page has been read.
  useEffect(() => {
    if (atEnd && seen && last !== undefined) see.current(last);
  }, [atEnd, seen, last]);

  const edges = useMemo(
    () => ({
      older: { more: older, busy: busy === "older", load: view.loadOlder },
      newer: newer ? { more: true, busy: busy === "newer", load: view.loadNewer } : undefined,
    }),
    [older, newer, busy, view],
  );
  const draw = useCallback(
    (row: Row) => (
      <div key={row.key} data-row={row.key}>
        {row.start && <Divider>{t("rooms.start")}</Divider>}
        {row.day && <Divider>{formatDayHeading(row.day)}</Divider>}
        {row.fresh && <Divider fresh>{t("chat.newMessages")}</Divider>}
        {row.message && <Said m={row.message} me={me} people={people} mentions={mentions} found={row.key === found} />}
        {row.grows && <Message who={people.who(row.grows.agent)} text={row.grows.text} live mentions={mentions} />}
        {row.out && <Leaving out={row.out} me={me} people={people} view={view} lost={link === "lost"} />}
      </div>
    ),
    [t, me, people, mentions, found, view, link],
  );
  return (
    <MessageList
      ref={ref}
      label={t("rooms.messages", { room })}
      rows={rows}
      older={edges.older}
      newer={edges.newer}
      unloaded={unloaded}
      startAt={rows.find((r) => r.fresh)?.key}
      onEnd={setAtEnd}
      onNewest={view.toNewest}
    >
      {draw}
    </MessageList>
  );
}

type SaidProps = { m: RoomMessage; me: string; people: People; mentions: readonly string[]; found: boolean };

function Said({ m, me, people, mentions, found }: SaidProps) {
  const { t } = useTranslation();
  const { text, own, tool } = useMemo(() => told(t, m), [t, m]);
  if (tool)
    return (
      <Passing id={String(m.id)} who={people.who(m.sender)} found={found}>
        <ToolCall
          by={people.who(m.sender).name}
          at={m.timestamp}
          name={tool.name}
          input={tool.input}
          output={tool.output}
          state={tool.failed ? "failed" : "ok"}
          why={tool.why}
          open={found}
        />
      </Passing>
    );
  const fromHub = m.cause || m.sender === HUB_NAME; // agents and people can send system messages, too
  if (m.type === "system" && fromHub && !own && text.length <= 160 && !text.includes("\n"))
    return (
      <div data-message={m.id}>
        <Divider found={found}>{text}</Divider>
      </div>
    );
  return (
    <Message
      id={String(m.id)}
      who={people.who(m.sender)}
      at={m.timestamp}
      text={text}
      mine={m.sender === me}
      found={found}
      mentions={mentions}
      note={m.type === "command" ? <Badge>{t("rooms.command")}</Badge> : undefined}
    >
      {isStopped(m) && <span className="cap">{t("sessions.stopped.kept")}</span>}
      {own && <OwnWords summary={t("models.details")} text={own} />}
    </Message>
  );
}

function Leaving({
  out,
  me,
  people,
  view,
  lost,
}: {
  out: Outgoing;
  me: string;
  people: People;
  view: RoomView;
  lost: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Message who={people.who(me)} at={out.at} text={out.text} mine>
      {out.error ? (
        <span className="msg-state text-failed" role="alert">
          {t("common.sentences", { a: t("chat.notSent"), b: errorMeaning(t, out.error) })}
          <button type="button" className="link" onClick={() => view.retry(out.clientId)}>
            {t("chat.sendAgain")}
          </button>
          <button type="button" className="link" onClick={() => view.discard(out.clientId)}>
            {t("chat.discard")}
          </button>
        </span>
      ) : (
        <span className="msg-state" role="status">
          {lost ? t("chat.waitingLink") : t("chat.sending")}
        </span>
      )}
    </Message>
  );
}
