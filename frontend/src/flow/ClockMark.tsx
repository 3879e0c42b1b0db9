import { AlarmClockOff, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useScheduled } from "./work";

/** The agent answers unasked: by its heartbeat, or by jobs of the gateway, unless its scheduler is off. */
export function ClockMark({ agent, every }: { agent: string; every?: string }) {
  const { t } = useTranslation();
  const scheduled = useScheduled(agent);
  if (!every && !scheduled) return null;
  const label = [
    every && t("canvas.heartbeat", { every }),
    scheduled && t(scheduled === "off" ? "canvas.scheduledOff" : "canvas.scheduled"),
  ]
    .filter(Boolean)
    .join(" · ");
  const Icon = scheduled === "off" ? AlarmClockOff : Clock;
  return (
    <span className="flex-none self-start mt-2" title={label}>
      <Icon size={12} className="t3" role="img" aria-label={label} />
    </span>
  );
}
