import { Flag, Pause, Play, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { roomActions } from "@/stores/rooms";
import type { RoomStatus } from "@/topology";
import { Banner, Button, IconButton } from "@/ui";
import { TypingLine } from "@/ui/chat";

/** Who has a turn or waits for one, and what a person can do about it. Only for rooms in which agents take turns. */
export function TurnBar({ room, floor }: { room: string; floor?: RoomStatus }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  if (!floor?.agents.length) return null;
  const steer = (how: "stop" | "pause" | "resume" | "wrapUp") => {
    setBusy(true);
    void attempt("roomTurns", () => roomActions.steer(room, how)).finally(() => setBusy(false));
  };
  const those = (...status: string[]) => floor.agents.filter((a) => status.includes(a.status)).map((a) => a.name);
  const waiting = those("waiting"),
    writing = those("thinking", "answering"),
    next = floor.agents.filter((a) => a.queued && !a.turnId).map((a) => a.name);
  const said = waiting.length
    ? t("rooms.turn.waiting", { who: formatList(waiting) })
    : writing.length
      ? t(floor.agents.some((a) => a.wrapUp) ? "rooms.turn.summing" : "rooms.turn.writing", {
          who: formatList(writing),
        })
      : next.length
        ? t("rooms.turn.next", { who: formatList(next) })
        : "";
  const held =
    floor.state === "paused"
      ? t("rooms.turn.paused")
      : floor.state === "halted"
        ? t(`rooms.turn.halt.${floor.halt ?? "turns"}`)
        : "";
  // A halted room gives no turns, so who is next in it doesn't wait for one.
  const working = writing.length + waiting.length > 0 || (next.length > 0 && floor.state !== "halted");
  return (
    <>
      {held && (
        <Banner
          icon={Pause}
          actions={
            floor.halt === "tokens" ? undefined : (
              <Button size="sm" icon={Play} busy={busy} onClick={() => steer("resume")}>
                {t("rooms.turn.resume")}
              </Button>
            )
          }
        >
          {held}
        </Banner>
      )}
      <div className="rooms-floor" role="group" aria-label={t("rooms.turn.label")}>
        <TypingLine active={writing.length > 0}>{said}</TypingLine>
        <span className="grow" />
        <IconButton
          icon={Square}
          size="sm"
          label={t("rooms.turn.stop")}
          data-tip={t(working ? "rooms.turn.stop" : "rooms.turn.nothingToStop")}
          disabled={busy || !working}
          onClick={() => steer("stop")}
        />
        <IconButton
          icon={Pause}
          size="sm"
          label={t("rooms.turn.pause")}
          disabled={busy || floor.state !== "open"}
          onClick={() => steer("pause")}
        />
        <IconButton
          icon={Flag}
          size="sm"
          label={t("rooms.turn.wrapUp")}
          disabled={busy || !(floor.state === "open" || floor.halt === "turns")}
          onClick={() => steer("wrapUp")}
        />
      </div>
    </>
  );
}
