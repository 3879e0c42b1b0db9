import { Search, SearchX, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useReadPages } from "@/stores/read";
import { roomActions } from "@/stores/rooms";
import type { RoomMessage } from "@/topology";
import {
  Avatar,
  Button,
  composing,
  cx,
  EmptyState,
  ErrorState,
  IconButton,
  Input,
  Panel,
  PanelHead,
  Segmented,
  Skeleton,
  useSettled,
} from "@/ui";
import { marked, plainText } from "@/ui/chat";
import type { People } from "./faces";
import { told } from "./told";

const pageSize = 50,
  patience = 250;
type Props = { room: string; people: People; over: boolean; onClose: () => void; onGo: (m: RoomMessage) => void };

/** Messages that hold every word, here or everywhere. */
export function SearchPanel({ room, people, over, onClose, onGo }: Props) {
  const { t, i18n } = useTranslation();
  const [query, setQuery] = useState(""),
    [scope, setScope] = useState<"room" | "all">("room");
  const text = query.trim(),
    language = i18n.language === "ja" ? "ja" : "en",
    where = scope === "room" ? room : undefined,
    settled = useSettled(text, patience) === text && text !== "";
  const { list, more, ready, error, older, again } = useReadPages<RoomMessage>({
    key: ["roomSearch", where, text, language],
    when: settled,
    read: (last) =>
      roomActions
        .search(text, language, where, last?.id)
        .then((found) => ({ list: found, more: found.length === pageSize })),
  });
  return (
    <Panel kind="side" label={t("rooms.search")} over={over} className={cx(over && "panel--sheet")}>
      <PanelHead>
        <h2>{t("rooms.search")}</h2>
        <span className="grow" />
        <IconButton icon={X} label={t("rooms.close")} onClick={onClose} />
      </PanelHead>
      <div className="pad col gap-2">
        <Input
          icon={Search}
          value={query}
          onText={setQuery}
          placeholder={t("rooms.search")}
          aria-label={t("rooms.search")}
          autoFocus
          onKeyDown={(e) => {
            if (e.key === "Escape" && !composing(e)) onClose();
          }}
        />
        <Segmented
          size="sm"
          label={t("rooms.searchIn")}
          value={scope}
          onValue={setScope}
          options={[
            { value: "room", label: t("rooms.inRoom") },
            { value: "all", label: t("rooms.inAll") },
          ]}
        />
        <span className="cap" role="status">
          {!text
            ? t("rooms.searchHint")
            : ready
              ? more
                ? t("rooms.foundMany", { count: list.length })
                : t("rooms.found", { count: list.length })
              : ""}
        </span>
      </div>
      <div className="scroll rows" tabIndex={-1}>
        {text && !ready && !error && <Skeleton lines={4} label={t("common.loading")} />}
        {text && error && (
          <ErrorState
            title={t("rooms.searchFailed")}
            actions={
              <Button size="sm" onClick={again}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        )}
        {text && ready && !list.length && <EmptyState icon={SearchX} title={t("rooms.foundNone")} />}
        {text &&
          list.map((m) => (
            <button key={m.id} type="button" className="rooms-hit" onClick={() => onGo(m)}>
              <span className="row">
                <Avatar size="sm" {...people.who(m.sender)} />
                <b className="cut">
                  <bdi>{m.sender}</bdi>
                </b>
                <time className="cap ml-auto flex-none" dateTime={m.timestamp}>
                  {formatWhen(m.timestamp)}
                </time>
              </span>
              {scope === "all" && (
                <span className="cap cut">
                  <bdi>{m.room}</bdi>
                </span>
              )}
              <span className="rooms-hit-text" dir="auto">
                {marked(plainText(told(t, m).text), text).map((p, i) =>
                  p.hit ? <mark key={i}>{p.text}</mark> : <span key={i}>{p.text}</span>,
                )}
              </span>
            </button>
          ))}
        {text && more && (
          <div className="pad">
            <Button size="sm" onClick={older}>
              {t("rooms.more")}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
