import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatNumber, formatShort } from "@/i18n/format";
import type { RoomStatus } from "@/topology";
import { Button, Progress } from "@/ui";
import { PolicyDialog } from "./PolicyDialog";

/** How the agents of a room talk with one another, and how much of what they may is used. */
export function PolicyBar({ room, floor }: { room: string; floor?: RoomStatus }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!floor || !(floor.agents.length || floor.cast)) return null;
  const p = floor.policy;
  const answers =
    p.toPeople === "mentioned" && p.toAgents === "mentioned"
      ? t("rooms.policy.saidMentioned")
      : t(`rooms.policy.said.${p.toAgents}`);
  const turns = t("rooms.policy.turns", { n: floor.turns, most: p.maxAgentTurns }),
    tokens = t("rooms.policy.tokens", { n: formatShort(floor.tokens), most: formatShort(p.maxTokens) });
  const spent =
    floor.unpriced > 0
      ? t("rooms.cost.unpriced", { count: formatNumber(floor.tokens), unpriced: formatNumber(floor.unpriced) })
      : t("rooms.cost.known", { count: formatNumber(floor.tokens), cost: formatCost(floor.costUsd) });
  return (
    <div className="rooms-policy" role="group" aria-label={t("rooms.policy.strip")}>
      <Button
        size="sm"
        tone="quiet"
        icon={SlidersHorizontal}
        title={t("rooms.policy.open")}
        aria-label={`${t("rooms.policy.open")}: ${t("rooms.policy.is", { order: t(`rooms.policy.${p.order}`), answers })}`}
        onClick={() => setOpen(true)}
      >
        <span className="cut">{t("rooms.policy.is", { order: t(`rooms.policy.${p.order}`), answers })}</span>
      </Button>
      <span className="grow" />
      <span className="rooms-gauge">
        <span className="cap num">{turns}</span>
        <Progress value={floor.turns / p.maxAgentTurns} label={turns} />
      </span>
      <span className="rooms-gauge" title={spent}>
        <span className="cap num">{tokens}</span>
        <Progress value={floor.tokens / p.maxTokens} label={tokens} />
      </span>
      {floor.costUsd > 0 && (
        <span className="cap num whitespace-nowrap" title={spent}>
          {formatCost(floor.costUsd)}
          {floor.unpriced > 0 && " +"}
        </span>
      )}
      {open && <PolicyDialog room={room} floor={floor} onClose={() => setOpen(false)} />}
    </div>
  );
}
