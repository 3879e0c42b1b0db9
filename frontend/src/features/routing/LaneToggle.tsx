import { RadioTower } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLaneUsed } from "@/stores/routing";
import { useUi } from "@/stores/ui";
import { IconButton, useMedia } from "@/ui";

/** Shows and hides the channels on the canvas, where the team has bindings. */
export function LaneToggle() {
  const { t } = useTranslation();
  const lane = useUi((s) => s.lane),
    toggle = useUi((s) => s.toggle),
    used = useLaneUsed(),
    phone = useMedia("(max-width: 639px)");
  if (!used || phone) return null;
  return (
    <IconButton
      icon={RadioTower}
      label={t(lane ? "canvas.routes.hideLane" : "canvas.routes.showLane")}
      pressed={lane}
      onClick={() => toggle("lane")}
    />
  );
}
