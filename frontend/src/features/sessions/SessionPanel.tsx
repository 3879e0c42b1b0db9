import { ArrowLeft, Ellipsis, Square, Unplug, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { composerWords } from "@/i18n/chat";
import { formatCost, formatDateTime, formatDayHeading } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { keepDraft, keepRead, useDesk } from "@/stores/desk";
import { attempt } from "@/stores/faults";
import { goTo } from "@/stores/routes";
import { useAway } from "@/stores/gateways";
import { useTeam } from "@/stores/team";
import { useActing, useSessionActs } from "@/stores/sessionActs";
import { readIn, sessionPlace, watchSession } from "@/stores/sessionNews";
import { askedSince } from "@/stores/sessionSince";
import { mostMessages, type Chat, type GatewayView } from "@/stores/sessions";
import {
  Avatar,
  Banner,
  Button,
  EmptyState,
  ErrorState,
  IconButton,
  KeysAhead,
  Menu,
  Skeleton,
  StatusBadge,
  typedOn,
  usePageVisible,
  writesNowhere,
} from "@/ui";
import { Composer, Divider, MessageList, type ListHandle } from "@/ui/chat";
import { useAgentFaces, useTeamAt } from "./faces";
import { BrokenOff, Coming, Leaving, NoAnswer, Said } from "./lines";
import { ownName } from "./SessionList";
import { useSessionMenu } from "./SessionMenu";
import { failureOf, rowsOf, stoppedPart, type Row } from "./rows";

type Props = {
  gateway: string;
  view: GatewayView;
  sessionKey: string;
  phone: boolean;
  focus: boolean;
  onOpen: (key: string) => void;
  onClose: () => void;
};
const none: Chat = { status: "loading", messages: [], older: false, busy: false, sent: [] };

/** One session: what was said in it, what is being answered, and where to go on. */
export function SessionPanel({ gateway, view, sessionKey, phone, focus, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  const chat = view.use((s) => s.chats[sessionKey]) ?? none,
    link = view.use((s) => s.link),
    info = view.use((s) => s.list.find((x) => x.sessionKey === sessionKey));
  const agent = info?.agentId || (/^agent:([^:]+):/.exec(sessionKey)?.[1] ?? sessionKey),
    who = useAgentFaces(gateway)(agent),
    at = useTeamAt(gateway),
    absent = at.known && !info && !at.team.agents.some((a) => a.id === agent),
    drawn = useTeam((s) => s.gateway === gateway && s.topology.agents.some((a) => a.id === agent));
  const place = sessionPlace(gateway, sessionKey),
    known = useDesk((d) => d.known);
  const list = useRef<ListHandle>(null);
  const [ahead, setAhead] = useState("");
  const [stopping, setStopping] = useState(false),
    [atEnd, setAtEnd] = useState(false),
    seen = usePageVisible();
  const [tries, setTries] = useState(0);
  useEffect(() => view.open(sessionKey), [view, sessionKey, tries]);
  const away = useAway(gateway),
    answering = chat.run !== undefined || info?.running === true,
    running = answering && !away;
  const several = view.use((s) => s.list.filter((x) => x.agentId === agent).length > 1),
    own = ownName({ sessionKey, agentId: agent }),
    called = several ? `${who.name} · ${own}` : who.name;
  const { items, dialog } = useSessionMenu({ gateway, view, sessionKey, name: who.name, called, running, onOpen }),
    stops = useSessionActs(gateway).includes("stop"),
    acting = useActing((s) => s[place]);

  const newest = chat.messages.reduce(
    (a, m) => (m.timestamp && m.timestamp > a ? m.timestamp : a),
    info?.activeAt ?? "",
  );
  useEffect(() => {
    if (atEnd && seen && newest) keepRead(place, newest);
  }, [atEnd, seen, newest, place]);
  useEffect(() => (atEnd && seen ? watchSession(gateway, sessionKey) : undefined), [atEnd, seen, gateway, sessionKey]);

  const stop = async () => {
    setStopping(true);
    await attempt("stop", () => view.stop(sessionKey));
    setStopping(false);
  };
  return (
    <section className="sessions-panel" aria-label={called}>
      <header className="head">
        {phone && <IconButton icon={ArrowLeft} label={t("sessions.back")} onClick={onClose} />}
        <Avatar size="sm" initials={who.initials} color={who.color} />
        <h2 className="cut" title={sessionKey}>
          <bdi>{who.name}</bdi>
        </h2>
        {several && <span className="mono cap cut">{own}</span>}
        {running && (
          <StatusBadge status="running">
            {chat.run ? <Elapsed since={askedSince(chat.run, chat, info)} /> : t("sessions.running")}
          </StatusBadge>
        )}
        {info?.model && !running && (
          <span className="cap mono cut">{info.model.slice(info.model.indexOf("/") + 1)}</span>
        )}
        {acting && (
          <span className="cap cut" role="status">
            {t(`sessions.act.doing.${acting}`)}
          </span>
        )}
        <span className="grow" />
        {running && stops && (
          <Button size={phone ? undefined : "sm"} icon={Square} busy={stopping} onClick={() => void stop()}>
            {t("sessions.stop")}
          </Button>
        )}
        {items.length > 0 && (
          <Menu
            align="end"
            trigger={<IconButton icon={Ellipsis} label={t("sessions.act.menu", { name: called })} />}
            items={items}
          />
        )}
        {dialog}
        {!phone && <IconButton icon={X} label={t("sessions.close", { name: called })} onClick={onClose} />}
      </header>
      {link === "lost" && (
        <Banner tone="waiting" icon={Unplug}>
          {t("sessions.lost")}
        </Banner>
      )}
      {link !== "lost" && away && (
        <Banner tone="waiting" icon={Unplug}>
          {t(answering ? "sessions.awayRunning" : "sessions.away", { name: gatewayName(t, gateway) })}
        </Banner>
      )}
      {chat.status === "loading" || !known ? (
        <div className="grow">
          {focus && !phone && <KeysAhead only={writesNowhere} onKey={(e) => setAhead((had) => typedOn(had, e))} />}
          <Skeleton lines={8} label={t("common.loading")} />
        </div>
      ) : chat.status === "failed" && chat.error ? (
        <div className="grow pad">
          <ErrorState
            title={t("sessions.failed")}
            actions={
              <Button size="sm" onClick={() => setTries((n) => n + 1)}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, chat.error)}
          </ErrorState>
        </div>
      ) : absent ? (
        <div className="grid flex-1 place-items-center">
          <EmptyState
            title={t("sessions.absent", { name: who.name })}
            action={
              drawn && (
                <Button size="sm" onClick={() => goTo("review")}>
                  {t("sessions.absentReview")}
                </Button>
              )
            }
          >
            {t(drawn ? "sessions.absentWhy" : "sessions.absentElsewhere")}
          </EmptyState>
        </div>
      ) : (
        <Open
          ref={list}
          {...{ view, gateway, sessionKey, agent, place, chat, away, focus, phone, ahead, onEnd: setAtEnd }}
          tokens={info?.totalTokens}
          cost={info?.costUsd}
        />
      )}
    </section>
  );
}

type OpenProps = {
  ref: React.RefObject<ListHandle | null>;
  view: GatewayView;
  gateway: string;
  sessionKey: string;
  agent: string;
  place: string;
  chat: Chat;
  /** There is no connection to the gateway. */ away: boolean;
  focus: boolean;
  phone: boolean;
  /** Typed before the box was there. */ ahead: string;
  tokens?: number;
  cost?: number;
  onEnd: (at: boolean) => void;
};

function Open({
  ref,
  view,
  gateway,
  sessionKey,
  agent,
  place,
  chat,
  away,
  focus,
  phone,
  ahead,
  tokens,
  cost,
  onEnd,
}: OpenProps) {
  const { t } = useTranslation();
  const who = useAgentFaces(gateway)(agent);
  const [begun] = useState(() => ({
    draft: (useDesk.getState().places[place]?.draft ?? "") + ahead,
  }));
  const looking = () => ({ read: readIn(gateway, sessionKey), until: new Date().toISOString() }),
    [looks, setLooks] = useState(looking);
  useEffect(() => {
    if (ahead) keepDraft(place, begun.draft);
  }, [ahead, place, begun]);
  // What comes while the person looks is not new to them.
  useEffect(() => {
    const see = () =>
      setLooks((l) => (document.hidden ? { ...looking(), until: "9" } : { ...l, until: looking().until }));
    document.addEventListener("visibilitychange", see);
    return () => document.removeEventListener("visibilitychange", see);
  });
  const rows = useMemo(() => rowsOf(chat, looks.read, looks.until), [chat, looks]);
  const older = useMemo(
    () => ({ more: chat.older, busy: chat.busy, load: () => view.older(sessionKey) }),
    [chat.older, chat.busy, view, sessionKey],
  );
  const draw = useCallback(
    (row: Row) => (
      <div key={row.key} data-row={row.key}>
        {row.cut && <Divider>{t("sessions.cut", { count: mostMessages })}</Divider>}
        {row.day && (
          <Divider>
            <span title={formatDateTime(row.day)}>{formatDayHeading(row.day)}</span>
          </Divider>
        )}
        {row.fresh && <Divider fresh>{t("chat.newMessages")}</Divider>}
        {row.message && <Said m={row.message} who={who} stopped={row.stopped} failed={row.failed} />}
        {row.sent && (
          <Leaving
            sent={row.sent}
            onRetry={() => view.retry(sessionKey, row.sent?.key ?? "")}
            onDiscard={() => view.discard(sessionKey, row.sent?.key ?? "")}
          />
        )}
        {row.broken && (
          <BrokenOff
            broken={row.broken}
            who={who}
            onAgain={row.again ? () => view.send(sessionKey, row.again ?? "") : undefined}
            onDiscard={() => view.forget(sessionKey, row.broken?.runId ?? "")}
          />
        )}
        {row.run && <Coming run={row.run} who={who} away={away} />}
      </div>
    ),
    [t, who, view, sessionKey, away],
  );
  const asked = chat.messages
    .findLast((m) => m.role === "user")
    ?.content.map((p) => p.text ?? "")
    .join("\n\n");
  const part = stoppedPart(chat),
    failure = failureOf(chat),
    ended = part && t(`sessions.stopped.${part}`);
  const again = asked && (
    <Button size="sm" onClick={() => view.send(sessionKey, asked)}>
      {t("sessions.tryAgain")}
    </Button>
  );
  return (
    <>
      {rows.length ? (
        <MessageList
          ref={ref}
          label={t("sessions.messages", { name: who.name })}
          rows={rows}
          older={older}
          startAt={rows.find((r) => r.fresh)?.key}
          onEnd={onEnd}
        >
          {draw}
        </MessageList>
      ) : (
        <div className="grid flex-1 place-items-center">
          <EmptyState title={t("sessions.nothingSaid")}>{t("sessions.begin", { name: who.name })}</EmptyState>
        </div>
      )}
      {ended && (
        <div className="row px-3 pb-2">
          <p className="cap" role="status">
            {ended}
          </p>
          {!chat.run && again}
        </div>
      )}
      {failure && <NoAnswer failure={failure} again={again} />}
      <Composer
        label={t("sessions.write", { name: who.name })}
        placeholder={t("sessions.write", { name: who.name })}
        draft={begun.draft}
        onDraft={(text) => keepDraft(place, text)}
        words={composerWords(t)}
        autoFocus={focus && !phone}
        end={
          tokens ? (
            <span className="cap num">
              {t("sessions.tokens", { n: tokens })}
              {!!cost && ` · ${formatCost(cost)}`}
            </span>
          ) : undefined
        }
        onSend={(text) => {
          view.send(sessionKey, text);
          ref.current?.toEnd();
        }}
      />
    </>
  );
}

/** Minutes and seconds since it began. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const s = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span className="num">
      {Math.floor(s / 60)}:{String(s % 60).padStart(2, "0")}
    </span>
  );
}
