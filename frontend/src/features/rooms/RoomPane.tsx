import { ArrowLeft, MessagesSquare, Unplug, Users, Search } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { composerWords } from "@/i18n/chat";
import { errorMeaning } from "@/i18n/problem";
import { viewRoom, type RoomView } from "@/stores/conversation";
import { keepDraft, keepRead, useDesk } from "@/stores/desk";
import { attempt } from "@/stores/faults";
import { roomPlace, useRooms } from "@/stores/rooms";
import { useUi } from "@/stores/ui";
import type { RoomMessage } from "@/topology";
import { Banner, Boundary, Button, EmptyState, ErrorState, IconButton, ScreenHead, Skeleton, useMedia } from "@/ui";
import { Composer, type ListHandle } from "@/ui/chat";
import type { OpenRoom } from "./address";
import { answerers, mentionable, senders, usePeople } from "./faces";
import { TurnBar } from "./TurnBar";
import { HerePanel } from "./HerePanel";
import { Messages } from "./Messages";
import { NoAgents } from "./NoAgents";
import { PolicyBar } from "./PolicyBar";
import { RoomMenu } from "./RoomMenu";
import { RoomNotes } from "./RoomNotes";
import { SearchPanel } from "./SearchPanel";
import { useLacking } from "./standing";

const longestMessage = 65_536;
type Side = "here" | "search" | undefined;
type Props = {
  room: string;
  me: string;
  phone: boolean;
  /** Where it is to be opened; else at what is new. */ message?: number;
  onOpen: OpenRoom;
};

/** A room: another one is another pane, by its key. What lies open beside it stays when the person changes their name. */
export function RoomPane(props: Props) {
  const [asked, setAsked] = useState<{ side: Side }>();
  return <Joined key={props.me} {...props} asked={asked} setAsked={setAsked} />;
}

type Asked = { asked?: { side: Side }; setAsked: (a: { side: Side }) => void };

/** Joined under a name while it is shown. */
function Joined(props: Props & Asked) {
  const { room, me } = props;
  const [view] = useState(() => viewRoom(room, me));
  useEffect(() => view.start(), [view]);
  return (
    <div className="col min-w-0 flex-1">
      <Open {...props} view={view} />
    </div>
  );
}

function Open({ room, me, phone, message, onOpen, view, asked, setAsked }: Props & Asked & { view: RoomView }) {
  const { t } = useTranslation();
  const status = view.use((s) => s.status),
    error = view.use((s) => s.error),
    lost = view.use((s) => s.link === "lost"),
    floor = view.use((s) => s.floor);
  const summary = useRooms((s) => s.list.find((r) => r.name === room));
  const wide = useMedia("(min-width: 1200px)");
  const side = asked ? asked.side : wide ? "here" : undefined;
  const show = (s: Side) => setAsked({ side: s });
  const list = useRef<ListHandle>(null);
  const [found, setFound] = useState<string>();
  const answered = view.use((s) => answerers(s.messages)),
    people = usePeople(floor, answered),
    place = roomPlace(room);
  const [begun] = useState(() => useDesk.getState().places[place]?.draft ?? "");
  const [read] = useState(() => Number(useDesk.getState().places[place]?.read ?? 0));
  const names = view.use((s) => senders(s.messages)),
    said = useMemo(() => names.split("\n"), [names]);
  const present = summary?.agents.filter((a) => a.status !== "offline").length ?? 0;
  const everybody = [...new Set([...(summary?.agents ?? []).map((a) => a.name), ...said])].sort().join("\n"),
    known = useMemo(() => everybody.split("\n"), [everybody]);
  const formerly = useUi((s) => s.formerly);
  const mentions = useMemo(() => {
    const removed = (floor?.agents ?? []).filter((a) => a.removed).map((a) => a.name);
    return mentionable(summary, said, people, [me, ...formerly], removed, (s) => t(`rooms.state.${s}`));
  }, [summary, said, people, me, formerly, floor?.agents, t]);
  const lacking = useLacking(floor);
  const seen = (id: number) => keepRead(place, String(id));

  const goTo = useCallback(
    (id: number) =>
      attempt("roomMessage", () => view.goTo(id)).then((there) => {
        if (!there) return;
        setFound(undefined);
        requestAnimationFrame(() => {
          setFound(String(id));
          list.current?.toRow(String(id));
        });
      }),
    [view],
  );
  const ready = status === "ready";
  useEffect(() => {
    if (ready && message) void goTo(message);
  }, [ready, message, goTo]);
  const toHit = (m: RoomMessage) => {
    if (m.room !== room) {
      onOpen(m.room, m.id);
      return;
    }
    void goTo(m.id);
    if (!wide) show(undefined);
  };
  return (
    <>
      <ScreenHead>
        {phone && <IconButton icon={ArrowLeft} label={t("rooms.back")} onClick={() => onOpen("")} />}
        <span className={phone ? "col grow" : "row grow"}>
          <h1 className="cut" title={room}>
            <bdi>{room}</bdi>
          </h1>
          <span className="cap cut">{present > 0 && t("rooms.present", { count: present })}</span>
        </span>
        <IconButton
          icon={Search}
          label={t("rooms.search")}
          pressed={side === "search"}
          onClick={() => show(side === "search" ? (wide ? "here" : undefined) : "search")}
        />
        <IconButton
          icon={Users}
          label={t("rooms.here")}
          pressed={side === "here"}
          onClick={() => show(side === "here" ? undefined : "here")}
        />
        <RoomMenu room={room} floor={floor} onGone={() => onOpen("")} />
      </ScreenHead>
      <div className="body relative">
        <div className="col min-w-0 flex-1">
          {lost && status === "ready" && (
            <Banner tone="waiting" icon={Unplug}>
              {t("rooms.lost")}
            </Banner>
          )}
          {status === "loading" && (
            <div className="grow">
              <Skeleton lines={8} label={t("common.loading")} />
            </div>
          )}
          {status === "failed" && error && (
            <div className="grow pad">
              <ErrorState
                title={t("rooms.failed")}
                actions={
                  <Button size="sm" onClick={() => void view.toNewest()}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, error)}
              </ErrorState>
            </div>
          )}
          {status === "gone" && (
            <div className="grid flex-1 place-items-center">
              <EmptyState icon={MessagesSquare} title={t("rooms.gone")}>
                {t("rooms.goneWhy")}
              </EmptyState>
            </div>
          )}
          {status === "ready" && (
            <>
              <PolicyBar room={room} floor={floor} />
              <RoomNotes lacking={lacking} />
              <Messages
                ref={list}
                room={room}
                me={me}
                view={view}
                people={people}
                mentions={known}
                read={read}
                found={found}
                onSeen={seen}
              />
              <TurnBar room={room} floor={floor} />
              <NoAgents room={summary} floor={floor} />
              <Composer
                label={t("rooms.write", { room })}
                placeholder={t("rooms.placeholder")}
                draft={begun}
                onDraft={(text) => keepDraft(place, text)}
                words={composerWords(t)}
                people={mentions}
                autoFocus={!phone}
                longest={longestMessage}
                tooLong={(count) => t("chat.tooLong", { count })}
                onSend={(text) => {
                  view.send(text);
                  list.current?.toEnd();
                }}
              />
            </>
          )}
        </div>
        <Boundary of={side}>
          {side === "here" && (
            <HerePanel
              room={summary}
              floor={floor}
              lacking={lacking}
              me={me}
              people={people}
              over={!wide}
              onClose={() => show(undefined)}
            />
          )}
          {side === "search" && (
            <SearchPanel
              room={room}
              people={people}
              over={!wide}
              onClose={() => show(wide ? "here" : undefined)}
              onGo={toHit}
            />
          )}
        </Boundary>
      </div>
    </>
  );
}
