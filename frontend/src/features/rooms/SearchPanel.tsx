import { Search, SearchX, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, attempt, type ApiError } from "@/stores/faults";
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
} from "@/ui";
import { marked, plainText } from "@/ui/chat";
import type { People } from "./faces";
import { told } from "./told";

const pageSize = 50,
  patience = 250;
type Found = { for: string; list?: RoomMessage[]; error?: ApiError; more?: boolean };
type Props = { room: string; people: People; over: boolean; onClose: () => void; onGo: (m: RoomMessage) => void };

/** Messages that hold every word, here or everywhere. */
export function SearchPanel({ room, people, over, onClose, onGo }: Props) {
  const { t, i18n } = useTranslation();
  const [query, setQuery] = useState(""),
    [scope, setScope] = useState<"room" | "all">("room"),
    [found, setFound] = useState<Found>(),
    [round, setRound] = useState(0);
  const text = query.trim(),
    language = i18n.language === "ja" ? "ja" : "en",
    where = scope === "room" ? room : undefined,
    key = `${scope}\n${text}\n${language}\n${round}`;
  useEffect(() => {
    if (!text) return;
    let gone = false;
    const timer = setTimeout(() => {
      roomActions.search(text, language, where).then(
        (list) => {
          if (!gone) setFound({ for: key, list, more: list.length === pageSize });
        },
        (e: unknown) => {
          if (!gone) setFound({ for: key, error: asApiError(e) });
        },
      );
    }, patience);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text, language, where, key]);
  const older = (had: RoomMessage[]) =>
    void attempt("roomSearch", async () => {
      const list = await roomActions.search(text, language, where, had.at(-1)?.id);
      setFound((f) => (f?.for === key ? { ...f, list: [...had, ...list], more: list.length === pageSize } : f));
    });
  const now = found?.for === key ? found : undefined,
    list = now?.list ?? [];
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
            : now?.list
              ? now.more
                ? t("rooms.foundMany", { count: list.length })
                : t("rooms.found", { count: list.length })
              : ""}
        </span>
      </div>
      <div className="scroll rows" tabIndex={-1}>
        {text && !now && <Skeleton lines={4} label={t("common.loading")} />}
        {text && now?.error && (
          <ErrorState
            title={t("rooms.searchFailed")}
            actions={
              <Button size="sm" onClick={() => setRound(round + 1)}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, now.error)}
          </ErrorState>
        )}
        {text && now?.list && !list.length && <EmptyState icon={SearchX} title={t("rooms.foundNone")} />}
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
        {text && now?.more && (
          <div className="pad">
            <Button size="sm" onClick={() => older(list)}>
              {t("rooms.more")}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
