import { Bot } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RoomStatus, RoomSummary } from "@/topology";
import { Button } from "@/ui";
import { CastDialog } from "./CastDialog";

/** Whether a person is alone in a room without agents: nobody is there to answer. */
export const alone = (room: RoomSummary | undefined, floor: RoomStatus | undefined): boolean =>
  !!room &&
  !!floor &&
  !floor.agents.length &&
  !floor.cast?.agents.length &&
  room.agents.filter((a) => a.status !== "offline").length < 2;

/** Says above the message box that no agent is there to answer, and offers to add some. */
export function NoAgents({ room, floor }: { room: RoomSummary | undefined; floor: RoomStatus | undefined }) {
  const { t } = useTranslation();
  const [casting, setCasting] = useState(false);
  return (
    <>
      {alone(room, floor) && (
        <div className="rooms-floor rooms-alone">
          <span className="cap grow">{t("rooms.noAgents")}</span>
          <Button size="sm" tone="quiet" icon={Bot} onClick={() => setCasting(true)}>
            {t("rooms.addAgents")}
          </Button>
        </div>
      )}
      {casting && room && floor && <CastDialog room={room.name} floor={floor} onClose={() => setCasting(false)} />}
    </>
  );
}
