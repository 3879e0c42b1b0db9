import { MessagesSquare, Plus, Search, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { daysAgo, formatDateTime, formatShortDay, formatTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { followRooms, mostUnread, useRooms } from "@/stores/rooms";
import type { RoomSummary } from "@/topology";
import {
  Button,
  EmptyState,
  ErrorState,
  IconButton,
  Input,
  ListRow,
  matches,
  Panel,
  PanelHead,
  Skeleton,
  UnreadCount,
} from "@/ui";
import { plainText } from "@/ui/chat";
import { told } from "./told";

const many = 6;

type Props = { current: string; phone: boolean; onOpen: (room: string) => void; onNew: () => void };

/** All rooms, the latest message first. */
export function RoomList({ current, phone, onOpen, onNew }: Props) {
  const { t } = useTranslation();
  const { known, list, error, unread } = useRooms();
  const [query, setQuery] = useState("");
  const shown = query ? list.filter((r) => matches(r.name, query)) : list;
  return (
    <Panel kind="list" label={t("rooms.list")} className={phone ? "w-full" : "rooms-list"}>
      {!phone && (
        <PanelHead>
          <h1>{t("rooms.title")}</h1>
          <span className="grow" />
          <IconButton icon={Plus} label={t("rooms.new")} onClick={onNew} />
        </PanelHead>
      )}
      {(list.length > many || query) && (
        <div className="pad pb-0">
          <Input
            icon={Search}
            value={query}
            onText={setQuery}
            placeholder={t("rooms.find")}
            aria-label={t("rooms.find")}
          />
        </div>
      )}
      <div className="scroll rows" tabIndex={-1}>
        {error && !known && (
          <ErrorState
            title={t("rooms.listFailed")}
            actions={
              <Button size="sm" onClick={followRooms}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        )}
        {!known && !error && <Skeleton lines={6} label={t("common.loading")} />}
        {known && !list.length && phone && (
          <EmptyState
            icon={MessagesSquare}
            title={t("rooms.empty")}
            action={<Button onClick={onNew}>{t("rooms.new")}</Button>}
          >
            {t("rooms.emptyWhy")}
          </EmptyState>
        )}
        {known && list.length > 0 && !shown.length && <EmptyState icon={SearchX} title={t("rooms.nothing")} />}
        {shown.map((r) => (
          <Line
            key={r.name}
            room={r}
            current={r.name === current}
            unread={unread[r.name] ?? 0}
            onOpen={() => onOpen(r.name)}
          />
        ))}
      </div>
    </Panel>
  );
}

function Line({
  room,
  current,
  unread,
  onOpen,
}: {
  room: RoomSummary;
  current: boolean;
  unread: number;
  onOpen: () => void;
}) {
  const { t } = useTranslation();
  const last = room.last,
    unreadText =
      unread >= mostUnread ? t("rooms.many", { count: mostUnread - 1 }) : t("rooms.unread", { count: unread });
  return (
    <ListRow
      current={current}
      onClick={onOpen}
      titleText={room.name}
      lead={<MessagesSquare size={16} className="t2" aria-hidden />}
      title={
        <b>
          <bdi>{room.name}</bdi>
        </b>
      }
      caption={
        last ? (
          <>
            <bdi>{last.sender}</bdi>: <bdi>{plainText(told(t, last).text).slice(0, 120)}</bdi>
          </>
        ) : (
          t("rooms.nobody")
        )
      }
      when={
        last && (
          <time className="cap" dateTime={last.timestamp} title={formatDateTime(last.timestamp)}>
            {daysAgo(last.timestamp) ? formatShortDay(last.timestamp) : formatTime(last.timestamp)}
          </time>
        )
      }
      count={unread > 0 && <UnreadCount n={unread} text={unreadText} />}
    />
  );
}
