import { Search, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { causeText } from "@/i18n/cause";
import { daysAgo, formatDateTime, formatShortDay, formatTime } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useAway, useGateways } from "@/stores/gateways";
import { useLastKept } from "@/stores/sessionKept";
import { textOf, type Sent } from "@/stores/sessionSent";
import { sessionPlace, useSessionNews } from "@/stores/sessionNews";
import type { Chat, GatewayView } from "@/stores/sessions";
import type { Session, SessionMessage } from "@/topology";
import {
  Avatar,
  Button,
  ContextMenu,
  EmptyState,
  ErrorState,
  Input,
  ListRow,
  matches,
  MenuAt,
  Panel,
  PanelHead,
  Select,
  Skeleton,
  UnreadCount,
} from "@/ui";
import { plainText } from "@/ui/chat";
import { useAgentFaces } from "./faces";
import { lastSaid, unfailed } from "./rows";
import { NewSession } from "./NewSession";
import { NoSessions } from "./NoSessions";
import { useSessionMenu } from "./SessionMenu";

type Props = {
  gateway: string;
  view: GatewayView;
  open: readonly string[];
  phone: boolean;
  onOpen: (key: string) => void;
  onGateway: (name: string) => void;
};

/** The gateway's sessions: those that are open first, then by their last message. */
export function SessionList({ gateway, view, open, phone, onOpen, onGateway }: Props) {
  const { t } = useTranslation();
  const { status, list, error } = view.use();
  const gateways = useGateways(),
    who = useAgentFaces(gateway);
  const said = useSaid(),
    [query, setQuery] = useState("");
  const hits = list
    .filter(
      (s) =>
        !query ||
        matches(
          `${who(s.agentId).name} ${s.agentId} ${s.title ?? ""} ${inShort(said(s, undefined, undefined))}`,
          query,
        ),
    )
    .sort((a, b) => (b.activeAt ?? "").localeCompare(a.activeAt ?? ""));
  const opened = hits.filter((s) => open.includes(s.sessionKey)),
    others = hits.filter((s) => !open.includes(s.sessionKey));
  const lines = (rows: Session[]) =>
    rows.map((s) => (
      <Line
        key={s.sessionKey}
        gateway={gateway}
        view={view}
        session={s}
        current={open.includes(s.sessionKey)}
        several={list.filter((x) => x.agentId === s.agentId).length > 1}
        onOpen={onOpen}
      />
    ));
  return (
    <Panel kind="list" label={t("sessions.list")} className={phone ? "w-full" : "sessions-list"}>
      {!phone && (
        <PanelHead>
          <h1>{t("sessions.title")}</h1>
          <span className="grow" />
          <NewSession gateway={gateway} list={list} onOpen={onOpen} />
        </PanelHead>
      )}
      <div className="pad col gap-2 pb-0">
        {gateways.length > 1 && (
          <Select
            label={t("sessions.gateway")}
            value={gateway}
            onValue={onGateway}
            options={gateways.map((g) => ({ value: g.name, label: gatewayName(t, g.name) }))}
          />
        )}
        <div className="row">
          <Input
            icon={Search}
            value={query}
            onText={setQuery}
            placeholder={t("sessions.find")}
            aria-label={t("sessions.find")}
          />
          {phone && <NewSession gateway={gateway} list={list} onOpen={onOpen} />}
        </div>
      </div>
      <div className="scroll rows" tabIndex={-1}>
        {status === "loading" && <Skeleton lines={6} label={t("common.loading")} />}
        {status === "failed" && error && (
          <ErrorState
            title={t("sessions.listFailed")}
            actions={
              <Button size="sm" onClick={view.reload}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        )}
        {phone && status === "ready" && !list.length && (
          <NoSessions gateway={gateway} onOpen={onOpen} onGateway={onGateway} />
        )}
        {status === "ready" && list.length > 0 && !hits.length && (
          <EmptyState icon={SearchX} title={t("sessions.nothing")} />
        )}
        {opened.length > 0 && <div className="label">{t("sessions.open")}</div>}
        {lines(opened)}
        {opened.length > 0 && others.length > 0 && <div className="label">{t("sessions.recent")}</div>}
        {lines(others)}
      </div>
    </Panel>
  );
}

const inShort = (text: string) => plainText(text).slice(0, 120);
/** The last message of a session; of an answer that failed, why. */
function useSaid() {
  const { t } = useTranslation();
  const say = (m: SessionMessage) => (m.cause ? causeText(t, m.cause, unfailed(m).own) : textOf(m));
  return (s: Session, ...known: [Chat | undefined, Sent | undefined]) => lastSaid(s, ...known, say);
}
/** The part of a session's key that is its own. */
export const ownName = (s: Pick<Session, "sessionKey" | "agentId">) =>
  s.sessionKey.replace(`agent:${s.agentId}:`, "").replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}$/, "$1");

function Line({
  gateway,
  view,
  session: s,
  current,
  several,
  onOpen,
}: {
  gateway: string;
  view: GatewayView;
  session: Session;
  current: boolean;
  several: boolean;
  onOpen: (key: string) => void;
}) {
  const { t } = useTranslation();
  const who = useAgentFaces(gateway)(s.agentId);
  const unread = useSessionNews((n) => n[sessionPlace(gateway, s.sessionKey)] ?? 0);
  const chat = view.use((v) => v.chats[s.sessionKey]),
    kept = useLastKept(gateway, s.sessionKey);
  const away = useAway(gateway),
    said = useSaid(),
    running = !away && (s.running === true || chat?.run !== undefined),
    called = several ? `${who.name} · ${ownName(s)}` : who.name,
    { items, dialog } = useSessionMenu({
      gateway,
      view,
      sessionKey: s.sessionKey,
      name: who.name,
      called,
      running,
      onOpen,
    });
  const line = (
    <ListRow
      current={current}
      onClick={() => onOpen(s.sessionKey)}
      titleText={s.title ? `${who.name}: ${s.title}` : s.sessionKey}
      lead={
        <span className="sessions-face">
          <Avatar initials={who.initials} color={who.color} />
          {running && <i className="dot s-running" aria-hidden />}
        </span>
      }
      title={
        <span className="row gap-1">
          <b className={several ? "cut max-w-3/5 flex-none" : "cut"}>
            <bdi>{who.name}</bdi>
          </b>
          {several && <span className="mono cap cut">{ownName(s)}</span>}
        </span>
      }
      caption={
        s.running && !away ? (
          <span className="text-running">{t("sessions.running")}</span>
        ) : (
          <bdi>{inShort(said(s, chat, kept)) || t("sessions.nothingSaid")}</bdi>
        )
      }
      when={
        s.activeAt && (
          <time className="cap" dateTime={s.activeAt} title={formatDateTime(s.activeAt)}>
            {daysAgo(s.activeAt) ? formatShortDay(s.activeAt) : formatTime(s.activeAt)}
          </time>
        )
      }
      count={unread > 0 && <UnreadCount n={unread} text={t("sessions.unread", { count: unread })} />}
    />
  );
  return (
    <>
      <ContextMenu
        disabled={!items.length}
        menu={(place) => <MenuAt {...place} items={items} label={t("sessions.act.menu", { name: called })} />}
      >
        <div>{line}</div>
      </ContextMenu>
      {dialog}
    </>
  );
}
