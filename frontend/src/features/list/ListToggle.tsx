import { Table2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { toggleBeside, usePanel } from "@/stores/ui";
import { IconButton, useMedia } from "@/ui";

export const toggleList = () => toggleBeside("canvas.list");

/** Opens and closes the list beside the canvas. */
export function ListToggle() {
  const { t } = useTranslation();
  const { folded } = usePanel("canvas.list"),
    ready = useTeam((s) => s.status === "ready");
  const phone = useMedia("(max-width: 639px)");
  if (phone) return null;
  return (
    <IconButton
      icon={Table2}
      label={folded ? t("list.show") : t("list.hide")}
      pressed={!folded}
      disabled={!ready}
      onClick={toggleList}
    />
  );
}
