import { MessagesSquare, Plus } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { useDesk } from "@/stores/desk";
import { useNewRoom } from "@/stores/newRoom";
import { followRooms, useRooms } from "@/stores/rooms";
import { routeOf } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { Boundary, Button, EmptyState, ScreenHead, useMedia } from "@/ui";
import { ChatWordsProvider } from "@/ui/chat";
import { useRoomAddress } from "./address";
import { NewRoomDialog } from "./NewRoomDialog";
import { RoomList } from "./RoomList";
import { RoomPane } from "./RoomPane";
import "./rooms.css";

/** Where people and agents talk. On a phone the list and the room are a page each. */
export function RoomsScreen() {
  const { t } = useTranslation();
  const [room, open, message] = useRoomAddress();
  const making = useNewRoom((s) => s.open),
    setMaking = (open: boolean) => useNewRoom.setState({ open, agents: undefined });
  const phone = useMedia("(max-width: 639px)");
  const known = useRooms((s) => s.known),
    none = useRooms((s) => s.known && !s.list.length),
    error = useRooms((s) => s.error);
  const first = useRooms((s) => s.list[0]?.name),
    person = useUi((s) => s.person),
    fallback = useDesk((s) => s.person),
    desk = useDesk((s) => s.known);
  const me = person || fallback || t("common.you");
  const words = useMemo(() => chatWords(t), [t]);
  useEffect(followRooms, []);
  useEffect(() => {
    if (!room && first !== undefined && !phone && routeOf("rooms")) open(first);
  }, [room, first, phone, open]);
  const make = (
    <Button icon={Plus} onClick={() => setMaking(true)}>
      {t("rooms.new")}
    </Button>
  );
  return (
    <ChatWordsProvider value={words}>
      {phone && !room && (
        <ScreenHead>
          <h1>{t("rooms.title")}</h1>
          <span className="grow" />
          {make}
        </ScreenHead>
      )}
      <div className="body rooms">
        {(!phone || !room) && (
          <Boundary>
            <RoomList current={room} phone={phone} onOpen={open} onNew={() => setMaking(true)} />
          </Boundary>
        )}
        {room && desk && (known || error) && (
          <Boundary of={room}>
            <RoomPane key={room} room={room} me={me} phone={phone} message={message} onOpen={open} />
          </Boundary>
        )}
        {!room && !phone && (known || error) && (
          <div className="grid flex-1 place-items-center">
            {none ? (
              <EmptyState icon={MessagesSquare} title={t("rooms.empty")} action={make}>
                {t("rooms.emptyWhy")}
              </EmptyState>
            ) : (
              !error && (
                <EmptyState icon={MessagesSquare} title={t("rooms.choose")} action={make}>
                  {t("rooms.chooseWhy")}
                </EmptyState>
              )
            )}
          </div>
        )}
      </div>
      <NewRoomDialog open={making} onOpen={setMaking} onMade={open} />
    </ChatWordsProvider>
  );
}
